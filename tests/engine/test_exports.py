"""What is exported is the trace: slices that never overlap, sums and rows that say the same."""

import csv
import io
import json
import stat
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine import (
    EXPORT_KINDS,
    Trace,
    TraceError,
    chrome_trace,
    csv_rows,
    export_trace,
    read_trace,
    write_export,
)
from engine.__main__ import main

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.jsonl"))
every_trace = pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
PHASES = {"draft": "draft", "verify": "verify", "roll back": "rollback", "emit": "emit"}


def slices(trace: Trace) -> list[dict[str, Any]]:
    return [event for event in chrome_trace(trace)["traceEvents"] if event["ph"] == "X"]


def ends(event: dict[str, Any]) -> tuple[int, int]:
    """Begin and end in whole nanoseconds, as a viewer reads them."""
    begin = round(event["ts"] * 1000)
    return begin, begin + round(event["dur"] * 1000)


def interface(trace: Trace) -> list[float]:
    times = [trace.started.prefill_seconds, *(step.time for step in trace.steps)]
    waits = []
    for step, earlier in zip(trace.steps, times, strict=False):
        phases = step.seconds
        own = phases.draft + phases.verify + phases.rollback + phases.emit
        waits.append(max(0.0, step.time - earlier - own))
    return waits


@every_trace
def test_slices_follow_one_another_and_none_overlap(path: Path) -> None:
    found = [ends(event) for event in slices(read_trace(path))]
    assert all(begin < end for begin, end in found)
    for (_, end), (begin, _) in pairwise(found):
        assert end == begin
    assert found[0][0] == 0


@every_trace
def test_each_track_adds_up_to_its_phase(path: Path) -> None:
    trace = read_trace(path)
    sums: dict[str, float] = {}
    for event in slices(trace):
        sums[event["cat"]] = sums.get(event["cat"], 0.0) + event["dur"] / 1e6
    expected = {
        shown: sum(getattr(step.seconds, name) for step in trace.steps)
        for shown, name in PHASES.items()
    }
    expected |= {"prefill": trace.started.prefill_seconds, "interface": sum(interface(trace))}
    for name, seconds in expected.items():
        assert sums.get(name, 0.0) == pytest.approx(seconds, abs=1e-9 * (len(trace.steps) + 1))
    assert ends(slices(trace)[-1])[1] == pytest.approx(trace.steps[-1].time * 1e9, abs=1e3)


@every_trace
def test_tracks_are_named_and_slices_lie_on_theirs(path: Path) -> None:
    events = chrome_trace(read_trace(path))["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert list(names.values()) == ["prefill", "interface", "draft", "verify", "roll back", "emit"]
    assert all(names[e["tid"]] == e["cat"] for e in events if e["ph"] == "X")


@every_trace
def test_the_speed_is_that_of_the_last_second(path: Path) -> None:
    trace = read_trace(path)
    shown = [e for e in chrome_trace(trace)["traceEvents"] if e["ph"] == "C"]
    assert len(shown) == len(trace.steps) - 1
    times = [step.time for step in trace.steps]
    for number, event in enumerate(shown, start=1):
        first = next(n for n in range(number) if times[number] - times[n] <= 1.0 or n == number - 1)
        tokens = sum(len(step.emitted) for step in trace.steps[first + 1 : number + 1])
        speed = tokens / (times[number] - times[first])
        assert event["args"]["tok/s"] == pytest.approx(speed)


def test_a_pause_is_a_mark_with_its_reason() -> None:
    trace = read_trace(next(path for path in TRACES if path.stem == "paused"))
    marks = [e for e in chrome_trace(trace)["traceEvents"] if e["ph"] == "i"]
    number, aside = trace.asides[0]
    assert [mark["name"] for mark in marks] == ["speculation paused"]
    assert marks[0]["args"] == {"reason": aside.reason}
    assert marks[0]["ts"] == pytest.approx(trace.steps[number - 1].time * 1e6, abs=1)


@every_trace
def test_rows_read_back_as_the_steps(path: Path) -> None:
    trace, out = read_trace(path), io.StringIO()
    write_export(trace, "csv", out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert len(rows) == len(trace.steps)
    words = dict(trace.started.words)
    for row, step, wait in zip(rows, trace.steps, interface(trace), strict=True):
        words.update(step.words)
        assert int(row["index"]) == step.index
        assert float(row["time"]) == step.time
        assert [int(row[name]) for name in ("position", "accepted", "dropped", "rerun")] == [
            step.position,
            step.accepted,
            step.dropped,
            step.num_replayed,
        ]
        assert int(row["drafted"]) == len(step.draft) + step.excluded
        assert row["rollback"] == (step.rollback or "")
        for name in PHASES.values():
            assert float(row[f"{name}_seconds"]) == getattr(step.seconds, name)
        assert float(row["interface_seconds"]) == wait
        assert json.loads(row["emitted"]) == list(step.emitted)
        assert json.loads(row["draft"]) == list(step.draft)
        assert json.loads(row["origins"]) == list(step.origins)
        assert json.loads(row["emitted_texts"]) == [words[token] for token in step.emitted]
        assert json.loads(row["text"]) == "".join(span.text for span in step.spans)
        assert sum(int(row[f"num_{origin}"]) for origin in set(step.origins)) == len(step.emitted)


@every_trace
def test_totals_of_the_table_are_the_statistics(path: Path) -> None:
    trace = read_trace(path)
    assert trace.finished is not None
    head, *rows = csv_rows(trace)
    stats = trace.finished.stats
    for column, total in (
        ("num_emitted", stats.emitted),
        ("drafted", stats.drafted),
        ("verified", stats.verified),
        ("accepted", stats.accepted),
        ("excluded", stats.excluded),
        ("forwards", stats.forwards),
        ("num_replayed", stats.replayed),
        ("num_corrected", stats.corrected),
        ("num_bonus", stats.bonus),
        ("num_generated", stats.generated),
    ):
        assert sum(row[head.index(column)] for row in rows) == total  # type: ignore[misc]


@pytest.mark.parametrize("kind", EXPORT_KINDS)
def test_the_command_writes_what_the_library_does(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = str(TRACES[0]), tmp_path / "out"
    assert main(["export", source, f"--{kind}", str(target)]) == 0
    assert "exported to" in capsys.readouterr().err
    assert main(["export", source, f"--{kind}"]) == 0
    printed = capsys.readouterr().out
    assert printed == target.read_text(encoding="utf-8")
    assert main(["export", f"--{kind}", "-", source]) == 0
    assert capsys.readouterr().out == printed
    if kind == "chrome":
        assert json.loads(printed) == chrome_trace(read_trace(source))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("export",), "TRACE"),
        (("export", "x.jsonl"), "--chrome --csv"),
        (("export", "/no/such.jsonl", "--csv"), "cannot be read"),
        (("export", str(Path(__file__)), "--csv"), "is not a trace"),
        (("export", str(TRACES[0]), "--csv", "/no/such/out.csv"), "export cannot be written"),
        (("export", str(TRACES[0]), "--csv", "a", "--chrome", "b"), "not allowed with"),
    ],
)
def test_what_cannot_be_exported_is_one_line(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert words in printed.err


def test_a_damaged_trace_is_exported_as_far_as_it_goes_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(TRACES[0].read_bytes()[:-3000])
    assert main(["export", str(path), "--csv"]) == 0
    printed = capsys.readouterr()
    assert "ends before its run does" in printed.err
    assert len(printed.out.splitlines()) == len(read_trace(path).steps) + 1


@pytest.mark.parametrize("kind", EXPORT_KINDS)
def test_a_file_is_there_whole_or_not_at_all(kind: Any, tmp_path: Path) -> None:
    trace = read_trace(TRACES[0])
    export_trace(trace, kind, tmp_path / "out")
    assert not stat.S_IMODE((tmp_path / "out").stat().st_mode) & stat.S_IXUSR
    with pytest.raises(TraceError, match=r"^The export cannot be written to .* .it is a folder"):
        export_trace(trace, kind, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
