"""Several traces opened at once, and one opened again: nothing is told twice, nothing is lost."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from app.controllers.failures import FailureReporter
from app.controllers.traces import TraceController
from app.models.chats import Chats

TRACES = Path(__file__).parents[1] / "traces"


class Desk:
    """A controller with nothing around it."""

    def __init__(self, loop):
        self.loop, self.chats, self.failures = loop, Chats(), FailureReporter()
        self.controller = TraceController(self.chats, self.failures)
        self.said = []
        self.controller.said.connect(self.said.append)

    def open(self, *paths):
        """As a drop does it: all in one turn of the loop."""

        async def all_of_them():
            return await asyncio.gather(*(self.controller.open(path) for path in paths))

        return self.loop.run_until_complete(all_of_them())

    @property
    def titles(self):
        return [chat.title for chat in self.chats.items if chat.is_read_only]


@pytest.fixture
def desk(loop):
    desk = Desk(loop)
    yield desk
    desk.controller.close()


@pytest.fixture
def good(tmp_path):
    return Path(shutil.copy(TRACES / "carry.jsonl", tmp_path))


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text("hello\n")
    return path


@pytest.mark.parametrize("is_good_first", [True, False])
def test_a_refusal_stays_beside_a_trace_that_opens(desk, good, bad, is_good_first):
    desk.open(*((good, bad) if is_good_first else (bad, good)))
    assert desk.titles == ["carry.jsonl"]
    assert "notes.jsonl is not a trace" in desk.said[-1]
    # It is no word on what is opened later.
    shutil.copy(TRACES / "local.jsonl", good.parent)
    desk.open(good.parent / "local.jsonl")
    assert desk.said[-1] == ""


def test_of_many_refusals_the_first_are_told_and_the_others_counted(desk, tmp_path, good):
    paths = [tmp_path / f"{number}.jsonl" for number in range(5)]
    for path in paths:
        path.write_text("hello\n")
    desk.open(good, *paths)
    assert sum(f"{number}.jsonl is not a trace" in desk.said[-1] for number in range(5)) == 3
    assert desk.said[-1].endswith("2 more files were not opened.")


def drop(window, *paths):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for event in (QDragEnterEvent(QPoint(5, 5), *how), QDropEvent(QPointF(5, 5), *how)):
        QApplication.sendEvent(window, event)


def test_a_file_that_is_open_is_not_counted_as_refused(desk, tmp_path, good):
    desk.open(good)
    bad = [tmp_path / f"{number}\n\u202ebad.jsonl" for number in range(4)]
    for path in bad:
        path.write_text("hello\n")
    desk.open(good, *bad)
    told = max(desk.said, key=len)
    num_shown = told.count("is not a trace")
    rest = {2: "2 more files were not opened.", 3: "1 more file was not opened."}
    assert told.endswith(rest[num_shown])
    assert not {"\n", "\u202e"} & set(told)


@pytest.mark.parametrize("is_good_first", [True, False])
def test_what_was_dropped_and_cannot_be_opened_is_said_in_the_window(
    make_desk, good, bad, is_good_first
):
    desk = make_desk(is_loaded=False)
    desk.do(lambda: drop(desk.window, *((good, bad) if is_good_first else (bad, good))))
    saying = desk.window.middle.saying
    desk.settle(0.5)
    assert desk.chats.current.is_read_only
    assert "notes.jsonl is not a trace" in saying.sentence
    assert saying.isVisible()


def test_a_trace_that_is_open_is_shown_and_not_opened_again(desk, good):
    (first,) = desk.open(good)
    first.playback.seek_step(3)
    desk.chats.new()
    link = good.with_name("link.jsonl")
    link.symlink_to(good)
    for path in (good, link):
        assert desk.open(path) == [first]
        assert desk.said[-1] == "carry.jsonl is open already."
        assert desk.chats.current is first
    assert desk.titles == ["carry.jsonl"]
    assert first.playback.step == 3


def test_a_file_opened_twice_at_once_is_opened_once(desk, good):
    one, other = desk.open(good, good)
    assert one is other
    assert desk.titles == ["carry.jsonl"]


def test_a_closed_trace_opens_anew(desk, good):
    (first,) = desk.open(good)
    desk.chats.remove(first)
    (again,) = desk.open(good)
    assert again is not first
    assert desk.titles == ["carry.jsonl"]


@pytest.mark.parametrize("is_written_anew", [True, False])
def test_a_file_that_changed_takes_the_place_of_what_it_was(desk, good, is_written_anew):
    (first,) = desk.open(good)
    gone, shown = [], []
    desk.chats.removed.connect(gone.append)
    desk.chats.current_changed.connect(shown.append)
    if is_written_anew:
        fresh = good.with_name("fresh")
        fresh.write_bytes((TRACES / "local.jsonl").read_bytes())
        os.replace(fresh, good)
    else:
        good.write_bytes((TRACES / "local.jsonl").read_bytes())
    (again,) = desk.open(good)
    assert gone == [first]
    assert shown == [again]
    assert desk.titles == ["carry.jsonl"]
    assert again.playback.trace.started.config.rollback == "local"
    assert desk.said[-1] == ""


def test_what_cannot_be_read_any_more_leaves_what_is_open(desk, good):
    (first,) = desk.open(good)
    good.write_text("hello\n")
    assert desk.open(good) == [None]
    assert "is not a trace" in desk.said[-1]
    assert first in desk.chats.items


def test_files_of_one_name_are_told_apart_by_their_folders(desk, tmp_path):
    paths = [tmp_path / folder / "run.jsonl" for folder in ("a/x", "b/x", "c/y")]
    for path in paths:
        path.parent.mkdir(parents=True)
        shutil.copy(TRACES / "carry.jsonl", path)
        desk.open(path)
    assert desk.titles[::-1] == ["run.jsonl", "x/run.jsonl", "y/run.jsonl"]
    chat = desk.chats.items[0]
    assert desk.controller.suggested_name(chat, "trace") == "y-run.jsonl"
    # What changed is not told apart from what it takes the place of.
    shutil.copy(TRACES / "local.jsonl", paths[0])
    desk.open(paths[0])
    assert desk.titles == ["run.jsonl", "y/run.jsonl", "x/run.jsonl"]
