"""Where the keyboard is in the column: whose actions are drawn, which version a key chooses."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from app.models.exchange import Exchange, Variant
from app.theme import Theme
from app.views.column.area import ColumnArea
from app.views.column.focus_ring import FocusRing
from app.views.column.intents import Intents
from app.views.column.stretch import Stretch
from app.views.column.turn import Turn

# An edit of a question, or with it one of its answers.
Version = tuple[Exchange, Variant | None]


class Attention(QObject):
    """Follows the focus through the turns that are built; `reveal` scrolls to an exchange.

    `pushed_out`: what had the keyboard in the column went, and Qt found it a place elsewhere.
    """

    pushed_out = Signal()

    def __init__(
        self,
        area: ColumnArea,
        stretch: Stretch,
        intents: Intents,
        theme: Theme,
        reveal: Callable[[Exchange], None],
    ) -> None:
        super().__init__(area)
        self._area, self._stretch, self._intents, self._reveal = area, stretch, intents, reveal
        self._ring = FocusRing(theme, area.content)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    @property
    def is_in_turn(self) -> bool:
        """Whether the keyboard is in a question or a reply."""
        focus = QApplication.focusWidget()
        return focus is not None and any(each.isAncestorOf(focus) for each in self._stretch.turns)

    def add(self, turn: Turn) -> None:
        """A turn was built."""
        turn.reply.text.framed.connect(self._ring.follow)

    def version(self, by: int) -> Version | None:
        """The one beside what is shown: where the keyboard is, else in the last turn that has any.

        Beyond the first and the last answer, the one beside its question.

        None where there is none, or none can be chosen now.
        """
        focus, path = QApplication.focusWidget(), self._stretch.path
        if not path or not self._intents.can_choose:
            return None
        for turn in self._stretch.turns:
            if focus is not None and turn.question.isAncestorOf(focus):
                # What is being written there would be lost.
                return None if turn.is_busy else _edit_beside(turn.exchange, by)
            if focus is not None and turn.reply.isAncestorOf(focus):
                return _answer_beside(turn.exchange, by)
        last = next((each for each in reversed(path) if _has_versions(each)), path[-1])
        return _answer_beside(last, by)

    def choose_version(self, by: int) -> None:
        """Have it chosen, and scroll to it if it is not on screen."""
        version = self.version(by)
        if version is not None:
            self._intents.choose_requested.emit(*version)
            if not self._is_on_screen(version[0]):
                self._reveal(version[0])

    def _is_on_screen(self, exchange: Exchange) -> bool:
        turn = self._stretch.turn_of(exchange)
        return turn is not None and not turn.visibleRegion().isEmpty()

    def _on_focus(self, old: QWidget | None, now: QWidget | None) -> None:
        for turn in self._stretch.turns:
            # When the window is deleted, the keyboard leaves a turn that is gone by half.
            if Shiboken.isValid(turn.question) and Shiboken.isValid(turn.reply):
                turn.show_focus(now)
        if old is not None and now is not None and self._has_left(old, now):
            self.pushed_out.emit()

    def _has_left(self, old: QWidget, now: QWidget) -> bool:
        """Whether the keyboard went because its widget did, and not to a neighbour in the turn."""
        if not Shiboken.isValid(old) or (old.isVisible() and old.isEnabled()):
            return False
        if not self._area.isVisible() or not self._area.isAncestorOf(old):
            return False
        turn = _turn_around(old)
        return turn is None or not turn.isAncestorOf(now)


def _turn_around(widget: QWidget) -> Turn | None:
    at: QWidget | None = widget
    while at is not None and not isinstance(at, Turn):
        at = at.parentWidget()
    return at


def _edit_beside(exchange: Exchange, by: int) -> Version | None:
    edits, at = list(exchange.siblings), exchange.siblings.index + by
    return (edits[at], None) if 0 <= at < len(edits) else None


def _answer_beside(exchange: Exchange, by: int) -> Version | None:
    answers, at = list(exchange.variants), exchange.variants.index + by
    if 0 <= at < len(answers):
        return exchange, answers[at]
    return _edit_beside(exchange, by)


def _has_versions(exchange: Exchange) -> bool:
    return len(exchange.variants) > 1 or len(exchange.siblings) > 1
