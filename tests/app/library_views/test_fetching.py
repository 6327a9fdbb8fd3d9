"""The downloads: their words, their order, and what can be asked of each."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from engine import Failed
from tests.app.library_views.made import (
    demo,
    download,
    focus_of,
    hybrid,
    parts_of,
    put_to_use,
)


def shown(row):
    return {b.text() for b in row.findChildren(QPushButton) if b.isVisibleTo(row)}


@pytest.mark.parametrize(
    ("stage", "words", "buttons"),
    [
        ("waiting", "Waits for its turn · 1.2 of 4.3 GB", {"Pause", "Cancel"}),
        ("listing", "Asking for its files…", {"Pause", "Cancel"}),
        ("fetching", "1.2 of 4.3 GB · 35 MB/s · 2 min left", {"Pause", "Cancel"}),
        ("retrying", "The line broke. It goes on by itself.", {"Pause", "Cancel"}),
        ("checking", "Checking what came…", {"Pause", "Cancel"}),
        ("paused", "Paused · 1.2 of 4.3 GB", {"Resume", "Cancel"}),
        ("failed", "The line broke.", {"Try again", "Remove from list"}),
        ("done", "Ready · 4.3 GB", {"Load", "Remove from list"}),
    ],
)
def test_each_stage_has_its_words_and_buttons(open_sheet, stage, words, buttons):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    change = {"stage": stage, "sentence": "The line broke.", "folder": "/cache/b"}
    parts.downloads.add(download(1, "a/b", **change))
    row = sheet.downloads.rows[1]
    assert row.words.text() == words
    assert shown(row) == buttons


def test_what_is_pressed_is_asked_for(open_sheet, heard):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    intents = parts.intents
    for number in (1, 2, 3):
        stage = "fetching" if number == 1 else "waiting"
        parts.downloads.add(download(number, f"a/m{number}", stage=stage))
    rows = sheet.downloads.rows
    assert rows[1].first.isHidden()
    assert not rows[2].first.isHidden()
    for signal, button in (
        (intents.pause_requested, "pause"),
        (intents.first_requested, "first"),
        (intents.cancel_requested, "cancel"),
        (intents.resume_requested, "resume"),
        (intents.forget_requested, "forget"),
    ):
        told = heard(signal)
        getattr(rows[3], button).click()
        if button == "cancel":
            rows[3].confirm.yes.click()
        assert told == [3], button
    told = heard(intents.download_requested)
    rows[3].loads.click()
    assert told == [("a/m3", False)]


def test_rows_stand_in_the_order_of_the_queue_and_the_segment_counts(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    assert sheet.downloads.get.isVisible()
    segment = sheet.segments.buttons["downloads"]
    for number in (1, 2, 3):
        parts.downloads.add(download(number, f"a/m{number}", stage="waiting"))
    assert segment.text() == "Downloads · 3"
    parts.downloads.change(3, position=0.5)
    sheet.layout().activate()
    column = sheet.downloads._column
    assert [column.itemAt(at).widget().download.id for at in range(3)] == [3, 1, 2]
    assert sheet.downloads.rows[3].first.isHidden()
    assert not sheet.downloads.rows[1].first.isHidden()
    parts.downloads.change(1, stage="failed")
    parts.downloads.remove(2)
    assert segment.text() == "Downloads · 1 · !"
    assert segment.accessibleName().endswith("1 not finished, 1 failed")
    parts.downloads.remove(1)
    parts.downloads.remove(3)
    assert segment.text() == "Downloads"
    assert sheet.downloads.get.isVisible()


def test_progress_changes_a_bar_and_a_line_only(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    for number in range(1, 21):
        stage = "fetching" if number == 1 else "waiting"
        parts.downloads.add(download(number, f"a/m{number}", stage=stage))
    rows = dict(sheet.downloads.rows)
    began = time.perf_counter()
    for step in range(100):
        parts.downloads.change(1, done_bytes=step * 43_000_000, seconds_left=100.0 - step)
    print(f"one progress update: {(time.perf_counter() - began) * 10:.3f} ms")  # noqa: T201
    assert sheet.downloads.rows == rows
    assert rows[1].bar.value() == 990
    assert "under 5 s left" in rows[1].words.text()


def test_a_gated_one_leads_to_the_key(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    parts.downloads.add(download(1, "a/b", stage="failed", fault="gated", sentence="Accept."))
    sheet.downloads.rows[1].key.click()
    assert sheet.part == "get"
    assert sheet.get.key.field.isVisible()


def test_what_is_here_is_loaded_and_then_chatted_with(open_sheet, heard):
    model = hybrid(name="a/b")
    parts = parts_of(model)
    sheet = open_sheet(parts, "downloads")
    loads = heard(parts.intents.load_requested)
    parts.downloads.add(download(1, "a/b", stage="done", folder="/cache/b"))
    row = sheet.downloads.rows[1]
    row.load.click()
    assert loads == [model.target]
    parts.model.begin(model.target)
    assert row.load.text() == "Loading…"
    row.load.click()
    assert loads == [model.target]
    parts.model.apply(Failed(0, "Memory ran out: choose a smaller model."))
    assert row.words.text() == "Memory ran out: choose a smaller model."
    put_to_use(parts, model.target)
    assert row.words.text().startswith("Ready")
    assert shown(row) == {"Chat", "Remove from list"}
    assert sheet.isVisible()
    row.chat.click()
    assert not sheet.isVisible()


def test_what_came_is_thrown_away_only_after_a_question(open_sheet, heard):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    cancels = heard(parts.intents.cancel_requested)
    parts.downloads.add(download(1, "a/b"))
    parts.downloads.add(download(2, "a/c", stage="waiting", done_bytes=0))
    row, other = (sheet.downloads.rows[number] for number in (1, 2))
    row.cancel.click()
    assert cancels == []
    assert row.confirm.sentence.text() == "Throw away 1.2 GB of b?"
    assert focus_of(sheet) is row.confirm.no
    assert row.confirm.no.text() == "Keep"
    QTest.keyClick(row.confirm.no, Qt.Key.Key_Space)
    assert cancels == []
    assert row.confirm.isHidden()
    assert focus_of(sheet) is row.cancel
    other.cancel.click()
    assert cancels == [2]
    row.cancel.click()
    row.confirm.yes.click()
    assert cancels == [2, 1]


def test_the_keyboard_goes_from_pause_to_resume_and_back(open_sheet, heard):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    parts.downloads.add(download(1, "a/b"))
    row = sheet.downloads.rows[1]
    parts.intents.pause_requested.connect(lambda id: parts.downloads.change(id, stage="paused"))
    parts.intents.resume_requested.connect(lambda id: parts.downloads.change(id, stage="listing"))
    cancels = heard(parts.intents.cancel_requested)
    row.pause.setFocus()
    for stage, button in (("paused", row.resume), ("listing", row.pause)) * 2:
        QTest.keyClick(focus_of(sheet), Qt.Key.Key_Space)
        assert row.download.stage == stage
        assert focus_of(sheet) is button
    parts.downloads.change(1, stage="failed")
    assert focus_of(sheet) is row.again
    parts.downloads.change(1, stage="done", folder="/cache/b")
    assert focus_of(sheet) is row.load
    assert cancels == []


def test_a_row_that_goes_leaves_the_keyboard_to_the_next(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    for number in (1, 2):
        parts.downloads.add(download(number, f"a/m{number}", stage="failed"))
    parts.intents.forget_requested.connect(parts.downloads.remove)
    rows = dict(sheet.downloads.rows)
    rows[1].forget.setFocus()
    rows[1].forget.click()
    assert focus_of(sheet) is rows[2].again
    rows[2].forget.setFocus()
    rows[2].forget.click()
    assert focus_of(sheet) is sheet.downloads.get


def test_what_runs_comes_first_and_what_is_done_last(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    for number, stage in enumerate(("done", "failed", "paused", "waiting", "fetching")):
        parts.downloads.add(download(number, f"a/m{number}", stage=stage))
    column = sheet.downloads._column
    assert [column.itemAt(at).widget().download.id for at in range(5)] == [4, 3, 2, 1, 0]
    parts.downloads.change(4, stage="done")
    assert column.itemAt(0).widget().download.id == 3
    assert sheet.segments.buttons["downloads"].text() == "Downloads · 2 · !"


def test_a_count_moves_no_part(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    before = [each.geometry() for each in sheet.segments.buttons.values()]
    for number in range(12):
        parts.downloads.add(
            download(number, f"a/m{number}", stage="failed" if number else "paused")
        )
    sheet.layout().activate()
    assert [each.geometry() for each in sheet.segments.buttons.values()] == before
