"""A played trace is the reply it was: at every place, at every speed, forwards and back."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.models import playback as module
from app.models.branching import branched
from app.models.playback import Playback
from app.models.reply import Reply
from engine import Notice, SpeculationChanged, Stepped, read_trace, replay_trace

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.jsonl"))
every_trace = pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)


def trace_named(name):
    return read_trace(next(path for path in TRACES if path.stem == name))


def told_until(trace, steps):
    """A reply fed with the events up to a step and what follows it, by the test's own count."""
    reply, num_steps = Reply(), 0
    for event in replay_trace(trace):
        num_steps += isinstance(event, Stepped)
        if num_steps > steps:
            break
        reply.apply(event)
    return reply


def looks(reply):
    """Everything a view may read, as plain values."""
    run = reply.run
    return (
        reply.phase,
        reply.pieces,
        reply.words,
        list(reply.log),
        [reply.log.column(number) for number in range(len(reply.log))],
        reply.statistics,
        reply.speculation,
        reply.stop,
        run and (run.bands, run.speeds, run.origins, dict(run.phase_seconds), run.drafted_at),
    )


def settled(playback):
    while not playback.is_settled:
        playback.advance(0.0)
    return playback


@every_trace
def test_at_first_all_of_it_is_there(path, qapp):
    trace = read_trace(path)
    playback = settled(Playback(trace))
    assert looks(playback.reply) == looks(told_until(trace, len(trace.steps)))
    assert (playback.step, playback.num_steps) == (len(trace.steps), len(trace.steps))
    assert playback.time == playback.duration == trace.steps[-1].time
    assert playback.is_at_end
    assert not playback.is_playing


@every_trace
def test_at_every_step_it_is_the_reply_so_far_whichever_way_it_came(path, qapp, monkeypatch):
    monkeypatch.setattr(module, "_EVENTS_BETWEEN_COPIES", 7)
    trace = read_trace(path)
    playback = Playback(trace)
    numbers = range(len(trace.steps) + 1)
    for step in (*reversed(numbers), *numbers, *numbers[::-3], *numbers[::4]):
        playback.seek_step(step)
        settled(playback)
        assert playback.step == step
        assert looks(playback.reply) == looks(told_until(trace, step))
        expected = trace.steps[step - 1].time if step else trace.started.prefill_seconds
        assert playback.time == expected


def test_before_the_prompt_is_read_the_reply_waits(qapp):
    trace = trace_named("local")
    playback = Playback(trace)
    playback.seek_time(trace.started.prefill_seconds / 2)
    num_tokens = len(trace.started.prompt_ids)
    assert playback.reply.phase == "waiting"
    assert playback.reply.prefill == (0, num_tokens - 1)
    assert playback.step == 0
    playback.seek_time(trace.started.prefill_seconds)
    assert playback.reply.phase == "streaming"


def test_a_new_reply_is_handed_out_only_where_time_goes_back(qapp):
    playback = settled(Playback(trace_named("local")))
    made, grown = [], []
    playback.reply_changed.connect(made.append)
    playback.grown.connect(lambda: grown.append(len(playback.reply.log)))
    last = playback.reply
    playback.seek_step(3)
    assert made == [playback.reply]
    assert playback.reply is not last
    first = playback.reply
    playback.seek_step(5)
    assert made == [first]
    assert grown == [5]
    playback.seek_step(5)
    assert (made, grown) == ([first], [5])
    playback.seek_step(99)
    playback.seek_step(-99)
    assert playback.step == 0
    assert len(made) == 2
    assert len(last.log) == len(playback.trace.steps)


def test_a_step_back_never_goes_forward(qapp):
    trace = trace_named("local")
    playback = settled(Playback(trace))
    before = trace.started.prefill_seconds * 0.9
    for time in (before, trace.started.prefill_seconds, trace.steps[0].time, trace.steps[6].time):
        playback.seek_time(time)
        while playback.time:
            was = playback.time
            playback.move_step(-1)
            assert playback.time < was
        playback.move_step(-1)
        assert playback.time == 0.0
    playback.move_step(1)
    assert playback.step == 1


@pytest.mark.parametrize("speed", [0.1, 0.5, 1.0, 5.0])
def test_it_goes_by_the_clock_at_its_speed(speed, qapp):
    trace = trace_named("paused")
    playback = settled(Playback(trace))
    playback.set_speed(speed)
    playback.play()
    assert playback.time == 0.0
    clock = 0.0
    while not playback.is_at_end:
        playback.advance(0.07)
        settled(playback)
        clock += 0.07
        now = min(clock * speed, playback.duration)
        assert playback.time == pytest.approx(now)
        expected = sum(step.time <= playback.time for step in trace.steps)
        assert playback.step == len(playback.reply.log) == expected
    assert not playback.is_playing
    assert looks(playback.reply) == looks(told_until(trace, len(trace.steps)))
    playback.close()


def test_as_fast_as_possible_is_slice_by_slice(qapp, monkeypatch):
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)
    trace = trace_named("paused")
    playback = settled(Playback(trace))
    playback.set_speed(None)
    playback.play()
    settled(playback)
    seen = []
    while not playback.is_at_end:
        playback.advance(0.001)
        seen.append(playback.step)
        assert playback.step == len(playback.reply.log)
        assert playback.time <= playback.duration
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert looks(playback.reply) == looks(told_until(trace, len(trace.steps)))
    playback.close()


def test_pause_and_steps_by_hand(qapp):
    playback = settled(Playback(trace_named("local")))
    playback.toggle()
    assert playback.is_playing
    playback.advance(playback.step_times[5])
    playback.toggle()
    step = playback.step
    playback.advance(5.0)
    assert playback.step == step
    playback.play()
    playback.move_step(-2)
    assert (playback.step, playback.is_playing) == (step - 2, False)
    playback.move_step(1)
    assert playback.step == step - 1
    playback.close()


def test_the_timer_plays_it_and_rests_at_the_end(qtbot):
    playback = settled(Playback(trace_named("eos-in-block")))
    playback.seek_time(playback.duration - 0.05)
    with qtbot.waitSignal(playback.changed, timeout=5_000, check_params_cb=lambda: True):
        playback.play()
    qtbot.waitUntil(lambda: playback.is_at_end and not playback.is_playing, timeout=5_000)
    assert len(playback.reply.log) == 1
    assert not playback._timer.isActive()


def test_a_long_way_is_gone_in_slices_without_the_timer_left_running(qtbot, monkeypatch):
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)
    playback = Playback(trace_named("paused"))
    assert not playback.is_settled
    qtbot.waitUntil(lambda: playback.is_settled, timeout=5_000)
    playback.seek_step(40)
    assert playback.step == 40
    qtbot.waitUntil(lambda: playback.is_settled, timeout=5_000)
    assert len(playback.reply.log) == 40
    qtbot.waitUntil(lambda: not playback._timer.isActive(), timeout=5_000)


def test_going_back_the_reply_stays_until_the_new_one_has_got_there(qapp, monkeypatch):
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)
    playback = settled(Playback(trace_named("paused")))
    last, made, grown = playback.reply, [], []
    playback.reply_changed.connect(made.append)
    playback.grown.connect(lambda: grown.append(1))
    playback.seek_step(40)
    playback.seek_step(38)
    assert not playback.is_settled
    assert (playback.step, playback.reply) == (38, last)
    settled(playback)
    assert (made, grown) == ([playback.reply], [])
    assert looks(playback.reply) == looks(told_until(playback.trace, 38))
    playback.close()


def test_turning_round_on_the_way_back_shows_the_way_from_there(qapp, monkeypatch):
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)
    trace = trace_named("paused")
    playback = settled(Playback(trace))
    made, seen = [], []
    playback.reply_changed.connect(lambda reply: made.append(len(reply.log)))
    playback.grown.connect(lambda: seen.append(len(playback.reply.log)))
    playback.seek_step(20)
    playback.seek_step(len(trace.steps))
    settled(playback)
    assert len(made) == 1
    assert 20 <= made[0] < len(trace.steps)
    assert seen[-1] == len(trace.steps)
    assert looks(playback.reply) == looks(told_until(trace, len(trace.steps)))
    playback.close()


def test_what_was_said_comes_with_its_step(qapp):
    trace = trace_named("paused")
    number, pause = trace.asides[0]
    assert isinstance(pause, SpeculationChanged)
    playback = Playback(trace, ("Careful.",))
    playback.seek_step(number - 1)
    assert playback.reply.speculation[0] is True
    playback.seek_step(number)
    assert playback.reply.speculation == (False, pause.reason)
    playback.seek_time(trace.steps[number - 1].time)
    assert playback.reply.speculation == (False, pause.reason)
    assert playback.reply.notices == ["Careful."]
    playback.seek_step(0)
    assert playback.reply.notices == ["Careful."]


def test_a_trace_without_steps_or_end_plays(qapp):
    trace = trace_named("local")
    empty = Playback(replace(trace, steps=(), finished=None))
    assert (empty.step, empty.num_steps) == (0, 0)
    assert empty.reply.phase == "streaming"
    empty.seek_step(5)
    empty.seek_time(-1.0)
    assert empty.reply.phase == "waiting"
    cut = settled(Playback(replace(trace, finished=None)))
    assert cut.reply.phase == "streaming"
    assert len(cut.reply.log) == len(trace.steps)


def test_a_branch_grows_apart(qapp):
    trace = trace_named("local")
    reply = told_until(trace, 5)
    twin, before = branched(reply), looks(told_until(trace, 5))
    assert looks(twin) == before
    for step in trace.steps[5:]:
        reply.apply(Stepped(1, step))
    reply.apply(SpeculationChanged(1, False, "slow"))
    reply.apply(Notice(1, "Hello."))
    assert looks(twin) == before
    assert twin.notices == []
