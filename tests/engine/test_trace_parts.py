"""A trace in memory: its lines are those of the file, in parts too, and read back the same."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Event,
    Failed,
    Notice,
    PrefillProgress,
    SpeculationChanged,
    TraceError,
    TraceWriter,
    parse_trace,
    read_trace,
    replay_trace,
    trace_lines,
)

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.jsonl"))
NO_PART: tuple[Event, ...] = (PrefillProgress(1, 2, 3), Failed(1, "no"))


def recorded(path: Path) -> list[Event]:
    """Everything a reply says, what is no part of its trace included."""
    events = list(replay_trace(read_trace(path)))
    job = events[0].job
    asides = [Notice(job, "mended"), PrefillProgress(job, 0, 4), Notice(job, "again")]
    middle = [SpeculationChanged(job, False, "slow"), Notice(job, "on the way")]
    return [*asides, *events[:2], *middle, *events[2:]]


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_the_lines_are_those_of_the_file_and_read_back_equal(path: Path, tmp_path: Path) -> None:
    events, copy = recorded(path), tmp_path / "run.jsonl"
    with TraceWriter(copy) as writer:
        for event in events:
            writer.write(event)
    lines = trace_lines(events)
    assert lines == copy.read_bytes()
    assert parse_trace(lines) == read_trace(copy)
    assert [aside.sentence for _, aside in parse_trace(lines).asides[:2]] == ["mended", "again"]
    assert parse_trace(path.read_bytes()) == read_trace(path)


@given(st.sampled_from(TRACES), st.lists(st.integers(4, 60), max_size=4), st.data())
def test_parts_join_to_the_whole_and_may_be_cut_anywhere(
    path: Path, cuts: list[int], data: st.DataObject
) -> None:
    events = recorded(path)
    places = [0, *sorted(cuts), len(events)]
    parts = [trace_lines(events[a:b]) for a, b in pairwise(places) if a <= b]
    whole = trace_lines(events)
    assert b"".join(parts) == whole
    assert parse_trace(parts) == parse_trace(whole)
    cut = data.draw(st.integers(0, len(whole)))
    assert parse_trace(iter((whole[:cut], whole[cut:]))) == parse_trace(whole)


def test_what_is_no_part_of_a_trace_gives_nothing() -> None:
    assert trace_lines(NO_PART) == b""
    assert trace_lines(()) == b""
    notice = json.loads(trace_lines((*NO_PART, Notice(1, "alone"))))
    assert notice == {"type": "notice", "sentence": "alone"}


def test_what_was_cut_short_reads_as_far_as_it_is_sound() -> None:
    events = list(replay_trace(read_trace(TRACES[0])))
    trace = parse_trace(trace_lines(events[:3])[:-5])
    assert len(trace.steps) == 1
    assert trace.finished is None
    assert trace.warning is not None


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is not a trace: it is empty"),
        ((), "is not a trace: it is empty"),
        (b"hello\n", "is not a trace: its first line"),
        (b'{"type": "start", "version": 9}\n', "was written by a newer version"),
    ],
)
def test_what_is_no_trace_is_refused_in_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(TraceError, match=f"^What was kept of this run {sentence}"):
        parse_trace(data)


def test_a_continued_run_says_so_and_an_ordinary_one_as_before() -> None:
    started, *rest = replay_trace(read_trace(TRACES[0]))
    assert type(started).__name__ == "Started"
    config = replace(started.config, thinking=True)
    going_on = replace(
        started, reply_length=3, reply_text="a \ud83d", opens_thinking=True, config=config
    )
    lines = trace_lines((going_on, *rest))
    assert parse_trace(lines).started == going_on
    assert parse_trace(lines).warning is None
    head = json.loads(lines.splitlines()[0])
    assert (head["version"], head["reply_length"]) == (2, 3)
    usual = json.loads(trace_lines((started,)))
    names = {"reply_length", "reply_text", "opens_thinking"}
    assert not names & usual.keys()
    assert "thinking" not in usual["config"]
    assert parse_trace(trace_lines((started,))).started.reply_length == 0


@pytest.mark.parametrize("length", [-1, "all"])
def test_more_of_a_reply_than_there_is_is_damage(length: int | str) -> None:
    started = read_trace(TRACES[0]).started
    number = len(started.prompt_ids) if length == "all" else -1
    with pytest.raises(TraceError, match="is not a trace"):
        parse_trace(trace_lines((replace(started, reply_length=number),)))
