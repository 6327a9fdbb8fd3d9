"""Variants, requests made again, first differences and row numbers, against the recorded traces."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from app.models.comparison import Comparison
from app.models.difference import IdsCheck
from app.models.reply import Reply
from app.models.rerun import NUM_ALTERNATIVES, asked_of, rerun_refusal, rerun_request
from app.models.variants import offered_variants
from engine import (
    GenerationRequest,
    Message,
    SamplingParams,
    SpeculationParams,
    Started,
    Stepped,
    read_trace,
    replay_trace,
)
from tests.fakes.scripted_worker import INFO

TRACES = Path(__file__).parent.parent / "traces"
DEMO = replace(INFO, name="demo", local_refusal=None)
OFF = GenerationRequest(prompt_ids=(1,), speculation=SpeculationParams(enabled=False))
ON = GenerationRequest(prompt_ids=(1,))
PARTED = 13


def reply_of(name, request=None, alter=None, most=None):
    """The reply of a trace; `alter` changes its events, `most` leaves out later steps."""
    reply = Reply(request)
    for event in replay_trace(read_trace(TRACES / f"{name}.jsonl")):
        is_step = isinstance(event, Stepped)
        if most is not None and is_step and event.record.index >= most:
            break
        reply.apply(alter(event) if alter is not None else event)
    return reply


def lines_of(name):
    return [json.loads(line) for line in (TRACES / f"{name}.jsonl").read_text().splitlines()]


def steps_of(name):
    return [line for line in lines_of(name) if line["type"] == "step"]


def ids_of(name):
    return [token for step in steps_of(name) for token in step["emitted"]]


def parted(guard_margin=0.0, lead=0.25):
    """An alteration: token 13 is the second likeliest there, and leads by `lead`."""

    def alter(event):
        if isinstance(event, Started):
            return replace(event, config=replace(event.config, guard_margin=guard_margin))
        if not isinstance(event, Stepped):
            return event
        record, first = event.record, event.record.spans[0].first if event.record.spans else 0
        at = PARTED - first
        if not 0 <= at < len(record.emitted):
            return event
        emitted, margins = list(record.emitted), list(record.margins)
        emitted[at], margins[at] = record.alternatives[at][1][0], lead
        return replace(
            event, record=replace(record, emitted=tuple(emitted), margins=tuple(margins))
        )

    return alter


def closed(reply, *reruns):
    """A comparison whose reruns are over."""
    comparison = Comparison()
    comparison.begin(reply, [(f"run {n}", rerun) for n, rerun in enumerate(reruns)])
    for row in comparison.reruns:
        comparison.run(row)
        comparison.close(row)
    return comparison


def offered(name, info=DEMO):
    reply = reply_of(name)
    variants = offered_variants(asked_of(reply, reply.config, info), reply.config, info)
    return {variant.label: variant.speculation for variant in variants}


def test_what_a_recurrent_reply_is_offered():
    ways = offered("local")
    asked = SpeculationParams(draft_length=5)
    assert ways["again, as it was"] == asked
    assert ways["speculation off"] == replace(asked, enabled=False)
    assert ways["replay off (discard)"] == replace(asked, replay=False)
    assert ways["carry rollback"] == replace(asked, rollback="carry")
    assert ways["replay rollback"] == replace(asked, rollback="replay")
    assert ways["lookup drafter"] == replace(asked, drafter="lookup")
    assert ways["suffix drafter"] == replace(asked, drafter="suffix")
    assert [name for name in ways if name.startswith("draft length")] == [
        "draft length auto",
        "draft length 2",
        "draft length 10",
    ]
    assert ways["draft length auto"].draft_length is None
    assert not {"local rollback", "trim rollback", "auto drafter"} & ways.keys()


def test_the_baselines_are_chosen_at_first():
    reply = reply_of("local")
    variants = offered_variants(asked_of(reply, reply.config, DEMO), reply.config, DEMO)
    usual = [variant.label for variant in variants if variant.is_usual]
    assert usual == ["again, as it was", "speculation off"]


def test_a_reply_without_replay_is_offered_the_rollbacks_with_it():
    ways = offered("discard")
    assert "replay off (discard)" not in ways
    assert ways["local rollback"] == SpeculationParams(
        draft_length=5, replay=True, rollback="local"
    )


def test_a_reply_without_speculation_is_offered_speculation():
    ways = offered("off")
    assert ways["again, as it was"].enabled is False
    assert ways["speculation on"].enabled is True
    assert "speculation off" not in ways
    assert all(params.enabled for label, params in ways.items() if label != "again, as it was")


def test_local_is_offered_where_it_can_run_only():
    refusing = replace(DEMO, local_refusal="its layers are unknown")
    assert "local rollback" in offered("carry")
    assert "local rollback" not in offered("carry", refusing)


def test_a_model_that_trims_has_no_other_rollback_to_offer():
    trimming = replace(DEMO, is_recurrent=False)
    reply = reply_of("local")
    config = replace(reply.config, rollback="trim")
    variants = offered_variants(SpeculationParams(), config, trimming)
    assert not [variant for variant in variants if variant.group == "rollback"]


def test_a_model_that_cannot_speculate_can_only_run_it_again():
    assert list(offered("local", replace(DEMO, speculation_refusal="unknown caches"))) == [
        "again, as it was"
    ]


def test_a_rerun_keeps_everything_but_speculation_and_starts_from_nothing():
    request = GenerationRequest(
        messages=(Message("user", "Hello"),),
        sampling=SamplingParams(temperature=0.7, seed=99),
        max_tokens=33,
        stop=("end",),
        num_alternatives=3,
    )
    speculation = SpeculationParams(drafter="lookup")
    again = rerun_request(reply_of("local", request), speculation)
    assert again == replace(request, speculation=speculation, reuse=False)


@pytest.mark.parametrize("name", ["local", "off", "sampled", "stop-string", "eos-in-block"])
def test_a_trace_says_enough_to_ask_again(name):
    start = lines_of(name)[0]
    reply = reply_of(name)
    asked = asked_of(reply, reply.config, DEMO)
    request = rerun_request(reply, asked)
    assert [(m.role, m.content) for m in request.messages] == [
        (m["role"], m["content"]) for m in start["messages"]
    ]
    assert request.prompt_ids is None
    assert (request.sampling.seed, request.sampling.temperature) == (
        start["seed"],
        start["config"]["sampling"]["temperature"],
    )
    assert request.max_tokens == start["config"]["max_tokens"]
    assert list(request.stop) == start["config"]["stop"]
    assert (request.reuse, request.num_alternatives) == (False, NUM_ALTERNATIVES)
    assert (asked.enabled, asked.draft_length) == (
        start["config"]["enabled"],
        start["config"]["draft_length"],
    )


def test_a_trace_without_messages_is_asked_by_its_ids():
    def bare(event):
        return replace(event, messages=()) if isinstance(event, Started) else event

    request = rerun_request(reply_of("local", alter=bare), SpeculationParams())
    assert list(request.prompt_ids) == lines_of("local")[0]["prompt_ids"]


def test_excluded_tokens_that_the_model_does_not_exclude_were_added():
    reply = reply_of("local")
    own = reply.config.excluded_ids[:-1]
    asked = asked_of(reply, reply.config, replace(DEMO, excluded_ids=own))
    assert asked.extra_excluded == reply.config.excluded_ids[-1:]


def test_what_cannot_be_compared_says_why():
    assert rerun_refusal(reply_of("local"), DEMO) is None
    assert "ask something" in rerun_refusal(None, DEMO)
    part = reply_of("local", most=3)
    assert "The end of this reply is not here" in rerun_refusal(part, DEMO)
    part.request = GenerationRequest(prompt_ids=(1,))
    assert "still being written" in rerun_refusal(part, DEMO)
    assert "No model" in rerun_refusal(reply_of("local"), None)
    other = rerun_refusal(reply_of("local"), replace(DEMO, name="zebra"))
    assert "Demo model" in other
    assert "zebra is loaded" in other


@pytest.mark.parametrize("name", ["carry", "replay", "discard"])
def test_numbers_of_a_row_are_those_of_its_trace(name):
    comparison = closed(reply_of("local"), reply_of(name, ON))
    steps, row = steps_of(name), comparison.rows[1]
    numbers = comparison.numbers(row)
    emitted = [len(step["emitted"]) for step in steps]
    speed = (sum(emitted) - emitted[0]) / (steps[-1]["time"] - steps[0]["time"])
    assert numbers.speed == pytest.approx(speed)
    assert numbers.forwards == sum(step["forwards"] for step in steps)
    assert numbers.tokens_per_step == pytest.approx(sum(emitted) / len(steps))
    verified = sum(len(step["draft"]) for step in steps)
    assert numbers.acceptance == pytest.approx(sum(s["accepted"] for s in steps) / verified)
    assert numbers.first_token_seconds == steps[0]["time"]
    assert numbers.num_tokens == len(ids_of(name))
    ids = row.ids
    assert (ids.num_equal, ids.verdict, ids.difference) == (len(ids_of("local")), "equal", None)
    assert ids_of(name) == ids_of("local")


def test_replay_takes_a_forward_more_and_discard_a_step():
    comparison = closed(reply_of("carry"), reply_of("replay", ON), reply_of("discard", ON))
    forwards = [comparison.numbers(row).forwards for row in comparison.rows]
    assert forwards == [
        sum(s["forwards"] for s in steps_of(n)) for n in ("carry", "replay", "discard")
    ]
    assert forwards[1] == forwards[0] + 1


def speed_of(name):
    return next(x for x in lines_of(name) if x["type"] == "finish")["stats"]["decode_tps"]


def test_speeds_relate_to_the_rerun_without_speculation():
    comparison = closed(reply_of("local", ON), reply_of("carry", ON), reply_of("off", OFF))
    assert comparison.yardstick is comparison.rows[2]
    ratios = [comparison.numbers(row).ratio for row in comparison.rows]
    assert ratios == pytest.approx(
        [speed_of(n) / speed_of("off") for n in ("local", "carry", "off")]
    )


def test_a_reply_of_a_trace_ran_at_another_time_and_has_no_ratio():
    comparison = closed(reply_of("local"), reply_of("carry", ON), reply_of("off", OFF))
    first, other, _yardstick = comparison.rows
    assert comparison.numbers(first).speed == pytest.approx(speed_of("local"))
    assert comparison.numbers(first).ratio is None
    assert comparison.numbers(other).ratio is not None


def test_without_one_speeds_relate_to_the_reply_itself():
    comparison = closed(reply_of("local"), reply_of("carry", ON))
    assert comparison.yardstick is comparison.rows[0]
    assert comparison.numbers(comparison.rows[1]).ratio == pytest.approx(
        speed_of("carry") / speed_of("local")
    )


def likenesses(*replies):
    comparison = closed(*replies)
    return [comparison.likeness(row) for row in comparison.rows]


def test_where_no_draft_was_made_the_work_was_the_same():
    replies = (reply_of("local", ON), reply_of("off", ON), reply_of("off", OFF))
    assert likenesses(*replies) == [None, "plain", "plain"]
    # How far each went makes no difference to what a token takes.
    assert likenesses(reply_of("off", ON), reply_of("off", ON, most=5))[1] == "plain"


def test_the_same_settings_and_steps_are_the_same_work():
    assert likenesses(reply_of("local", ON), reply_of("local", ON)) == ["same", "same"]
    assert likenesses(reply_of("local", ON), reply_of("discard", ON))[1] is None
    assert likenesses(reply_of("local", ON), Reply(ON))[1] is None
    # As many forwards, but of another kind.
    carried = replace(ON, speculation=SpeculationParams(rollback="carry"))
    assert likenesses(reply_of("local", ON), reply_of("local", carried))[1] is None
    # A trace does not tell what was asked.
    assert likenesses(reply_of("local"), reply_of("local", ON))[1] is None


def test_a_yardstick_that_was_not_run_is_none():
    comparison = Comparison()
    comparison.begin(reply_of("local"), [("speculation off", Reply(OFF))])
    assert comparison.yardstick is comparison.rows[1]
    assert comparison.numbers(comparison.rows[1]) is None
    assert comparison.numbers(comparison.rows[0]).ratio is None
    comparison.end()
    assert comparison.rows[1].state == "not run"
    assert comparison.yardstick is comparison.rows[0]


@pytest.mark.parametrize(("guard", "near"), [(0.0, None), (0.2, False), (0.25, True), (3.0, True)])
def test_the_first_difference_with_lead_and_alternatives(guard, near):
    altered = reply_of("local", ON, parted(guard))
    lead_there = [m for step in steps_of("local") for m in step["margins"]][PARTED]
    difference = closed(altered, reply_of("carry", ON)).rows[1].ids.difference
    assert difference.position == PARTED
    rows = [row for step in steps_of("local") for row in step["alternatives"]]
    words = dict(tuple(pair) for step in steps_of("local") for pair in step["words"])
    likeliest = [(words[token], pytest.approx(math.exp(p))) for token, p in rows[PARTED][:2]]
    assert difference.first.token == rows[PARTED][1][0]
    assert difference.first.text == words[rows[PARTED][1][0]]
    assert difference.first.margin == 0.25
    assert difference.other.token == ids_of("carry")[PARTED]
    assert difference.other.text == words[ids_of("carry")[PARTED]]
    assert difference.other.margin == pytest.approx(lead_there)
    assert list(difference.first.likeliest) == likeliest
    assert list(difference.other.likeliest) == likeliest
    assert difference.is_near_tie is near


def test_a_reply_that_was_cut_says_nothing_of_the_rest():
    cancelled, lookup = reply_of("cancelled"), reply_of("lookup")
    ids = closed(lookup, cancelled).rows[1].ids
    assert ids.num_equal == len(ids_of("cancelled"))
    assert (ids.verdict, ids.difference) == ("as far as both go", None)
    ids = closed(reply_of("local"), reply_of("off")).rows[1].ids
    assert (ids.num_equal, ids.verdict) == (len(ids_of("off")), "as far as both go")


def test_a_reply_that_ended_where_the_other_goes_on_differs():
    stopped = reply_of("stop-string")
    difference = closed(reply_of("local"), stopped).rows[1].ids.difference
    assert difference.position == len(ids_of("stop-string"))
    assert difference.other.token is None
    assert difference.first.token == ids_of("local")[difference.position]
    assert difference.is_near_tie is None


def test_a_check_grows_with_its_reply():
    whole, growing = reply_of("local"), Reply(ON)
    check = IdsCheck(whole, growing)
    assert check.verdict == "nothing"
    seen = []
    for event in replay_trace(read_trace(TRACES / "carry.jsonl")):
        growing.apply(event)
        check.advance()
        seen.append(check.num_equal)
        if not growing.is_over:
            assert check.verdict in ("nothing", "so far")
    assert sorted(set(seen)) == seen or seen == sorted(seen)
    assert (seen[-1], check.verdict) == (len(ids_of("local")), "equal")


def test_an_old_trace_names_no_ids_and_its_pieces_do():
    def old(event):
        if isinstance(event, Started):
            return replace(event, words=())
        if isinstance(event, Stepped):
            record = replace(event.record, words=(), alternatives=None, margins=None)
            return replace(event, record=record)
        return event

    def old_and_parted(event):
        return old(parted()(event))

    ids = closed(reply_of("local", alter=old_and_parted), reply_of("carry", ON, old)).rows[1].ids
    spans = [span for step in steps_of("carry") for span in step["spans"]]
    text = next(s["text"] for s in spans if s["first"] <= PARTED < s["first"] + s["num_tokens"])
    assert ids.difference.position == PARTED
    assert ids.difference.other.text == text
    assert (ids.difference.other.margin, ids.difference.other.likeliest) == (None, ())
    assert ids.difference.is_near_tie is None
