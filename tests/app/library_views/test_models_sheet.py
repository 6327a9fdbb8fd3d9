"""The sheet of models as a whole: its parts, keys, names, and what it leaves behind."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QListView, QProgressBar
from shiboken6 import Shiboken

from app.theme import Theme
from app.views.library.sheet import ModelsSheet
from app.views.saying import Saying
from tests.app.library_views.made import attention, demo, download, found, hybrid, parts_of

FIRST = {"here": "list", "get": "field"}


def test_keys_go_to_its_parts_and_the_focus_with_them(open_sheet, qtbot, window):
    sheet = open_sheet(parts_of(demo(), hybrid(1)))
    with qtbot.waitActive(sheet):
        sheet.activateWindow()
    for key, part in ((Qt.Key.Key_2, "get"), (Qt.Key.Key_3, "downloads"), (Qt.Key.Key_1, "here")):
        QTest.keyClick(sheet.windowHandle(), key, Qt.KeyboardModifier.ControlModifier)
        assert sheet.part == part
        assert sheet.segments.buttons[part].isChecked()
    assert sheet.here.list.hasFocus()


def test_its_parts_are_equally_wide_whatever_is_counted(open_sheet):
    parts = parts_of(demo())
    sheet = open_sheet(parts)
    buttons = sheet.segments.buttons.values()
    (width,) = {button.width() for button in buttons}
    parts.downloads.add(download(1, "a/b"))
    assert "1" in sheet.segments.buttons["downloads"].text()
    assert {button.width() for button in buttons} == {width}


def test_it_opens_at_a_part_or_at_a_model(open_sheet):
    models = demo(), hybrid(1), attention(2)
    sheet = open_sheet(parts_of(*models), models[2].target)
    assert sheet.part == "here"
    assert sheet.here.detail.model is models[2]
    sheet.show_at("downloads")
    assert sheet.part == "downloads"


def test_every_control_has_a_name(open_sheet):
    parts = parts_of(demo(), hybrid(1))
    parts.library.set_folders(["/a"])
    parts.downloads.add(download(1, "a/b"))
    parts.search.end((found(1),))
    sheet = open_sheet(parts)
    sheet.get.field.setText("some")
    nameless = [
        widget
        for kind in (QAbstractButton, QLineEdit, QListView, QProgressBar)
        for widget in sheet.findChildren(kind)
        if not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
        and not isinstance(widget.parent(), QLineEdit)
        and widget is not sheet.saying.action  # shown with words only
    ]
    assert nameless == []


def test_everything_that_is_shown_can_be_reached_by_tab(open_sheet):
    sheet = open_sheet(parts_of(demo(), hybrid(1)), "here")
    seen, widget = set(), sheet.nextInFocusChain()
    while widget is not sheet:
        seen.add(widget)
        widget = widget.nextInFocusChain()
    detail = sheet.here.detail
    for wanted in (
        sheet.here.filter,
        sheet.here.list,
        detail.loading.load,
        detail.context,
        detail.use,
        detail.place.reveal,
        sheet.here.folders.add,
        sheet.done_button,
    ):
        assert wanted in seen
        assert wanted.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("part", ["here", "get", "downloads"])
@pytest.mark.parametrize("width", [600, 820, 1200])
def test_nothing_is_wider_than_the_sheet(open_sheet, part, width):
    name = "someorganisation/" + "An-Extremely-Long-Model-Name-" * 6
    parts = parts_of(demo(), hybrid(name=name))
    parts.downloads.add(download(1, name, stage="failed", sentence="It failed. " * 20))
    sheet = open_sheet(parts, part)
    sheet.resize(width, 500)
    sheet.layout().activate()
    assert sheet.width() == width
    assert sheet.minimumSizeHint().width() <= 600
    shown = sheet.stack.currentWidget()
    assert shown.width() == width


def test_what_the_window_says_meanwhile_is_said_in_it(window, qtbot):
    theme = Theme("light", window)
    said = Saying(theme, window)
    said.say("Said before.")
    sheet = ModelsSheet(parts_of(demo(), hybrid(1)), theme, window)
    sheet.open()
    assert sheet.saying.isHidden()
    done = []
    sentence = "The folder /far/away cannot be read: Permission denied. " * 4
    said.say(sentence, stays=True, action="Load it", act=lambda: done.append(1))
    assert sheet.saying.isVisible()
    assert sheet.saying.sentence == sentence
    sheet.saying.action.click()
    assert done == [1]
    other = ModelsSheet(parts_of(demo()), theme, window)
    said.say("Another.")
    assert (sheet.saying.sentence, other.saying.sentence) == ("Another.", "Another.")
    sheet.saying.close_button.click()
    assert (said.sentence, sheet.saying.isVisible()) == ("", False)
    said.say("The key is kept.")
    sheet.show_part("get")
    sheet.get.key.open()
    sheet.show_key_outcome("The key is kept.")
    assert said.sentence == ""
    assert sheet.get.key.said.text() == "The key is kept."
    other.deleteLater()
    sheet.done_button.click()
    qtbot.waitUntil(lambda: not Shiboken.isValid(sheet))
    said.say("After it.")
    said.clear()


def test_it_says_when_it_is_gone_and_the_models_live_on(open_sheet, heard, qtbot):
    parts = parts_of(demo(), hybrid(1))
    sheet = open_sheet(parts)
    watched = heard(sheet.watched)
    sheet.done_button.click()
    qtbot.waitUntil(lambda: not Shiboken.isValid(sheet))
    assert watched == [False]
    parts.library.set_models([hybrid(2)])
    parts.library.set_free_bytes(1)
    parts.model.begin("demo")
    parts.downloads.add(download(1, "a/b"))
    parts.search.begin("x")
