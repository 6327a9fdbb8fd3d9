"""Lights on the matches of a search, in whatever look a text has."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from weakref import WeakSet

from PySide6.QtCore import QObject, QRectF, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.models.exchange import Exchange
from app.theme import Theme
from app.views.column.hits import Hit
from app.views.column.stretch import Stretch
from app.views.column.turn import Turn
from app.views.markdown.view import MarkdownView
from app.views.reply_text import ReplyText

_MOST = 400
_TURN_SECONDS = 0.012
# What was found, by exchange; True is the reply to it.
Found = Mapping[tuple[Exchange, bool], Sequence[Hit]]


class Lights(QObject):
    """Of the turns that are built; many are lit over several turns of the event loop."""

    def __init__(self, stretch: Stretch, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._stretch, self._theme = stretch, theme
        self._needle, self._is_tokens = "", False
        self._found: Found = {}
        self._current: Hit | None = None
        self._unlit: dict[Turn, None] = {}
        # Whose Markdown is lit up.
        self._lit: WeakSet[Turn] = WeakSet()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self._light_rest)

    @property
    def is_settled(self) -> bool:
        """Whether all is lit."""
        return not self._rest.isActive()

    def show(self, needle: str, found: Found, current: Hit | None, *, is_tokens: bool) -> None:
        """Light up what was found in one of the looks; nothing of it, without a needle."""
        self._needle, self._found, self._current = needle, found, current
        self._is_tokens = is_tokens
        self._unlit = dict.fromkeys(self._stretch.turns)
        self._light_rest()

    def move(self, current: Hit, turn: Turn) -> None:
        """Another match is shown, in this turn."""
        last, self._current = self._current, current
        before = self._stretch.turn_of(last.exchange) if last is not None else None
        for each in dict.fromkeys((before, turn)):
            if each is not None:
                self.light(each)

    def light(self, turn: Turn) -> None:
        """Light up what was found in a turn; nothing, if nothing is looked for."""
        exchange, bubble, body = turn.exchange, turn.bubble, turn.reply.body
        found = self._found.get((exchange, False), ())
        found = [hit for hit in found if hit.end <= bubble.num_shown]
        _light_text(bubble.body, self._theme, found, self._current)
        if body.is_tokens:
            found = list(self._found.get((exchange, True), ())) if self._is_tokens else []
            _light_text(body.text, self._theme, found, self._current)
        elif body.prose is not None:
            self._light_prose(turn, body.prose)

    def show_in(self, prose: MarkdownView, hit: Hit) -> QRectF:
        """Where a match is in Markdown; all of it where the reply grew and reads differently."""
        found = prose.matches(self._needle)
        if not found:
            return QRectF(prose.rect())
        return QRectF(prose.show_match(min(hit.number, len(found) - 1)))

    def _light_prose(self, turn: Turn, prose: MarkdownView) -> None:
        """What was found in Markdown, once all of it is set."""
        hit = self._current
        if self._is_tokens or (turn.exchange, True) not in self._found:
            if turn in self._lit:
                self._lit.discard(turn)
                prose.clear_matches()
        elif not turn.reply.body.is_whole:
            self._unlit[turn] = None
            self._rest.start()
        else:
            self._lit.add(turn)
            if hit is not None and hit.is_reply and hit.exchange is turn.exchange:
                self.show_in(prose, hit)
            else:
                prose.matches(self._needle)

    def _light_rest(self) -> None:
        """Turns that were not lit yet, or whose text was still being set."""
        self._rest.stop()
        waiting, self._unlit = list(self._unlit), {}
        end = perf_counter() + _TURN_SECONDS
        for number, turn in enumerate(waiting):
            if number and perf_counter() > end:
                self._unlit |= dict.fromkeys(waiting[number:])
                self._rest.start()
                return
            if turn in self._stretch.turns:
                self.light(turn)


def _light_text(text: ReplyText, theme: Theme, found: Sequence[Hit], current: Hit | None) -> None:
    """Light up these matches and no others, the current one most."""
    lights = [_light(text, theme, hit, is_current=hit is current) for hit in found[:_MOST]]
    # Over the others, and there in any case.
    if current is not None and current in found:
        lights.append(_light(text, theme, current, is_current=True))
    if lights or text.extraSelections():
        text.setExtraSelections(lights)


def _light(
    text: ReplyText, theme: Theme, hit: Hit, *, is_current: bool
) -> QTextEdit.ExtraSelection:
    colors, cursor = theme.palette, QTextCursor(text.document())
    cursor.setPosition(text.paragraphs.position_of(hit.start))
    cursor.setPosition(text.paragraphs.position_of(hit.end), QTextCursor.MoveMode.KeepAnchor)
    light, how = QTextEdit.ExtraSelection(), QTextCharFormat()
    how.setBackground(QColor(colors.accent if is_current else colors.selection))
    how.setForeground(QColor(colors.on_accent if is_current else colors.text))
    light.cursor, light.format = cursor, how
    return light
