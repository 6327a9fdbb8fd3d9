"""The preferences and the sheet of shortcuts: what they emit, and that all is reachable."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QMainWindow

from app.models.chat_settings import ChatSettings
from app.models.commands import Commands
from app.models.text_size import TextSize
from app.theme import Theme
from app.views.about import show_about
from app.views.preferences import Preferences, PreferenceValues
from app.views.shortcuts import Shortcuts
from engine import SamplingParams

VALUES = PreferenceValues(
    theme="light",
    defaults=ChatSettings(system="Be brief."),
    notify=True,
    notify_words=False,
    folder="/data/draftscope",
)


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()
    return window


@pytest.fixture
def sheet(window):
    theme = Theme("light", window)
    sheet = Preferences(VALUES, TextSize(15, window), theme, window)
    sheet.open()
    return sheet


def heard(signal):
    told = []
    signal.connect(told.append)
    return told


def test_it_shows_what_holds_and_says_nothing_by_itself(sheet):
    assert sheet.themes.buttons["light"].isChecked()
    assert sheet.system.toPlainText() == "Be brief."
    assert sheet.notify.isChecked()
    assert not sheet.words.isChecked()
    assert any("/data/draftscope" in label.text() for label in sheet.findChildren(QLabel))
    assert sheet.windowModality() == Qt.WindowModality.WindowModal


def test_a_theme_is_told(sheet):
    told = heard(sheet.theme_chosen)
    sheet.themes.buttons["dark"].click()
    assert told == ["dark"]
    assert not sheet.themes.buttons["light"].isChecked()


def test_the_text_size_is_the_models(sheet):
    sheet.bigger.click()
    sheet.bigger.click()
    sheet.smaller.click()
    assert sheet._text_size.pixels == 16
    assert sheet.size_words.text() == "16 px"
    sheet._text_size.set_pixels(20)
    assert sheet.size_words.text() == "20 px"


def test_defaults_are_told_when_they_fit_and_explained_when_not(sheet, qtbot):
    told = heard(sheet.defaults_changed)
    temperature = sheet.numbers[0]
    temperature.line.setFocus()
    qtbot.keyClicks(temperature.line, "hot")
    qtbot.keyClick(temperature.line, Qt.Key.Key_Return)
    assert told == []
    assert temperature.problem.isVisible()
    temperature.line.clear()
    qtbot.keyClicks(temperature.line, "0.7")
    qtbot.keyClick(temperature.line, Qt.Key.Key_Tab)
    warm = replace(VALUES.defaults, sampling=SamplingParams(temperature=0.7))
    assert told[-1] == warm
    sheet.system.setPlainText("  Be long. ")
    assert told[-1] == replace(warm, system="Be long.")


def test_words_in_notifications_need_notifications(sheet):
    told, words = heard(sheet.notify_changed), heard(sheet.notify_words_changed)
    sheet.words.click()
    sheet.notify.click()
    assert (told, words) == ([False], [True])
    assert not sheet.words.isEnabled()


def test_the_link_to_the_flags_closes_the_sheet(sheet):
    told = []
    sheet.flags_requested.connect(lambda: told.append(sheet.isVisible()))
    sheet.flags.click()
    assert told == [False]


def test_return_in_a_field_does_not_close_it(sheet, qtbot):
    line = sheet.numbers[2].line
    line.setFocus()
    qtbot.keyClicks(line, "200")
    told = heard(sheet.defaults_changed)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert told == [replace(VALUES.defaults, max_tokens=200)]
    assert sheet.isVisible()


def test_every_control_has_a_name(sheet):
    for kind in (QAbstractButton, QLineEdit):
        for control in sheet.findChildren(kind):
            # Only what stays out of sight until it has words may be without.
            assert control.isHidden() or control.accessibleName() or control.text(), control


def test_the_shortcuts_are_those_of_the_table(window):
    commands = Commands(window)
    for id in ("palette", "new_chat", "about"):
        commands.bind(id, lambda: None)
    sheet = Shortcuts(commands, Theme("dark", window), window)
    sheet.open()
    names = [label.accessibleName() for label in sheet.findChildren(QLabel)]
    assert "New chat: Ctrl+N" in names
    assert "Go to chat or command: Ctrl+K" in names
    # Without a key, or without somebody who does it, it is not listed.
    assert not [name for name in names if "About" in name or "Token view" in name]


def test_about_says_the_version(window):
    box = show_about(window, "1.2.3")
    assert "1.2.3" in box.text()
    box.close()


def test_no_placeholder_is_cut(sheet):
    for number in sheet.numbers:
        line = number.line
        words = line.fontMetrics().horizontalAdvance(line.placeholderText())
        assert words < line.width() - 20, line.placeholderText()
