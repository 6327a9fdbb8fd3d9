"""Get models: the recommended one, how far it is, what a search finds, and the key."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.fetching.found import FetchError, RemoteFile, RemoteModel
from app.models.starters import STARTERS, recommended, rough_verdict
from app.views.library.found_list import LOOK_MS
from tests.app.library_views.made import (
    GB,
    demo,
    download,
    focus_of,
    found,
    hybrid,
    parts_of,
    progress,
    put_to_use,
)

NINE = "mlx-community/Qwen3.5-9B-MLX-4bit"


def searched(sheet, text="model"):
    sheet.get.field.setText(text)
    sheet.get.field.search_now()


@pytest.mark.parametrize(
    ("free", "repo"),
    [
        (12 * GB, NINE),
        (100 * GB, "mlx-community/Qwen3-Next-80B-A3B-Instruct-4bit"),
        (1 * GB, "mlx-community/Qwen3.5-0.8B-MLX-4bit"),
        (None, "mlx-community/Qwen3.5-0.8B-MLX-4bit"),
    ],
)
def test_the_largest_hybrid_that_fits_is_recommended(free, repo):
    assert recommended(free).repo == repo


def test_every_starter_says_what_it_is():
    assert len({each.repo for each in STARTERS}) == len(STARTERS)
    for each in STARTERS:
        assert "/" in each.repo
        assert each.license
        assert each.num_bytes < each.needed_bytes
    assert {each.group for each in STARTERS} == {"small", "medium", "large"}
    assert rough_verdict(None, GB) == rough_verdict(GB, None) == "unknown"


def test_from_the_recommended_one_to_chatting(open_sheet, heard):
    parts = parts_of(demo(), free=12 * GB)
    sheet = open_sheet(parts, "get")
    asked, loads = heard(parts.intents.download_requested), heard(parts.intents.load_requested)
    row = sheet.get.row_of(NINE)
    assert row is sheet.get.best
    assert row.best.text() == "Recommended"
    assert row.button.text() == "Get"
    row.button.click()
    assert asked == [(NINE, True)]
    parts.downloads.add(download(1, NINE))
    assert row.button.isHidden()
    assert row.words.text() == "1.2 of 4.3 GB"
    assert row.bar.value() == 279
    parts.downloads.change(1, stage="paused")
    assert row.button.text() == "Resume"
    parts.library.set_models([demo(), hybrid(name=NINE)])
    assert row.button.text() == "Load"
    row.button.click()
    assert loads == [f"/models/{NINE}"]
    parts.model.begin(f"/models/{NINE}")
    assert row.button.text() == "Loading…"
    put_to_use(parts, f"/models/{NINE}")
    assert row.button.text() == "Chat"
    row.button.click()
    assert len(loads) == 1
    assert not sheet.isVisible()


def test_chat_with_what_is_in_use_only_closes(open_sheet, heard):
    parts = parts_of(hybrid(name=NINE), free=12 * GB)
    put_to_use(parts, f"/models/{NINE}")
    sheet = open_sheet(parts, "get")
    loads = heard(parts.intents.load_requested)
    sheet.get.row_of(NINE).button.click()
    assert loads == []
    assert not sheet.isVisible()


def test_other_free_memory_recommends_another_one(open_sheet):
    parts = parts_of(demo(), free=12 * GB)
    sheet = open_sheet(parts, "get")
    hidden = sheet.get.rows[NINE]
    assert hidden.isHidden()
    parts.library.set_free_bytes(100 * GB)
    assert not hidden.isHidden()
    assert sheet.get.best.offer.title.startswith("Qwen3-Next")
    assert hidden.verdict.text() == "Fits"
    parts.library.set_free_bytes(3 * GB)
    assert hidden.verdict.text() == "Does not fit"


def test_progress_touches_one_row_and_is_cheap(open_sheet):
    parts = parts_of(demo(), free=12 * GB)
    sheet = open_sheet(parts, "get")
    parts.downloads.add(download(1, NINE, done_bytes=0))
    parts.downloads.add(download(2, STARTERS[0].repo, stage="waiting"))
    row, other = sheet.get.best, sheet.get.rows[STARTERS[0].repo]
    widgets = sheet.findChildren(type(row))
    before = other.words.text()
    began = time.perf_counter()
    for step in range(1, 101):
        parts.downloads.change(1, done_bytes=step * 43_000_000)
    print(f"one progress update: {(time.perf_counter() - began) * 10:.3f} ms")  # noqa: T201
    assert row.bar.value() == 1000
    assert other.words.text() == before
    assert sheet.findChildren(type(row)) == widgets


def test_a_search_says_how_it_stands(open_sheet, heard, qtbot):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    asked = heard(parts.intents.search_requested)
    searched(sheet, " model ")
    assert asked == ["model"]
    assert not sheet.get.starters.isVisible()
    parts.search.begin("model")
    assert sheet.get.found.sentence.text() == "Searching…"
    parts.search.end(tuple(found(number) for number in range(40)))
    qtbot.waitUntil(lambda: len(sheet.get.found.rows) == 40)
    assert not sheet.get.found.sentence.isVisible()
    first, second = sheet.get.found.rows[:2]
    assert "12k downloads" in first.facts.text()
    assert first.verdict.isHidden()
    assert second.verdict.text() == "Fits"
    parts.search.end(())
    assert "“model”" in sheet.get.found.sentence.text()
    assert sheet.get.found.rows == []
    QTest.keyClick(sheet.get.field, Qt.Key.Key_Escape)
    assert sheet.isVisible()
    assert sheet.get.starters.isVisible()


def test_without_the_hub_there_is_a_sentence_and_another_try(open_sheet, heard):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    asked = heard(parts.intents.search_requested)
    searched(sheet)
    parts.search.fail(FetchError("offline", "The hub cannot be reached: try again later."))
    assert sheet.get.found.sentence.text() == "The hub cannot be reached: try again later."
    sheet.get.found.again.click()
    assert asked == ["model", "model"]
    parts.search.fail(FetchError("unauthorized", "The key is not taken: save another."))
    sheet.get.found.key.click()
    assert sheet.get.key.field.isVisible()


def test_details_are_asked_for_and_shown(open_sheet, heard):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    looks, pages = heard(parts.intents.look_requested), heard(parts.intents.page_requested)
    searched(sheet)
    parts.search.end((found(0), found(1, is_gated=True, license="gemma")))
    plain, gated = sheet.get.found.rows
    plain.more.click()
    assert looks == [found(0).repo]
    files = (RemoteFile("model.safetensors", 3 * GB, "aa", None),)
    assert plain.note.text() == "Asking the hub…"
    parts.search.note(found(0).repo, RemoteModel(found(0).repo, "1a", files, "mit", False))
    assert "1 file, 3 GB to download. Licence: mit." in plain.note.text()
    assert plain.verdict.text() == "Fits"
    assert "3 GB" in plain.facts.accessibleName()
    assert plain.facts.accessibleName().endswith("mit")
    assert not plain.page.isHidden()
    plain.more.click()
    assert plain.note.isHidden()
    assert plain.page.isHidden()
    plain.more.click()
    assert looks == [found(0).repo]
    assert "terms" in gated.note.text()
    gated.page.click()
    assert pages == [found(1).repo]


def test_a_row_that_is_filled_anew_forgets_what_it_said(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    searched(sheet)
    parts.search.end((found(0),))
    parts.search.note(found(0).repo, FetchError("not_found", "There is no such model."))
    row = sheet.get.found.rows[0]
    assert row.note.isHidden()
    row.more.click()
    assert "no such model" in row.note.text()
    parts.search.end((found(1),))
    assert row.note.isHidden()
    assert not row.more.isHidden()
    assert row.page.isHidden()


def test_the_key_is_told_once_and_not_kept_in_the_field(open_sheet, heard):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    told = heard(parts.intents.token_changed)
    sheet.get.key.open()
    key = sheet.get.key
    assert key.field.echoMode() == key.field.EchoMode.Password
    assert not key.save.isEnabled()
    QTest.keyClicks(key.field, " secret ")
    QTest.keyClick(key.field, Qt.Key.Key_Return)
    assert told == ["secret"]
    assert key.field.text() == ""
    assert key.said.isHidden()
    assert focus_of(sheet) is key.field
    sheet.show_key_outcome("The key is kept.")
    assert key.said.text() == "The key is kept."
    key.forget.click()
    assert told == ["secret", ""]
    assert key.said.isHidden()


def test_unfolding_the_key_puts_the_cursor_into_it(open_sheet):
    sheet = open_sheet(parts_of(demo()), "get")
    sheet.get.key.fold.click()
    assert focus_of(sheet) is sheet.get.key.field
    assert sheet.get.key.forget.text() == "Forget saved key"


def test_the_hub_is_asked_for_the_sizes_of_what_is_in_sight_one_at_a_time(open_sheet, heard, qtbot):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    looks = heard(parts.intents.look_requested)
    searched(sheet)
    parts.search.begin("model")
    parts.search.end(tuple(found(number, total_bytes=None) for number in range(40)))
    qtbot.waitUntil(lambda: len(looks) == 1)
    rows = sheet.get.found.rows
    qtbot.waitUntil(lambda: len(sheet.get.found.rows) == 40)
    qtbot.wait(2 * LOOK_MS)
    assert looks == [found(0).repo]
    files = (RemoteFile("model.safetensors", 3 * GB, "aa", None),)
    parts.search.note(found(0).repo, RemoteModel(found(0).repo, "1a", files, "mit", False))
    assert rows[0].verdict.text() == "Fits"
    assert rows[0].note.isHidden()
    for number in range(1, 40):
        qtbot.wait(LOOK_MS + 50)
        if len(looks) <= number:
            break
        parts.search.note(looks[-1], FetchError("gated", "Accept its terms."))
    assert 1 < len(looks) < 12
    assert len(set(looks)) == len(looks)


def test_why_a_download_failed_is_said_in_its_row(open_sheet, heard):
    parts = parts_of(demo(), free=12 * GB)
    sheet = open_sheet(parts, "get")
    words = "The hub cannot be reached: check the connection, then try again. " * 3
    row = sheet.get.best
    assert row.trouble.isHidden()
    parts.downloads.add(download(1, NINE, stage="failed", sentence=words))
    assert row.trouble.isVisible()
    sheet.layout().activate()
    assert row.trouble.text() == words
    assert row.trouble.height() >= 2 * row.trouble.fontMetrics().height(), "all of it is seen"
    parts.downloads.change(1, stage="waiting", sentence="")
    assert row.trouble.isHidden()


def test_the_keyboard_waits_beside_a_download_and_comes_back(open_sheet):
    parts = parts_of(demo(), free=12 * GB)
    sheet = open_sheet(parts, "get")
    row = sheet.get.best
    row.button.setFocus()
    parts.intents.download_requested.connect(
        lambda repo, _loads: parts.downloads.add(download(1, repo))
    )
    row.button.click()
    assert row.button.isHidden()
    assert focus_of(sheet) is row.more
    parts.downloads.change(1, stage="done", folder="/cache/nine")
    assert focus_of(sheet) is row.button
    assert row.button.text() == "Load"


def test_searching_again_leaves_the_keyboard_in_the_field(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts, "get")
    searched(sheet)
    parts.intents.search_requested.connect(parts.search.begin)
    parts.search.fail(FetchError("offline", "The hub cannot be reached: try again later."))
    sheet.get.found.again.setFocus()
    sheet.get.found.again.click()
    assert sheet.get.found.again.isHidden()
    assert focus_of(sheet) is sheet.get.field


def test_what_is_fetched_can_be_used_before_the_library_knows_it(open_sheet, heard):
    parts = parts_of(demo(), free=12 * GB)
    sheet = open_sheet(parts, "get")
    loads = heard(parts.intents.load_requested)
    parts.downloads.add(download(1, NINE))
    parts.downloads.change(1, stage="done", folder="/cache/nine")
    sheet.get.best.button.click()
    assert loads == ["/cache/nine"]


def test_loading_goes_on_under_the_sheet(open_sheet):
    parts = parts_of(hybrid(1))
    sheet = open_sheet(parts, "get")
    parts.model.begin(parts.library.models[0].target)
    progress(parts, 0.5)
    assert sheet.here.detail.loading.bar.value() == 500
