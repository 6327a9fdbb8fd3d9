"""A window with the look of the app's, and the sheet of models over it."""

import pytest
from PySide6.QtWidgets import QMainWindow

from app.theme import Theme
from app.views.library.sheet import ModelsSheet
from app.views.stylesheet import style_sheet


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.setStyleSheet(style_sheet(Theme("light", window).palette))
    window.show()
    return window


@pytest.fixture
def open_sheet(window):
    """Opens the sheet over models that a test made."""

    def make(parts, where="here", theme="light"):
        sheet = ModelsSheet(parts, Theme(theme, window), window)
        sheet.open()
        sheet.show_at(where)
        return sheet

    return make


@pytest.fixture
def heard():
    """What a signal says from now on."""

    def listen(signal):
        told = []
        signal.connect(lambda *values: told.append(values[0] if len(values) == 1 else values))
        return told

    return listen
