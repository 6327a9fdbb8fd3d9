"""The menu of traces: what it asks for, and the files that come of it."""

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from engine import read_trace

LOCAL = Path(__file__).parents[1] / "traces" / "local.jsonl"


def dialog_of(desk) -> QFileDialog:
    (dialog,) = (each for each in desk.window.findChildren(QFileDialog) if each.isVisible())
    return dialog


def choose(desk, action, path: Path) -> None:
    """Trigger the action and choose a file in the dialog that opens."""
    desk.do(action.trigger)
    dialog = dialog_of(desk)
    # Qt's own dialog is slow to list a folder; what comes of a choice is ours.
    desk.do(lambda: dialog.fileSelected.emit(str(path)))
    desk.do(dialog.reject)


def test_nothing_can_be_saved_before_there_is_a_reply(make_desk):
    desk = make_desk()
    menu = desk.window.header.traces
    assert menu.open.isEnabled()
    assert not menu.save.isEnabled()
    desk.ask()
    desk.settle()
    assert menu.save.isEnabled()


def test_a_trace_is_opened_from_the_menu(make_desk):
    desk = make_desk()
    choose(desk, desk.window.header.traces.open, LOCAL)
    desk.wait(desk.until(lambda: desk.chats.current.is_read_only))
    assert desk.chats.current.last_reply.text == "".join(
        span.text for step in read_trace(LOCAL).steps for span in step.spans
    )


@pytest.mark.parametrize("kind", ["save", "chrome", "csv"])
def test_the_shown_reply_is_saved_in_every_form(make_desk, tmp_path, kind):
    desk = make_desk()
    choose(desk, desk.window.header.traces.open, LOCAL)
    desk.wait(desk.until(lambda: desk.chats.current.is_read_only))
    menu = desk.window.header.traces
    suffix = {"save": ".jsonl", "chrome": ".json", "csv": ".csv"}[kind]
    path = tmp_path / f"out{suffix}"
    choose(desk, getattr(menu, kind), path)
    desk.wait(desk.until(lambda: desk.window.middle.saying.sentence.startswith("Saved")))
    trace = read_trace(LOCAL)
    if kind == "save":
        assert read_trace(path).steps == trace.steps
    elif kind == "chrome":
        events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
        assert sum(each.get("cat") == "verify" for each in events) == len(trace.steps)
    else:
        with path.open(newline="", encoding="utf-8") as file:
            assert len(list(csv.DictReader(file))) == len(trace.steps)


def test_a_file_that_cannot_be_opened_is_said_where_one_looks(make_desk, tmp_path):
    desk = make_desk()
    path = tmp_path / "no.jsonl"
    path.write_text("hello")
    choose(desk, desk.window.header.traces.open, path)
    said = desk.window.middle.saying
    desk.wait(desk.until(lambda: "is not a trace" in said.sentence))
    assert not desk.chats.current.is_read_only
