"""A notification: only for long replies, only to who is elsewhere, and no word too many."""

import pytest
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from app.controllers.notifying import Notifier
from app.main.announcing import DesktopAnnouncer
from app.models.conversation import Conversation
from app.models.reply import Piece
from engine import Failed


class Bench:
    """A notifier with a clock, a desktop and a chat of its own."""

    def __init__(self) -> None:
        self.time, self.is_active = 100.0, False
        self.told: list[tuple[str, str]] = []
        self.notifier = Notifier(self, lambda: self.is_active, clock=lambda: self.time)
        self.chat = Conversation()
        self.exchange = self.chat.ask("How tall is the tower?")
        reply = self.exchange.reply
        reply.pieces = [Piece("<think>secret</think>It is\n\n300 m tall.", 0, (), 0)]
        reply.phase, reply.stop = "finished", "eos"

    def announce(self, title, words):
        self.told.append((title, words))

    def answer(self, seconds=11.0):
        self.notifier.follow(self.exchange)
        self.time += seconds
        self.notifier.follow(None)
        self.notifier.on_answered(self.chat, self.exchange)
        return self.told


@pytest.fixture
def bench(qapp):
    return Bench()


def test_the_title_of_the_chat_and_no_word_of_the_reply(bench):
    assert bench.answer() == [("A reply is ready", "How tall is the tower?")]


def test_words_only_where_they_are_allowed_and_no_thoughts(bench):
    bench.notifier.shows_words = True
    ((_, words),) = bench.answer()
    assert words == "How tall is the tower?\nIt is 300 m tall."


def test_long_words_are_cut(bench):
    bench.notifier.shows_words = True
    bench.exchange.reply.pieces = [Piece("word " * 100_000, 0, (), 0)]
    ((_, words),) = bench.answer()
    assert len(words) < 200
    assert words.endswith("…")


def test_a_failure_is_one(bench):
    bench.exchange.reply.failure = Failed(0, "No memory.")
    assert bench.answer() == [("A reply could not be finished", "How tall is the tower?")]


def test_not_for_a_short_one_nor_while_the_window_is_in_front(bench):
    assert bench.answer(9.0) == []
    bench.is_active = True
    assert bench.answer() == []


def test_not_when_it_is_off_nor_for_what_was_stopped(bench):
    bench.notifier.is_on = False
    assert bench.answer() == []
    bench.notifier.is_on = True
    bench.exchange.reply.stop = "cancelled"
    assert bench.answer() == []


def test_a_comparison_is_no_reply(bench):
    bench.notifier.follow(object())
    bench.time += 20
    bench.notifier.on_answered(bench.chat, bench.exchange)
    assert bench.told == []


# The tests' desktop has neither a tray nor windows that can be raised.
@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "does not support raise", extend=True)
def test_the_desktop_shows_it_and_puts_its_icon_away(qtbot, qapp, monkeypatch):
    window = QWidget()
    qtbot.addWidget(window)
    shown = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
    monkeypatch.setattr(
        QSystemTrayIcon, "showMessage", lambda self, title, words, icon: shown.append(title)
    )
    announcer = DesktopAnnouncer(window, window)
    announcer.announce("A reply is ready", "Title")
    announcer.announce("A reply is ready", "Title")
    assert shown == ["A reply is ready"] * 2
    (tray,) = announcer.findChildren(QSystemTrayIcon)
    chosen = []
    announcer.chosen.connect(lambda: chosen.append(1))
    tray.messageClicked.emit()
    assert chosen == [1]
    assert window.isVisible()
    assert not tray.isVisible()


def test_a_desktop_without_a_tray_is_none(qtbot, monkeypatch):
    window = QWidget()
    qtbot.addWidget(window)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    announcer = DesktopAnnouncer(window, window)
    announcer.announce("A reply is ready", "Title")
    assert announcer.findChildren(QSystemTrayIcon) == []
