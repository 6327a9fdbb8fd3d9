"""A step in words: why nothing was drafted, what matched, where it was copied from."""

from dataclasses import replace

import pytest

from app.models.context_map import ContextMap
from app.models.step_facts import step_facts
from app.models.step_story import lines, outcome, why_no_draft, word
from engine import LengthChoice, SpeculationChanged
from tests.app.inspector.long_replies import grow, started_reply
from tests.app.inspector.traced import NAMES, raw_of, reply_of


def told(reply, record):
    return {line.name: line.text for line in lines(reply, record, ContextMap(reply))}


@pytest.mark.parametrize("name", NAMES)
def test_a_reason_is_given_for_every_step_without_a_draft_and_no_other(name):
    reply = reply_of(name)
    for record, step in zip(reply.log, raw_of(name).steps, strict=True):
        assert bool(why_no_draft(reply, record)) == (not step["draft"])


def test_reasons_say_what_the_trace_says():
    off, local, lookup = reply_of("off"), reply_of("local"), reply_of("lookup")
    assert why_no_draft(off, off.log[3]) == "speculation is off: it is switched off"
    first = local.words[local.log[0].cut[0]]
    assert why_no_draft(local, local.log[0]) == f"the first proposed token, “{first}”, is excluded"
    assert why_no_draft(lookup, lookup.log[0]) == "nothing was found to copy"


def test_a_draft_not_taken_is_told_with_its_numbers():
    reply, raw = reply_of("paused"), raw_of("paused")
    number = next(n for n, step in enumerate(raw.steps) if step["choice"])
    choice = raw.steps[number]["choice"]
    words = why_no_draft(reply, reply.log[number])
    assert words.startswith(f"{choice['available']} tokens were found")
    assert f"{choice['chance'] * 100:.0f}\u00a0%" in words
    at, aside = raw.asides[0]
    later = next(
        n
        for n, step in enumerate(raw.steps)
        if n >= at and not step["choice"] and not step["draft"]
    )
    assert why_no_draft(reply, reply.log[later]) == f"standing down: {aside['reason']}"
    assert "standing down" not in why_no_draft(reply, reply.log[at - 1]).lower()


def test_other_reasons_of_plain_steps():
    reply = started_reply()
    grow(reply, 9)
    plain = replace(reply.log[0], index=8)
    assert "nothing was found" in why_no_draft(reply, plain)
    waiting = replace(plain, pending=tuple(range(20)))
    reply.config = replace(reply.config, pending_limit=16)
    assert "over the limit of 16" in why_no_draft(reply, waiting)
    reply.config = replace(reply.config, max_tokens=reply.log.first_token(8) + 1)
    assert why_no_draft(reply, plain) == "only one token was left to write"
    reply.apply(SpeculationChanged(1, False, "it lost time"))
    reply.apply(SpeculationChanged(1, True, "trying again"))
    assert "left to write" in why_no_draft(reply, plain)


def test_what_the_model_chose_is_named():
    reply = reply_of("lookup")
    record = next(r for r in reply.log if "corrected" in r.origins)
    sentence = outcome(reply, step_facts(record))
    chosen = record.emitted[record.accepted]
    assert f"The model chose “{word(reply, chosen)}”" in sentence
    assert f"where “{word(reply, record.draft[record.accepted])}” was drafted" in sentence


@pytest.mark.parametrize("name", NAMES)
def test_facts_are_those_of_the_record(name):
    reply, raw = reply_of(name), raw_of(name)
    ends = raw.start["prompt_ends"]
    for record, step in zip(reply.log, raw.steps, strict=True):
        found = told(reply, record)
        assert found["position"] == f"{step['position']:,}"
        assert found["forwards"] == str(step["forwards"])
        assert found["pending"].startswith(f"{len(step['pending'])}, ")
        assert ("run again" in found) == bool(step["num_replayed"])
        assert ("drafter" in found) == (step["drafter"] is not None)
        if step["match"] and step["match"][1] and sum(step["match"]) < len(ends):
            start, length = step["match"]
            text = raw.start["prompt_text"][
                ends[start - 1] if start else 0 : ends[sum(step["match"]) - 1]
            ]
            assert found["matched"].endswith(f"{length} token{'s' * (length > 1)}")
            tail = text.strip()[-1:]
            assert not tail.isalnum() or tail in found["matched"]


def test_a_copy_names_its_sources_once():
    reply, raw = reply_of("carry"), raw_of("carry")
    number = next(n for n, s in enumerate(raw.steps) if any(at < 0 for at, _ in s["copied"]))
    assert "an edit made again" in told(reply, reply.log[number])["copied from"]
    inside = next(s for s in raw.steps if s["draft"] and s["copied"][0][0] == 17)
    assert told(reply, reply.log[inside["index"]])["copied from"] == "your message"


def test_expectations_in_plain_steps():
    reply = started_reply()
    grow(reply, 2)
    choice = LengthChoice(12, 5, 0.62, 3.1, 1.6)
    found = told(reply, replace(reply.log[1], choice=choice, drafter="suffix"))
    assert found["found · taken"] == "12 · 5"
    assert found["chance of the first"] == "62\u00a0%"
    assert found["expected"] == "3.10 tokens in 1.60 plain steps, 1.94×"


def test_traces_of_the_first_version_are_told_as_far_as_they_go():
    reply = reply_of("lookup")
    reply.started = replace(reply.started, prompt_text="", prompt_ends=(), messages=())
    reply.words.clear()
    record = replace(next(r for r in reply.log if r.draft), copied=(), drafter=None, cut=())
    found = told(reply, record)
    assert found["matched"] == "2 tokens"
    assert "copied from" not in found
    assert word(reply, 7) == "#7"
