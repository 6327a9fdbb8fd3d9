"""Durations, shares and the sentences made of them, computed again from every trace."""

import re

import pytest

from app.models.branching import branched
from app.models.phases import duration, previous_time, shares, spans
from app.models.summary import badge_of
from app.models.verdicts import did_replay_pay, pacing_lines, share, what_limits
from app.models.worth import did_drafting_pay
from engine import Failed, Finished, SpeculationChanged, Stepped
from tests.app.inspector.long_replies import grow, started_reply
from tests.app.inspector.traced import NAMES, raw_of, reply_of
from tests.fakes.scripted_worker import steps_of, tokens_of

PHASES = ("interface", "draft", "verify", "rollback", "emit")


@pytest.mark.parametrize("name", NAMES)
def test_the_phases_of_a_step_fill_its_time(name):
    reply = reply_of(name)
    for record, (step, span) in zip(reply.log, raw_of(name).times, strict=True):
        found = spans(record, previous_time(reply, record.index))
        assert tuple(part.name for part in found) == PHASES
        own = step["seconds"]
        for part in found[1:]:
            assert part.seconds == own[part.name]
        assert found[0].seconds == pytest.approx(max(0.0, span - sum(own.values())), abs=1e-12)
        assert found[-1].start + found[-1].seconds == pytest.approx(max(span, sum(own.values())))
        assert found[3].strategy == step["rollback"]


@pytest.mark.parametrize("name", NAMES)
def test_what_limits_the_speed_is_the_traces_own_sum(name):
    run, raw = reply_of(name).run, raw_of(name)
    seconds = {phase: raw.phase(phase) for phase in PHASES}
    total = sum(seconds.values())
    assert shares(run.phase_seconds) == pytest.approx({p: s / total for p, s in seconds.items()})
    sentence = what_limits(run)
    assert sentence.startswith(
        f"Verifying takes {seconds['verify'] / total * 100:.1f}\u00a0% of the time"
    )
    interface = seconds["interface"] / total
    assert f"the interface {share(interface)}" in sentence


@pytest.mark.parametrize("name", NAMES)
def test_whether_drafting_paid_is_computed_from_the_trace(name):
    reply, raw = reply_of(name), raw_of(name)
    spans = [max(span, sum(s["seconds"].values())) for s, span in raw.times if s["draft"]]
    tokens = [len(step["emitted"]) for step in raw.with_draft]
    sentence = did_drafting_pay(reply.run)
    if not spans:
        assert sentence == ""
        return
    plain, number = reply.run.plain_seconds, len(spans)
    numbers = [float(each) for each in re.findall(r"\d+(?:\.\d+)?", sentence)]
    wanted = [sum(spans) / number * 1000, sum(tokens) / number, plain * 1000]
    for told, exact, error in zip(numbers, wanted, (0.51, 0.051, 0.51), strict=True):
        assert told == pytest.approx(exact, abs=error)
    gain = sum(tokens) * plain / sum(spans)
    verdict = "paid" if gain > 1 else "did not pay"
    if not 0.95 <= gain <= 1 / 0.95:
        assert sentence.endswith(f"so drafting {verdict}.")
    assert badge_of(reply, is_wanted=True).why.startswith(sentence) or not reply.speculation[0]


def test_a_badge_compares_with_plain_decoding_where_a_draft_was_made():
    reply = started_reply()
    for record in steps_of(tokens_of("word " * 30), plain=True):
        reply.apply(Stepped(1, record))
    assert reply.run.plain_speed is not None
    assert badge_of(reply, is_wanted=True).words == "Speculation on"
    assert badge_of(reply, is_wanted=True).tone == "good"
    grown = started_reply()
    grow(grown, 9)
    assert grown.run.num_with_draft
    assert re.fullmatch(r"Speculation on · .*× plain", badge_of(grown, is_wanted=True).words)


def test_a_draft_against_plain_decoding_in_words():
    run = reply_of("local").run
    run.num_with_draft, run.emitted_with_draft, run.plain_seconds = 10, 55, 0.0496
    for seconds, words in ((3.87, "did not pay"), (2.7, "made little difference"), (1.2, "paid")):
        run.seconds_with_draft = seconds
        took = f"{seconds * 100:.0f}\u00a0ms"
        assert did_drafting_pay(run) == (
            f"A step with a draft took {took} for 5.5 tokens on average; plain decoding takes "
            f"50\u00a0ms a token, so drafting {words}."
        )
    run.plain_seconds = None
    assert did_drafting_pay(run) == ""


@pytest.mark.parametrize("name", NAMES)
def test_replay_is_judged_by_the_traces_numbers(name):
    reply, raw = reply_of(name), raw_of(name)
    sentence = did_replay_pay(reply.run, reply.statistics, reply.config).replace("\u00a0", " ")
    rebuilt = [
        s for s in raw.steps if s["accepted"] and s["rollback"] in ("local", "carry", "replay")
    ]
    kept = sum(step["accepted"] for step in rebuilt)
    if raw.start["config"]["rollback"] is None:
        assert sentence == "Nothing was drafted, so nothing had to be replayed."
    elif raw.start["config"]["rollback"] == "discard":
        assert re.findall(r"\d+", sentence) == [str(raw.total("dropped"))]
    elif not rebuilt:
        assert sentence.startswith("No draft was accepted in part")
    else:
        numbers = [int(n) for n in re.findall(r"(?<![.\d])(\d+)(?![.\d]| %)", sentence)]
        extra = [len(rebuilt)] if raw.start["config"]["rollback"] == "replay" else []
        assert numbers == [len(rebuilt), kept, kept, *extra]
        total = sum(raw.phase(phase) for phase in PHASES)
        assert share(raw.phase("rollback") / total).replace("\u00a0", " ") in sentence


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_on_replay_names_both_times_that_it_weighs(name):
    reply, raw = reply_of(name), raw_of(name)
    sentence = did_replay_pay(reply.run, reply.statistics, reply.config)
    kept = raw.num_origin("replayed")
    if not kept:
        assert "replay paid" not in sentence
        assert "replay did not pay" not in sentence
        return
    saved, spent = kept * reply.run.plain_seconds, raw.phase("rollback")
    assert f"({duration(saved)} of plain decoding)" in sentence
    assert f"all rolling back took {duration(spent)} (" in sentence
    verdict = "Yes, replay paid." if saved > spent else "No, replay did not pay."
    assert sentence.startswith(verdict) or 0.95 <= saved / spent <= 1 / 0.95


def test_replay_in_words():
    reply = reply_of("replay-partial")
    run = reply.run
    kept, tail = run.origins["replayed"], "; all rolling back took 781.3 ms ("
    run.phase_seconds["rollback"] = 0.7813
    for seconds, words in (
        (0.6, "No, replay did not pay"),
        (0.79, "Replay made little difference"),
    ):
        run.plain_seconds = seconds / kept
        sentence = did_replay_pay(run, reply.statistics, reply.config)
        assert sentence.startswith(f"{words}. Rebuilding 8 partial accepts kept {kept} tokens, ")
        assert f"{kept} forwards ({seconds * 1000:.1f} ms of plain decoding) and cost 8" in sentence
        assert tail in sentence
    run.plain_seconds = None
    sentence = did_replay_pay(run, reply.statistics, reply.config)
    assert sentence.startswith("Rebuilding 8 ")
    assert f"saved up to {kept} forwards and cost 8{tail}" in sentence


def test_replay_cost_forwards_that_the_trace_counts():
    raw = raw_of("replay")
    reply = reply_of("replay")
    extra = raw.total("forwards") - len(raw.steps)
    assert f"cost {extra};" in did_replay_pay(reply.run, reply.statistics, reply.config)


def test_nothing_is_claimed_of_a_reply_that_has_no_steps():
    reply = started_reply()
    assert what_limits(reply.run) == "Nothing has been measured yet."
    assert "nothing had to be rebuilt" in did_replay_pay(reply.run, reply.statistics, reply.config)


def test_pacing_is_listed_where_it_changed():
    reply, raw = reply_of("paused"), raw_of("paused")
    at, aside = raw.asides[0]
    first, second = pacing_lines(reply.run, raw.steps[-1]["time"])
    changed, end = raw.steps[at - 1]["time"], raw.steps[-1]["time"]
    assert first.startswith(f"{raw.start['prefill_seconds']:.1f} s to {changed:.1f} s: drafting, ")
    assert second == f"{changed:.1f} s to {end:.1f} s: standing down, {aside['reason']}."
    assert pacing_lines(reply.run)[-1].startswith(f"{changed:.1f} s to now: standing down")
    assert pacing_lines(reply_of("local").run) == []


def ended(reply, *events):
    """The reply with a few more events at its end."""
    for event in events:
        reply.apply(event)
    return reply


def endings(reply):
    finished = Finished(1, "eos", reply.statistics, reply_of("off").finished.health)
    return (finished, Failed(1, "It broke off."))


@pytest.mark.parametrize("number", [0, 1])
def test_what_is_decided_behind_the_last_step_never_came_to_be(number):
    paused, again = SpeculationChanged(1, False, "it lost time"), SpeculationChanged(1, True, "on")
    for changes in ((paused,), (paused, again)):
        reply = started_reply()
        grow(reply, 9)
        usual = ended(branched(reply), endings(reply)[number])
        assert ended(branched(reply), *changes).run.bands != usual.run.bands
        over = ended(branched(reply), *changes, endings(reply)[number])
        assert over.speculation == usual.speculation
        assert over.speculation[0]
        assert over.run.bands == usual.run.bands
        assert badge_of(over, is_wanted=True) == badge_of(usual, is_wanted=True)
        assert pacing_lines(over.run, 1.0) == []
        # The trace keeps what was said.
        assert [aside for _, aside in over.asides] == list(changes)


def test_what_a_step_followed_stays():
    reply = started_reply()
    grow(reply, 5)
    ended(reply, SpeculationChanged(1, False, "it lost time"))
    grow(reply, 1)
    ended(reply, SpeculationChanged(1, True, "on"), endings(reply)[0])
    assert reply.speculation == (False, "it lost time")
    assert [(band.first, band.end) for band in reply.run.bands] == [(0, 5), (5, None)]
    assert reply.run.bands[-1].until is None


def test_many_changes_are_listed_as_the_last_few():
    run = started_reply().run
    for number in range(6):
        run.add(reply_of("off").log[number])
        run.change(number % 2 == 1, f"reason {number}")
    found = pacing_lines(run)
    assert len(found) == 5
    assert found[0] == "And 3 stretches before."
    assert found[-1].endswith("reason 5.")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.00003, "0.03 ms"),
        (0.0412, "41.2 ms"),
        (0.00241, "2.41 ms"),
        (1.25, "1.25 s"),
        (0, "0.00 ms"),
    ],
)
def test_durations_read_well(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0001, "<0.1\u00a0%"), (0.0, "0.0\u00a0%"), (0.9634, "96.3\u00a0%")],
)
def test_a_small_share_is_not_a_nought(value, words):
    assert share(value) == words
