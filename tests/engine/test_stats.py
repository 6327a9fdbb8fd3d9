"""The definitions of the statistics, on any run."""

import dataclasses

from hypothesis import given

from engine.events import Finished, Started
from engine.speculation.stats import Tally, is_replay_attempt
from engine.step_record import StepRecord
from tests.fakes.records import CONFIG, runs

Run = tuple[Started, tuple[StepRecord, ...], Finished]


@given(runs())
def test_every_emitted_token_has_one_origin_and_the_sums_agree(run: Run) -> None:
    _, steps, finished = run
    stats = finished.stats
    assert stats.emitted == stats.generated + stats.accepted + stats.corrected + stats.bonus
    assert stats.emitted == sum(len(step.emitted) for step in steps)
    assert stats.replayed <= stats.accepted
    assert stats.steps == len(steps)
    assert stats.forwards == sum(step.forwards for step in steps)


@given(runs())
def test_drafted_is_verified_and_excluded_and_acceptance_is_of_the_verified(run: Run) -> None:
    stats = run[2].stats
    assert stats.drafted == stats.verified + stats.excluded
    assert stats.accepted <= stats.verified
    if stats.verified:
        assert stats.acceptance == stats.accepted / stats.verified
    else:
        assert stats.acceptance is None


@given(runs())
def test_the_histogram_counts_steps_that_had_a_draft(run: Run) -> None:
    _, steps, finished = run
    histogram = finished.stats.histogram
    assert sum(histogram.values()) == sum(bool(step.draft) for step in steps)
    assert sum(length * count for length, count in histogram.items()) == finished.stats.accepted
    assert list(histogram) == sorted(histogram)


@given(runs())
def test_rates_leave_out_the_first_step_and_need_something_to_divide_by(run: Run) -> None:
    started, steps, finished = run
    stats = finished.stats
    span = steps[-1].time - steps[0].time if steps else 0.0
    later = stats.emitted - len(steps[0].emitted) if steps else 0
    assert stats.decode_tps == (later / span if span > 0 else None)
    assert stats.first_token_seconds == (steps[0].time if steps else None)
    processed = len(started.prompt_ids) - 1
    can_divide = processed > 0 and started.prefill_seconds > 0
    assert stats.prefill_tps == (processed / started.prefill_seconds if can_divide else None)


@given(runs())
def test_health_tells_the_same_as_the_statistics(run: Run) -> None:
    _, steps, finished = run
    replay, speculation = finished.health.pld_ssm_replay, finished.health.speculative_decoding
    attempts = [step for step in steps if is_replay_attempt(step)]
    assert (replay.attempts, replay.failures) == (len(attempts), 0)
    assert replay.emitted == sum(len(step.emitted) for step in attempts)
    assert speculation.tokens_emitted == finished.stats.emitted
    assert speculation.accept_histogram == finished.stats.histogram
    assert finished.health.config == CONFIG


def test_speculation_switched_off_is_not_reported_as_replaying() -> None:
    off = dataclasses.replace(CONFIG, enabled=False, rollback=None, reason="it is switched off")
    health = Tally(3).health(off)
    assert not health.pld_ssm_replay.enabled
    assert (health.speculative_decoding.enabled, health.speculative_decoding.reason) == (
        False,
        "it is switched off",
    )
