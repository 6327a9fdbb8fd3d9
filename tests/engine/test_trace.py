"""A trace reads back exactly; a damaged one as far as it is sound, and says so."""

import json
import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Finished,
    Notice,
    SpeculationChanged,
    Started,
    Stepped,
    StepRecord,
    Tally,
    Trace,
    TraceError,
    TraceWriter,
    read_trace,
    replay_trace,
    write_trace,
)
from tests.fakes import records

Run = tuple[Started, Sequence[StepRecord], Finished]
CONFIG = records.CONFIG
TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.jsonl"))


def consistent(run: Run) -> Run:
    """The run with places that lie in its text, and as many details as tokens."""
    started, steps, finished = run
    length, told = len(started.prompt_ids), []
    for step in steps:
        count = len(step.emitted)
        first = length - len(started.prompt_ids)
        spans = tuple(
            replace(span, first=first + number, num_tokens=1)
            for number, span in enumerate(step.spans[:count])
        )
        logprobs = None if step.logprobs is None else (-math.inf,) * count
        alternatives = None if step.alternatives is None else (((7, -0.5), (8, -2.0)),) * count
        match = None if step.match is None else (0, min(step.match[1], length))
        changed = replace(step, position=length, spans=spans, match=match, logprobs=logprobs)
        told.append(replace(changed, alternatives=alternatives))
        length += count
    return started, tuple(told), replace(finished, tail=())


def runs() -> st.SearchStrategy[Run]:
    return records.runs().map(consistent)


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
    line = {"type": "step", "index": index, "position": 2 + index, "pending": [2], "draft": []}
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
        step_line(1, seconds={"draft": 0, "verify": "inf", "rollback": 0}),
        step_line(1, seconds={"draft": -1, "verify": 0, "rollback": 0}),
        step_line(1, time="nan"),
        step_line(1, time=0.5),
        step_line(1, position=-1),
        step_line(1, excluded=-1),
        step_line(1, excluded=70_000),
        step_line(1, excluded=1, cut=[5, 6]),
        step_line(1, forwards=10**19),
        step_line(1, forwards=10**30),
        step_line(1, draft=[1], accepted=1),
        step_line(1, accepted=1),
        step_line(1, match=[1, 9]),
        step_line(1, copied=[[0, 2]]),
        step_line(1, copied=[[-2, 1]]),
        step_line(1, logprobs=[]),
        step_line(1, logprobs=[700.0]),
        step_line(1, logprobs=["nan"]),
        step_line(1, margins=["nan"]),
        step_line(1, alternatives=[[[4, "inf"]]]),
        step_line(1, spans=[{"first": 2, "num_tokens": 1, "text": "x"}]),
        step_line(1, spans=[{"first": -1, "num_tokens": 1, "text": "x"}]),
        step_line(1, rollback="undo"),
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
    lines = [start_line(version=3, mood="good"), {"type": "weather"}, step_line(0, colour="red")]
    trace = read_lines_of(lines)
    assert trace.steps == (step(0),)
    assert trace.warning is not None
    assert trace.version == 3
    assert "newer version (format 3; this one knows 2)" in trace.warning
    assert "a line of type 'weather', colour, mood" in trace.warning


def test_lines_after_the_end_are_ignored_and_said(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    started = read_lines_of([start_line()]).started
    tally = Tally(2, 0, 0.5)
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


def newer(*lines: Any, **changes: Any) -> Trace:
    return read_lines_of([start_line(version=9, **changes), *lines])


def finish_line(trace: Trace, **changes: Any) -> dict[str, Any]:
    tally = Tally(2, 0, 0.5)
    for record in trace.steps:
        tally.add(record)
    finished = Finished(3, "eos", tally.snapshot(), tally.health(CONFIG))
    return {"type": "finish"} | asdict(finished) | changes


def test_names_of_a_newer_version_are_stood_in_for_and_said() -> None:
    trace = newer(step_line(0, origins=["guessed"], rollback="undo", drafter="crystal ball"))
    assert trace.steps == (step(0),)
    assert trace.warning is not None
    for words in ("'guessed' (read as generated)", "'undo' (left out)", "'crystal ball'"):
        assert words in trace.warning


def test_a_newer_settings_name_is_stood_in_for() -> None:
    config = asdict(CONFIG) | {"drafter": "eagle", "rollback_requested": "undo", "rollback": "undo"}
    trace = newer(step_line(0), config=config)
    asked = trace.started.config
    assert (asked.drafter, asked.rollback, asked.rollback_requested) == ("auto", None, "auto")
    assert len(trace.steps) == 1


def test_a_newer_reason_to_stop_leaves_the_end_out() -> None:
    whole = newer(step_line(0))
    trace = newer(step_line(0), finish_line(whole, reason="bored"))
    assert (trace.steps, trace.finished) == (whole.steps, None)
    assert trace.warning is not None
    assert "How the run ended is not known" in trace.warning
    assert "ends before" not in trace.warning


def test_newer_messages_leave_the_text_of_the_prompt() -> None:
    trace = newer(messages=[{"role": "tool", "content": "5"}], prompt_text="ab", prompt_ends=[1, 2])
    assert (trace.started.messages, trace.started.prompt_text) == ((), "ab")
    assert "of a kind this version does not know" in str(trace.warning)


def test_a_newer_start_that_cannot_be_read_is_said_to_be_newer(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(start_line(version=9, prompt_ids="packed")))
    with pytest.raises(TraceError, match=r"newer version of Draftscope \(format 9\)"):
        read_trace(path)


def test_totals_that_are_not_those_of_the_steps_are_counted_again() -> None:
    whole = read_lines_of([start_line(), step_line(0)])
    wrong = finish_line(whole)
    wrong["stats"] = wrong["stats"] | {"emitted": 700}
    trace = read_lines_of([start_line(), step_line(0), wrong])
    assert trace.finished is not None
    assert trace.finished.stats.emitted == 1
    assert "counted again" in str(trace.warning)
    assert read_lines_of([start_line(), step_line(0), finish_line(whole)]).warning is None


def test_a_prompt_text_that_does_not_fit_is_left_out() -> None:
    for ends in ([1], [2, 1], [1, 3], [-1, 2]):
        trace = read_lines_of([start_line(prompt_text="ab", prompt_ends=ends), step_line(0)])
        assert (trace.started.prompt_text, trace.started.prompt_ends) == ("", ())
        assert "was left out" in str(trace.warning)
    assert len(read_lines_of([start_line(prompt_text="ab", prompt_ends=[1, 2])]).steps) == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"prompt_ids": []},
        {"reused": 3},
        {"prefill_seconds": "inf"},
        {"plain_seconds": -1.0},
        {"messages": [{"role": "tool", "content": ""}]},
        {"seed": 1.5},
    ],
)
def test_a_start_that_does_not_add_up_is_no_trace(changes: dict[str, Any]) -> None:
    with pytest.raises(TraceError, match="is not a trace"):
        read_lines_of([start_line(**changes)])


def test_what_is_said_between_steps_stays_in_its_place(tmp_path: Path) -> None:
    started = read_lines_of([start_line()]).started
    said = (Notice(3, "hello"), SpeculationChanged(3, False, "slow"), Notice(3, "bye"))
    path = tmp_path / "run.jsonl"
    with TraceWriter(path) as writer:
        for event in (said[0], started, Stepped(3, step(0)), said[1], said[2]):
            writer.write(event)
    trace = read_trace(path)
    assert trace.asides == ((0, said[0]), (1, said[1]), (1, said[2]))
    assert list(replay_trace(trace)) == [started, said[0], Stepped(3, step(0)), said[1], said[2]]


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_recorded_run_written_from_memory_is_the_same_file(path: Path, tmp_path: Path) -> None:
    trace, copy = read_trace(path), tmp_path / "copy.jsonl"
    assert trace.warning is None
    write_trace(copy, trace.started, trace.steps, trace.finished, trace.asides)
    assert copy.read_bytes() == path.read_bytes()


def test_a_run_of_the_first_format_reads_without_what_came_since() -> None:
    head, *rest = [json.loads(line) for line in TRACES[0].read_text().splitlines()]
    for name in ("messages", "prompt_text", "prompt_ends", "words", "plain_seconds"):
        del head[name]
    for line in rest[:-1]:
        for name in ("margins", "choice", "cut", "copied", "words", "drafter"):
            line.pop(name, None)
        del line["seconds"]["emit"]
    trace = read_lines_of([head | {"version": 1}, *rest])
    assert (trace.version, trace.warning) == (1, None)
    assert trace.finished == read_trace(TRACES[0]).finished


def test_a_run_that_cannot_be_written_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path, trace = tmp_path / "run.jsonl", read_trace(TRACES[0])
    path.write_text("precious")
    path.chmod(0o600)
    broken = [trace.steps[0], replace(trace.steps[1], time=object())]  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        write_trace(path, trace.started, broken)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]
    write_trace(path, trace.started, trace.steps)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_trace(path).steps == trace.steps


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    trace = read_trace(TRACES[0])
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "run.jsonl")
    write_trace(tmp_path / "link.jsonl", trace.started, trace.steps)
    assert (tmp_path / "link.jsonl").is_symlink()
    assert read_trace(tmp_path / "run.jsonl").steps == trace.steps


@pytest.mark.parametrize("name", ["missing/run.jsonl", "", "a\0b"])
def test_a_place_a_run_cannot_go_is_one_sentence(tmp_path: Path, name: str) -> None:
    trace = read_trace(TRACES[0])
    with pytest.raises(TraceError, match=r"^The trace cannot be written to .*; choose another"):
        write_trace(f"{tmp_path}/{name}", trace.started, trace.steps)


def test_a_folder_and_a_pipe_are_refused_in_one_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, words in ((tmp_path, "it is a folder"), (tmp_path / "pipe", "not a regular file")):
        with pytest.raises(TraceError, match=words):
            read_trace(path)
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(tmp_path / "a\0b")


def test_a_line_longer_than_any_is_not_taken_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.trace_reader.MAX_LINE_BYTES", 5_000)
    lines = [start_line(), step_line(0), step_line(1, note="x" * 9_000)]
    trace = read_lines_of(lines)
    assert len(trace.steps) == 1
    assert "Line 3" in str(trace.warning)
    (tmp_path / "one.jsonl").write_bytes(b"{" * 9_000)
    with pytest.raises(TraceError, match="is not a trace"):
        read_trace(tmp_path / "one.jsonl")


def test_marks_and_line_ends_of_other_systems_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + TRACES[0].read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    assert read_trace(path) == read_trace(TRACES[0])


def test_unknown_parts_are_named_on_one_short_line() -> None:
    parts = {f"part {number}\n{'x' * 500}": number for number in range(50)}
    warning = read_lines_of([start_line(), step_line(0, **parts)]).warning
    assert warning is not None
    assert "and 42 more" in warning
    assert len(warning) < 800
    assert warning.isprintable()


def test_progress_is_told_and_may_end_the_reading() -> None:
    shares: list[float] = []
    longest = max(TRACES, key=lambda path: path.stat().st_size)
    read_trace(longest, shares.append)
    assert shares == sorted(shares)
    assert shares
    assert 0 < shares[0] <= 1

    def stop(_: float) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        read_trace(longest, stop)


SOUND = min(TRACES, key=lambda path: path.stat().st_size).read_bytes()


def damaged(content: bytes, at: int, how: str, number: int) -> bytes:
    """The content with one thing done to it."""
    before, after = content[:at], content[at + 1 :]
    match how:
        case "flip":
            return before + bytes([content[at] ^ (1 << number % 8)]) + after
        case "cut":
            return before
        case "drop":
            return before + content[at + number :]
        case "put":
            return before + bytes([number]) * 3 + content[at:]
        case _:
            return before + b'9-e\n",[}tn'[number % 10 :][:1] + after


places = st.integers(0, len(SOUND) // 2)
ways = st.sampled_from(["flip", "cut", "drop", "put", "swap"])


@settings(max_examples=2_000)
@given(st.lists(st.tuples(places, ways, st.integers(0, 255)), min_size=1, max_size=3))
def test_any_damage_reads_as_far_as_it_is_sound_or_is_one_sentence(
    tmp_path_factory: Any, damage: list[tuple[int, str, int]]
) -> None:
    content = SOUND
    for place, how, number in damage:
        # Twice the place, and an odd or an even one: the end is as likely as the beginning.
        at = 2 * place + number % 2
        content = damaged(content, at, how, number) if at < len(content) else content
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    path.write_bytes(content)
    try:
        trace = read_trace(path)
    except TraceError as error:
        sentence = error.sentence
        assert sentence.endswith(".")
        return
    if trace.finished is not None:
        assert trace.finished.stats == tallied(trace)
    elif content != SOUND:
        assert trace.warning is not None


def tallied(trace: Trace) -> Any:
    """The statistics of the steps, counted again."""
    started = trace.started
    tally = Tally(len(started.prompt_ids), started.reused, started.prefill_seconds)
    for record in trace.steps:
        tally.add(record)
    return tally.snapshot()
