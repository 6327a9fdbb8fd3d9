"""Diagnostics: what is in the report, what never gets in, and the sheet."""

import logging
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMainWindow, QPushButton, QScrollArea

from app.main.logs import LogFile, recent_problems
from app.models.diagnostics import DiagnosticFacts, as_text, diagnostics
from app.theme import Theme
from app.views.about import Licences, licences_text, show_about
from app.views.diagnostics import Diagnostics
from engine import Health, ReplayHealth, SpeculationHealth
from tests.fakes.records import CONFIG
from tests.fakes.scripted_worker import INFO, failing

MARKER = "xylophone-marmalade"
HEALTH = Health(
    ReplayHealth(True, 4, 9, 1),
    SpeculationHealth(True, "prompt lookup, carry rollback", 17, 24, 0.304, {0: 1}),
    CONFIG,
)


def facts(**changes):
    plain = DiagnosticFacts(
        model=INFO,
        stage="ready",
        health=HEALTH,
        self_test=("version 1: all is well", "ok  chats: written"),
        problems=(),
        crashes=("crash-1.txt",),
        data_folder=Path.home() / "data",
        log_folder=Path("/var/log/draftscope"),
    )
    return replace(plain, **changes)


def test_the_report_has_what_is_needed():
    text = as_text(diagnostics(facts()))
    for words in (
        "Draftscope:",
        "Python:",
        "mlx-lm:",
        "Qt:",
        "name: pocket-hybrid-26m",
        "acceptance: 30%",
        "replay: on: 4 attempts, 9 tokens, 1 failures",
        "ok  chats: written",
        "none in the log",
        "crash-1.txt",
        "chats and models: ~/data",
        "logs: /var/log/draftscope",
    ):
        assert words in text
    empty = as_text(diagnostics(facts(model=None, stage="none", health=None, crashes=())))
    assert "no reply yet" in empty
    assert "state: none" in empty


def test_stop_texts_of_the_person_are_left_out():
    config = replace(CONFIG, stop=(MARKER,))
    text = as_text(diagnostics(facts(health=replace(HEALTH, config=config))))
    assert MARKER not in text
    assert "pacing on" in text


@pytest.fixture
def log(tmp_path):
    file = LogFile(tmp_path / "logs")
    assert file.open()
    yield tmp_path / "logs"
    file.close()


@contextmanager
def silent():
    """Nothing of an expected error on standard error."""
    last, logging.lastResort = logging.lastResort, None
    try:
        yield
    finally:
        logging.lastResort = last


def test_nothing_of_a_chat_gets_in(make_desk, log):
    """A marker in every place where a person's words are, and errors that quote it."""
    desk = make_desk(failing(f"The model said {MARKER}.", f"ValueError: {MARKER}"))
    desk.chats.current.settings = replace(desk.chats.current.settings, system=MARKER)
    desk.window.composer.edit.insertPlainText(MARKER)
    reply = desk.ask(MARKER)
    assert MARKER in reply.failure.sentence

    async def failing_task():
        raise ValueError(MARKER)

    async def quoting():
        desk.session.failures.start(failing_task())

    with silent():
        desk.wait(quoting())
        desk.settle(0.05)
        logging.getLogger("some.library").warning("read %s", MARKER)
    model = desk.session.model
    sections = diagnostics(
        facts(
            model=model.info,
            health=desk.worker.health(),
            problems=recent_problems(log),
            log_folder=log,
        )
    )
    text = as_text(sections)
    assert "ValueError at" in text
    assert "some.library at" in text
    assert MARKER not in text
    assert MARKER not in (log / "draftscope.log").read_text()
    sheet = Diagnostics(sections, desk.session.theme, desk.window)
    assert not [label for label in sheet.findChildren(QLabel) if MARKER in label.text()]
    sheet.close()
    sheet.deleteLater()


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 800)
    window.show()
    return window


def test_the_sheet_shows_copies_and_asks_for_the_logs(window, qtbot):
    sheet = Diagnostics(diagnostics(facts()), Theme("light", window), window)
    sheet.open()
    assert sheet.windowModality() == Qt.WindowModality.WindowModal
    shown = [label.text() for label in sheet.findChildren(QLabel)]
    assert "pocket-hybrid-26m" in shown
    sheet.copy_button.click()
    assert QGuiApplication.clipboard().text() == sheet.text
    assert sheet.copy_button.text() == "Copied"
    with qtbot.waitSignal(sheet.logs_requested):
        sheet.logs_button.click()
    # A body that is higher than its words would scroll into nothing.
    qtbot.waitUntil(lambda: sheet.body.height() > 0)
    last = max(label.mapTo(sheet.body, label.rect().bottomLeft()).y() for label in shown_in(sheet))
    assert 0 < sheet.body.height() - last < 60
    sheet.close()


def shown_in(sheet):
    return sheet.findChild(QScrollArea).widget().findChildren(QLabel)


def test_every_control_has_a_name(window):
    sheet = Diagnostics(diagnostics(facts()), Theme("dark", window), window)
    sheet.open()
    shown = [button for button in sheet.findChildren(QPushButton) if button.isVisible()]
    assert len(shown) == 3
    assert all(button.text() or button.accessibleName() for button in shown)
    named = [label.accessibleName() for label in shown_in(sheet)]
    assert "Model, name: pocket-hybrid-26m" in named
    sheet.close()


def test_about_leads_to_the_licences(window, qtbot):
    asked = []
    box = show_about(window, "1.2.3", lambda: asked.append(True))
    (button,) = [b for b in box.buttons() if "Licences" in b.text()]
    button.click()
    assert asked == [True]
    text = licences_text()
    assert "WordNet" in text or "licence" in text.lower()
    sheet = Licences(Theme("light", window), window)
    sheet.open()
    assert sheet.words.toPlainText() == text.rstrip("\r")
    assert sheet.words.isReadOnly()
    sheet.close()
