"""A trace reads back exactly; a damaged one as far as it is sound, and says so."""

import json
import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from engine import (
    Finished,
    Notice,
    Started,
    Stepped,
    StepRecord,
    Tally,
    Trace,
    TraceError,
    TraceWriter,
    read_trace,
    replay_trace,
)
from tests.fakes.records import CONFIG, runs

Run = tuple[Started, Sequence[StepRecord], Finished]


def write(path: Path, run: Run) -> None:
    started, steps, finished = run
    with TraceWriter(path) as writer:
        for event in (started, *(Stepped(started.job, step) for step in steps), finished):
            writer.write(event)


def step(index: int) -> StepRecord:
    """A plain step, read from the line a foreign writer would write."""
    trace = read_lines_of([start_line(), step_line(index)])
    return trace.steps[0]


def start_line(**changes: Any) -> dict[str, Any]:
    line = {"type": "start", "version": 1, "job": 3, "model": "demo", "config": asdict(CONFIG)}
    line |= {"prompt_ids": [1, 2], "reused": 0, "seed": 0, "prefill_seconds": 0.5}
    return line | changes


def step_line(index: int, **changes: Any) -> dict[str, Any]:
    line = {"type": "step", "index": index, "position": 2, "pending": [2], "draft": []}
    line |= {"excluded": 0, "match": None, "accepted": 0, "dropped": 0, "emitted": [4]}
    line |= {"origins": ["generated"], "rollback": None, "num_replayed": 0, "forwards": 1}
    line |= {"guarded": 0, "seconds": {"draft": 0, "verify": 1.5, "rollback": 0.0}, "time": 1.0}
    return line | changes


def read_lines_of(lines: Sequence[Any], end: str = "\n") -> Trace:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        path.write_text("\n".join(texts) + end)
        return read_trace(path)


@given(runs())
def test_what_was_written_is_read_back_equal(tmp_path_factory: Any, run: Run) -> None:
    path = tmp_path_factory.getbasetemp() / "run.jsonl"
    write(path, run)
    assert read_trace(path) == Trace(run[0], tuple(run[1]), run[2], None)


@given(runs())
def test_statistics_recomputed_from_a_trace_are_the_live_ones(
    tmp_path_factory: Any, run: Run
) -> None:
    path = tmp_path_factory.getbasetemp() / "run.jsonl"
    write(path, run)
    trace = read_trace(path)
    tally = Tally(
        len(trace.started.prompt_ids), trace.started.reused, trace.started.prefill_seconds
    )
    for record in trace.steps:
        tally.add(record)
    assert trace.finished is not None
    assert tally.snapshot() == trace.finished.stats
    assert tally.health(trace.started.config) == trace.finished.health


@given(runs())
def test_a_replay_emits_the_same_events(tmp_path_factory: Any, run: Run) -> None:
    path = tmp_path_factory.getbasetemp() / "run.jsonl"
    write(path, run)
    started, steps, finished = run
    expected = [started, *(Stepped(started.job, step) for step in steps), finished]
    assert list(replay_trace(read_trace(path))) == expected


@given(runs())
def test_every_line_is_strict_json_on_one_line(tmp_path_factory: Any, run: Run) -> None:
    path = tmp_path_factory.getbasetemp() / "run.jsonl"
    write(path, run)
    lines = path.read_text(encoding="ascii").splitlines()
    assert len(lines) == len(run[1]) + 2
    for line in lines:
        json.loads(line, parse_constant=pytest.fail)


@given(runs())
def test_cut_anywhere_after_its_first_line_it_reads_as_far_as_it_is_sound(
    tmp_path_factory: Any, run: Run
) -> None:
    path = tmp_path_factory.getbasetemp() / "run.jsonl"
    write(path, run)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole) - 1, 97):
        path.write_bytes(whole[:cut])
        trace = read_trace(path)
        assert trace.started == run[0]
        assert trace.steps == tuple(run[1][: len(trace.steps)])
        assert trace.finished is None
        assert trace.warning is not None


def test_each_line_is_on_disk_before_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    writer = TraceWriter(path)
    writer.write(read_lines_of([start_line()]).started)
    assert read_trace(path).steps == ()
    writer.write(Stepped(3, step(0)))
    assert read_trace(path).steps == (step(0),)
    writer.close()


def test_events_that_are_no_part_of_a_trace_leave_no_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with TraceWriter(path) as writer:
        writer.write(Notice(1, "hello"))
    assert not path.exists()


def test_a_file_is_replaced_by_the_first_line_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("an older run, much longer than the new one\n" * 100)
    TraceWriter(path).close()
    assert path.read_text().startswith("an older run")
    with TraceWriter(path) as writer:
        writer.write(read_lines_of([start_line()]).started)
    assert len(path.read_text().splitlines()) == 1


@pytest.mark.parametrize("name", ["missing/run.jsonl", "", "a\0b"])
def test_a_path_that_cannot_be_written_is_refused_at_once_in_one_sentence(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(
        TraceError, match=r"^The trace cannot be written to .*; choose another file"
    ):
        TraceWriter(f"{tmp_path}/{name}")


def test_a_disk_that_fills_up_is_a_trace_error() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    writer = TraceWriter("/dev/full")
    with pytest.raises(TraceError, match="No space left"):
        writer.write(read_lines_of([start_line()]).started)
    with pytest.raises(TraceError):
        writer.close()


@pytest.mark.parametrize(
    "damage",
    [
        "{}",
        "[1]",
        "{",
        "\ufffd\0",
        "[" * 100_000,
        "9" * 5000,
        step_line(1, emitted=[1, 2]),
        step_line(1, accepted=True),
        step_line(1, origins=["guessed"]),
        step_line(1, match=[1]),
        step_line(1, seconds=None),
        step_line(2),
        {"type": "step", "index": 1},
        start_line(),
    ],
)
def test_reading_stops_at_a_damaged_line(damage: Any) -> None:
    if damage == "{}":
        damage = {"type": "finish"}
    trace = read_lines_of([start_line(), step_line(0), damage, step_line(1)])
    assert trace.steps == (step(0),)
    assert trace.warning is not None
    assert "Line 3 is damaged" in trace.warning


def test_settings_that_no_request_may_have_are_damage() -> None:
    config = start_line()["config"] | {"sampling": {"temperature": -1.0}}
    with pytest.raises(TraceError, match="is not a trace"):
        read_lines_of([start_line(config=config)])


def test_a_newer_version_and_unknown_parts_are_read_around_and_said() -> None:
    lines = [start_line(version=2, mood="good"), {"type": "weather"}, step_line(0, colour="red")]
    trace = read_lines_of(lines)
    assert trace.steps == (step(0),)
    assert trace.warning is not None
    assert "newer version (format 2; this one knows 1)" in trace.warning
    assert "a line of type 'weather', colour, mood" in trace.warning


def test_lines_after_the_end_are_ignored_and_said(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    started = read_lines_of([start_line()]).started
    tally = Tally(2)
    write(path, (started, (), Finished(3, "eos", tally.snapshot(), tally.health(CONFIG))))
    with path.open("a") as file:
        file.write(json.dumps(step_line(0)) + "\n")
    assert read_trace(path).warning == "Lines after the end of the run were ignored (line 3)."


@pytest.mark.parametrize("text", ["", "hello\n", "\0", "{}\n", '{"type": "start"}\n'])
def test_what_is_not_a_trace_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(TraceError, match="is not a trace"):
        read_trace(path)


def test_a_trace_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(tmp_path / "none.jsonl")


def test_an_impossible_token_keeps_its_infinite_log_probability() -> None:
    trace = read_lines_of([start_line(), step_line(0, logprobs=["-inf"])])
    assert trace.steps[0].logprobs == (-math.inf,)


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TraceError, match="would wait for a reader"):
        TraceWriter(tmp_path / "pipe")
