"""The downloads: their words, their order, and what can be asked of each."""

import time

import pytest
from PySide6.QtWidgets import QPushButton

from tests.app.library_views.made import demo, download, hybrid, parts_of


def shown(row):
    return {b.text() for b in row.findChildren(QPushButton) if not b.isHidden()}


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
        ("done", "Here · 4.3 GB", {"Chat", "Remove from list"}),
    ],
)
def test_each_stage_has_its_words_and_buttons(open_sheet, stage, words, buttons):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "downloads")
    parts.downloads.add(download(1, "a/b", stage=stage, sentence="The line broke."))
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
    assert segment.text() == "Downloads · 1"
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


def test_chat_with_one_that_is_here(open_sheet, heard):
    model = hybrid(name="a/b")
    parts = parts_of(model)
    sheet = open_sheet(parts, "downloads")
    loads = heard(parts.intents.load_requested)
    parts.downloads.add(download(1, "a/b", stage="done", folder="/cache/b"))
    sheet.downloads.rows[1].chat.click()
    assert loads == [model.target]
    assert not sheet.isVisible()
