"""The menu of traces: what it asks for, and the files that come of it."""

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
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


def test_the_open_chat_is_renamed_exported_and_deleted_there(make_desk, tmp_path):
    desk = make_desk()
    menu, chats = desk.window.header.traces, desk.chats

    def possible() -> dict[str, bool]:
        menu._menu.aboutToShow.emit()
        return {id: action.isEnabled() for id, action in menu.of_chat.items()}

    assert not any(possible().values())
    desk.ask("Hello")
    desk.settle()
    chat = chats.current
    assert all(possible().values())
    assert [action.text().partition("\t")[0] for action in menu._menu.actions()][:4] == [
        "Rename chat…", "Export chat", "Delete chat", ""
    ]  # fmt: skip
    assert menu.of_chat["rename"].text().endswith("\tF2")
    desk.do(menu.of_chat["rename"].trigger)
    desk.do(lambda: QTest.keyClicks(desk.window.focusWidget(), "lamps"))
    desk.do(lambda: QTest.keyClick(desk.window.focusWidget(), Qt.Key.Key_Return))
    assert chat.title == "lamps"
    choose(desk, menu.of_chat["export_markdown"], tmp_path / "lamps.md")
    desk.wait(desk.until((tmp_path / "lamps.md").exists))
    desk.do(menu.of_chat["delete_chat"].trigger)
    assert chat.trashed is not None
    choose(desk, menu.open, LOCAL)
    desk.wait(desk.until(lambda: chats.current.is_read_only))
    assert not possible()["rename"]


def test_where_the_side_bar_is_hidden_undo_is_offered_over_the_message(make_desk):
    desk = make_desk()
    desk.ask("Hello")
    desk.settle()
    chat, window = desk.chats.current, desk.window
    desk.do(window.header.traces.of_chat["delete_chat"].trigger)
    assert window.middle.saying.sentence == ""
    desk.do(window.sidebar.undo_bar.button.click)
    assert desk.chats.current is chat
    window.resize(640, 700)
    desk.settle()
    desk.do(window.header.traces.of_chat["delete_chat"].trigger)
    assert window.middle.saying.sentence == "Moved to Trash"
    assert window.middle.saying.action.text() == "Undo"
    desk.do(window.middle.saying.action.click)
    assert chat.trashed is None
    assert desk.chats.current is chat
    assert not window.sides.is_sidebar_shown
