"""The models on this machine: what the rows say, what the selected one offers and asks for."""

from dataclasses import replace

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QPainter, QPixmap
from PySide6.QtTest import QTest

from app.models.library import ModelHabits
from app.views.controls import IconButton
from engine import Failed, LoadProgress, Unloaded
from tests.app.library_views.made import (
    GB,
    SAMPLING,
    attention,
    demo,
    download,
    faulty,
    focus_of,
    hybrid,
    parts_of,
    progress,
    put_to_use,
)

LARGE = {"weights_bytes": 60 * GB, "file_bytes": 60 * GB}


def rows_of(sheet):
    rows = sheet.here.rows
    return [rows.row(rows.index(number)) for number in range(rows.rowCount())]


def test_a_row_says_what_a_model_is_what_it_keeps_and_whether_it_fits(open_sheet):
    refusing = {"rollback": None, "speculation_refusal": "Its caches cannot be taken back."}
    large = hybrid(2, survey=LARGE)
    parts = parts_of(demo(), hybrid(1), large, attention(3, survey=refusing))
    sheet = open_sheet(parts)
    first, fourth, second, third = rows_of(sheet)
    assert first.title == "Demo model"
    assert second.facts == "Qwen3.5 · 9 B · 4-bit · 6 GB · 256k context"
    assert second.chips == ("recurrent + attention", "speculation: local")
    assert (second.verdict, third.verdict) == ("Fits", "Does not fit")
    tip = sheet.here.rows.index(3).data(Qt.ItemDataRole.ToolTipRole)
    assert "only 20 GB" in tip
    assert "no speculation" in fourth.chips
    assert "Does not fit" in third.told


def test_one_that_cannot_be_used_is_grey_last_and_says_why(open_sheet):
    parts = parts_of(faulty("A-Broken"), hybrid(1), hybrid(2, is_complete=False))
    sheet = open_sheet(parts)
    rows = rows_of(sheet)
    assert [row.is_grey for row in rows] == [False, True, True]
    assert rows[2].facts.startswith("Its weights file")
    sheet.here.select("/models/A-Broken")
    loading = sheet.here.detail.loading
    assert loading.load.isHidden()
    assert loading.anyway.isHidden()
    assert loading.fault.problem.sentence.text() == parts.library.models[0].survey.fault
    loading.fault.problem.copy.click()
    report = QGuiApplication.clipboard().text()
    assert "A-Broken" in report
    assert "1,024" in report


def test_an_incomplete_one_is_fetched_on(open_sheet, heard):
    model = hybrid(1, is_complete=False)
    parts = parts_of(model)
    sheet = open_sheet(parts)
    asked = heard(parts.intents.repair_requested)
    sheet.here.detail.loading.rest.click()
    assert asked == [model.name]


def test_the_filter_takes_words_in_any_order_and_says_when_nothing_is_left(open_sheet):
    parts = parts_of(demo(), hybrid(1), attention(2))
    sheet = open_sheet(parts)
    sheet.here.filter.setText("3.2 llama")
    assert [row.title for row in rows_of(sheet)] == ["Llama-3.2-3B-Instruct-2"]
    sheet.here.filter.setText("nothing like it")
    assert rows_of(sheet) == []
    assert sheet.here.nothing.isVisible()
    assert "nothing like it" in sheet.here.nothing.text()
    assert sheet.here.detail.model is None
    QTest.keyClick(sheet.here.filter, Qt.Key.Key_Escape)
    assert sheet.isVisible()
    assert len(rows_of(sheet)) == 3


def test_what_is_selected_outlives_a_rescan_and_what_is_in_use_is_selected_first(open_sheet):
    models = [hybrid(number) for number in range(300)]
    parts = parts_of(*models)
    put_to_use(parts, models[40].target)
    sheet = open_sheet(parts)
    assert sheet.here.detail.model is models[40]
    sheet.here.select(models[200].target)
    changed = replace(models[200], habits=ModelHabits(context=8_192))
    parts.library.set_models([*models[150:200], changed, *models[201:]])
    assert sheet.here.detail.model is changed
    assert sheet.here.rows.row(sheet.here.list.currentIndex()).model is changed
    parts.library.set_models(models[:10])
    assert sheet.here.detail.model.target == models[0].target


def test_load_unload_and_cancel_are_asked_for(open_sheet, heard):
    model = hybrid(1)
    parts = parts_of(model)
    sheet = open_sheet(parts)
    loads, cancels = heard(parts.intents.load_requested), heard(parts.intents.load_cancelled)
    unloads = heard(parts.intents.unload_requested)
    loading = sheet.here.detail.loading
    QTest.keyClick(sheet.here.list, Qt.Key.Key_Return)
    assert loads == [model.target]
    parts.model.begin(model.target)
    progress(parts, 0.42)
    assert loading.load.isHidden()
    assert loading.bar.value() == 420
    assert loading.doing.text() == "Reading weights"
    loading.cancel.click()
    put_to_use(parts, model.target)
    assert loading.bar.isHidden()
    loading.unload.click()
    assert (len(cancels), len(unloads)) == (1, 1)


def test_loading_is_told_in_plain_words(open_sheet):
    model = hybrid(1)
    parts = parts_of(model)
    doing = open_sheet(parts).here.detail.loading.doing
    parts.model.begin(model.target)
    for stage, words in (
        ("checking the folder", "Checking its files"),
        ("reading the weights", "Reading the weights · 1.2 of 4.3 GB"),
        (
            "comparing blocks with single tokens",
            "Checking how exact and fast it is (first time only)",
        ),
    ):
        parts.model.apply(LoadProgress(0, stage, 0.5, 1_200_000_000, 4_300_000_000))
        assert doing.text() == words


def test_the_keyboard_stays_with_what_is_done_to_a_model(open_sheet):
    model = hybrid(1)
    parts = parts_of(model)
    sheet = open_sheet(parts)
    loading, place = sheet.here.detail.loading, sheet.here.detail.place
    loading.load.setFocus()
    parts.model.begin(model.target)
    assert focus_of(sheet) is loading.cancel
    put_to_use(parts, model.target)
    assert focus_of(sheet) is loading.chat
    loading.unload.setFocus()
    parts.model.apply(Unloaded(0))
    assert focus_of(sheet) is loading.load
    place.delete.setFocus()
    place.delete.click()
    assert focus_of(sheet) is place.confirm.no
    QTest.keyClick(place.confirm.no, Qt.Key.Key_Escape)
    assert focus_of(sheet) is place.delete
    parts.library.set_models([demo()])
    assert focus_of(sheet) is sheet.here.list


def test_a_damaged_one_of_the_hub_can_be_downloaded_again(open_sheet, heard):
    broken = replace(faulty("someone/Broken-7B"), origin="hub")
    parts = parts_of(broken, faulty("Mine"))
    sheet = open_sheet(parts)
    asked = heard(parts.intents.repair_requested)
    loading = sheet.here.detail.loading
    sheet.here.select(broken.target)
    parts.downloads.add(download(9, "someone/Broken-7B", stage="done"))
    loading.again.click()
    assert asked == ["someone/Broken-7B"]
    parts.downloads.remove(9)
    parts.downloads.add(download(1, "someone/Broken-7B", stage="waiting"))
    assert loading.again.isHidden()
    loading.coming.click()
    assert sheet.part == "downloads"
    sheet.show_part("here")
    sheet.here.select("/models/Mine")
    assert loading.again.isHidden()


def test_what_could_not_be_loaded_can_be_downloaded_again(open_sheet, heard):
    model = hybrid(1)
    parts = parts_of(model, attention(2))
    sheet = open_sheet(parts)
    loading = sheet.here.detail.loading
    asked = heard(parts.intents.repair_requested)
    for each in parts.library.models:
        sheet.here.select(each.target)
        parts.model.begin(each.target)
        assert loading.again.isHidden()
        parts.model.apply(Failed(0, "Its tokenizer is damaged."))
        assert loading.load.isVisible()
        assert loading.again.isVisible() == (each is model), "the hub has no other of a folder"
    sheet.here.select(model.target)
    parts.model.begin(model.target)
    parts.model.apply(Failed(0, "Its tokenizer is damaged."))
    loading.again.click()
    assert asked == [model.name]
    parts.downloads.add(download(1, model.name, stage="verifying"))
    assert (loading.again.isHidden(), loading.coming.isVisible()) == (True, True)
    assert loading.doing.text() == "It is being downloaded."
    assert loading.fault.isHidden(), "what is being mended is no fault"
    parts.downloads.change(1, stage="done")
    assert loading.fault.isVisible()
    parts.model.forget_failure()
    assert loading.fault.isHidden()
    assert loading.again.isHidden()


def test_the_details_of_a_fault_are_as_high_as_their_words(open_sheet):
    model = faulty()
    parts = parts_of(model)
    box = open_sheet(parts).here.detail.loading.fault.problem
    box.fold.click()
    low = box.details.height()
    assert low < 80
    lines = "\n".join(f"line {number}" for number in range(30))
    parts.library.set_models([replace(model, survey=replace(model.survey, fault_details=lines))])
    box.fold.click()
    assert box.details.height() == 160


def test_what_is_in_use_is_the_last_chip_to_be_dropped(open_sheet):
    model = hybrid(1)
    parts = parts_of(model)
    put_to_use(parts, model.target)
    sheet = open_sheet(parts)
    painter, row = sheet.here.list.itemDelegate(), rows_of(sheet)[0]
    painted = []
    painter._paint_chip = lambda _painter, _place, text, *_, **__: painted.append(text) or 80
    canvas = QPixmap(150, 80)
    with QPainter(canvas) as brush:
        painter._paint_row(brush, canvas.rect(), row, is_chosen=False)
    assert painted == [row.verdict, "in use"]


def test_what_does_not_fit_is_loaded_only_after_a_question(open_sheet, heard):
    model = hybrid(1, survey=LARGE)
    parts = parts_of(model)
    sheet = open_sheet(parts)
    loads = heard(parts.intents.load_requested)
    loading = sheet.here.detail.loading
    QTest.keyClick(sheet.here.list, Qt.Key.Key_Return)
    assert loads == []
    assert loading.confirm.isVisible()
    QTest.keyClick(loading.confirm.no, Qt.Key.Key_Escape)
    assert not loading.confirm.isVisible()
    assert sheet.isVisible()
    loading.anyway.click()
    loading.confirm.yes.click()
    assert loads == [model.target]


def test_memory_that_becomes_free_changes_the_verdict(open_sheet):
    parts = parts_of(hybrid(1, survey=LARGE))
    sheet = open_sheet(parts)
    assert not sheet.here.detail.loading.anyway.isHidden()
    parts.library.set_free_bytes(200 * GB)
    assert rows_of(sheet)[0].verdict == "Fits"
    assert sheet.here.detail.verdict.text() == "Fits"
    assert not sheet.here.detail.loading.load.isHidden()
    assert "200 GB" in sheet.here.detail.bar.accessibleName()
    parts.library.set_free_bytes(None)
    assert rows_of(sheet)[0].verdict == "Unknown"
    assert sheet.free.text() == ""


def test_a_load_that_failed_says_why_at_its_model(open_sheet):
    parts = parts_of(hybrid(1), hybrid(2))
    sheet = open_sheet(parts)
    parts.model.begin(parts.library.models[0].target)
    parts.model.apply(Failed(0, "Memory ran out: choose a smaller model.", "Traceback: …"))
    fault = sheet.here.detail.loading.fault
    assert fault.isVisible()
    assert fault.problem.details.toPlainText() == "Traceback: …"
    sheet.here.select(parts.library.models[1].target)
    assert not fault.isVisible()


def test_progress_of_loading_touches_no_row(open_sheet):
    parts = parts_of(*(hybrid(number) for number in range(30)))
    sheet = open_sheet(parts)
    parts.model.begin(parts.library.models[3].target)
    touched = []
    sheet.here.rows.dataChanged.connect(lambda *_: touched.append(1))
    for step in range(20):
        progress(parts, step / 20)
    assert touched == []
    put_to_use(parts, parts.library.models[3].target)
    assert touched == [1]


def test_context_and_sampling_are_habits(open_sheet, heard):
    model = hybrid(1)
    parts = parts_of(model)
    sheet = open_sheet(parts)
    detail = sheet.here.detail
    told = heard(parts.intents.habits_changed)
    detail.context.click()
    actions = detail.context.menu_.actions()
    assert [action.data() for action in actions] == [
        4_096, 8_192, 16_384, 32_768, 65_536, 131_072, None
    ]  # fmt: skip
    assert actions[-1].isChecked()
    actions[1].trigger()
    detail.context.menu_.close()
    assert told == [(model.target, ModelHabits(context=8_192))]
    changed = replace(model, habits=ModelHabits(context=8_192))
    parts.library.set_models([changed])
    assert detail.context.text().startswith("8,192")
    detail.use.click()
    assert told[-1] == (model.target, ModelHabits(context=8_192, sampling=SAMPLING))
    assert "top-k 20" in detail.sampling.text()


def test_deleting_names_what_is_freed_and_is_asked(open_sheet, heard):
    model = hybrid(1)
    parts = parts_of(model, demo())
    sheet = open_sheet(parts)
    deleted, shown = heard(parts.intents.delete_requested), heard(parts.intents.reveal_requested)
    place = sheet.here.detail.place
    sheet.here.select(model.target)
    place.delete.click()
    assert deleted == []
    assert "6 GB" in place.confirm.sentence.text()
    place.confirm.yes.click()
    place.reveal.click()
    assert deleted == shown == [model.target]
    put_to_use(parts, model.target)
    assert not place.delete.isEnabled()
    assert place.delete.toolTip()


def test_what_is_on_its_way_is_not_asked_whether_to_delete(open_sheet):
    model = hybrid(1)
    parts = parts_of(model)
    place = open_sheet(parts).here.detail.place
    place.delete.click()
    parts.downloads.add(download(1, model.name, stage="paused"))
    assert not place.delete.isEnabled()
    assert place.delete.toolTip() == "It is being downloaded; cancel that first."
    assert place.confirm.isHidden(), "the question has no use any more"
    parts.downloads.change(1, stage="done")
    assert place.delete.isEnabled()
    put_to_use(parts, model.target)
    parts.model.rest()
    assert not place.delete.isEnabled(), "one that rests is in use"


def test_folders_are_added_without_blocking_dropped_and_removed(open_sheet, heard, tmp_path):
    parts = parts_of(demo())
    sheet = open_sheet(parts)
    added, removed = heard(parts.intents.folder_added), heard(parts.intents.folder_removed)
    folders = sheet.here.folders
    folders.add.click()
    assert folders.dialog.isVisible()
    folders.dialog.fileSelected.emit("/some/where")
    folders.dialog.reject()
    assert folders.dialog is None
    (tmp_path / "file").write_text("no folder")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path)), QUrl.fromLocalFile(str(tmp_path / "file"))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    sheet.dropEvent(QDropEvent(QPoint(9, 9), copy, data, left, Qt.KeyboardModifier.NoModifier))
    assert added == ["/some/where", str(tmp_path)]
    parts.library.set_folders(["/a/models", "/b"])
    folders.fold.click()
    assert folders.rows.isVisible()
    folders.rows.findChildren(IconButton)[1].click()
    assert removed == ["/b"]
