"""Finds words in a chat, shown or not yet built, and lights them up in either look."""

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtCore import QObject, QRectF, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QScrollArea, QTextEdit, QWidget

from app.models.exchange import Exchange
from app.theme import Theme
from app.views.column.find_bar import FindBar
from app.views.column.hits import MOST, Hit, all_hits
from app.views.column.stretch import Stretch
from app.views.column.turn import Turn
from app.views.reply_text import ReplyText
from app.views.scrolling import lay_out, scroll_to

_PAUSE_MS = 120
_TURN_SECONDS = 0.012
_MOST_LIGHTS = 400


class Finder(QObject):
    """`reveal` builds the turn of an exchange; the finder scrolls to the words in it."""

    def __init__(
        self,
        area: QScrollArea,
        bar: FindBar,
        stretch: Stretch,
        theme: Theme,
        reveal: Callable[[Exchange], Turn | None],
    ) -> None:
        super().__init__(area)
        self._area, self._bar, self._stretch = area, bar, stretch
        self._theme, self._reveal = theme, reveal
        self._needle = ""
        self._hits: list[Hit] = []
        self._index = -1
        self._search: Iterator[list[Hit]] | None = None
        self._by_text: dict[tuple[Exchange, bool], list[Hit]] = {}
        self._pause, self._work = self._timer(_PAUSE_MS), self._timer(0)
        self._arrival = self._timer(0)
        self._pause.timeout.connect(self._begin)
        self._work.timeout.connect(self._go_on)
        self._arrival.timeout.connect(self._arrive)
        bar.needle_changed.connect(self._on_needle)
        bar.moved.connect(self.move)
        bar.closed.connect(self.clear)

    @property
    def hits(self) -> list[Hit]:
        """All that was found so far, in order."""
        return self._hits

    @property
    def current(self) -> Hit | None:
        """The one that is shown."""
        return self._hits[self._index] if 0 <= self._index < len(self._hits) else None

    @property
    def is_settled(self) -> bool:
        """Whether all was searched, and the match that is shown is on screen."""
        return not any(timer.isActive() for timer in (self._pause, self._work, self._arrival))

    def clear(self) -> None:
        """Nothing is looked for any more."""
        for timer in (self._pause, self._work, self._arrival):
            timer.stop()
        self._needle, self._hits, self._index = "", [], -1
        self._search = None
        self._by_text.clear()
        self.light_all()

    def search_again(self) -> None:
        """The chat reads differently now."""
        if self._needle:
            self._pause.start()

    def move(self, by: int) -> None:
        """To the next match, or the one before; round at the ends."""
        if self._pause.isActive():
            self._begin()
        if self._hits:
            self._index = (self._index + by) % len(self._hits)
            self._show()

    def light_all(self) -> None:
        """Light up every built turn anew."""
        for turn in self._stretch.turns:
            self.light(turn)

    def light(self, turn: Turn) -> None:
        """Light up what was found in a turn; nothing, if nothing is looked for."""
        self._light_text(turn.bubble.body, turn.exchange, is_reply=False)
        body = turn.reply.body
        if body.is_tokens:
            self._light_text(body.text, turn.exchange, is_reply=True)
        elif body.prose is not None and not self._needle:
            body.prose.clear_matches()
        elif body.prose is not None and (turn.exchange, True) in self._by_text:
            body.prose.matches(self._needle)

    def _on_needle(self, needle: str) -> None:
        if needle:
            self._needle = needle
            self._pause.start()
        else:
            self.clear()
        self._bar.show_place(-1, -1)

    def _begin(self) -> None:
        self._pause.stop()
        self._hits, self._index = [], -1
        self._by_text.clear()
        self._search = all_hits(self._stretch.path, self._needle)
        self._go_on()

    def _go_on(self) -> None:
        """A helping of texts a turn."""
        end = perf_counter() + _TURN_SECONDS
        while self._search is not None and perf_counter() < end:
            found = next(self._search, None)
            if found is None or len(self._hits) >= MOST:
                self._finish()
                return
            self._hits += found
            for hit in found:
                self._by_text.setdefault((hit.exchange, hit.is_reply), []).append(hit)
        if self._search is not None:
            self._work.start()

    def _finish(self) -> None:
        """All was searched: the match nearest to what is read comes first."""
        self._search = None
        self.light_all()
        shown = next((t for t in self._stretch.turns if self._is_on_screen(t)), None)
        order = {exchange: number for number, exchange in enumerate(self._stretch.path)}
        at = order.get(shown.exchange, 0) if shown is not None else 0
        behind = (n for n, hit in enumerate(self._hits) if order.get(hit.exchange, 0) >= at)
        self._index = next(behind, 0 if self._hits else -1)
        self._show()

    def _is_on_screen(self, turn: Turn) -> bool:
        return turn.mapTo(self._area.viewport(), turn.rect().bottomLeft()).y() > 0

    def _show(self) -> None:
        self._bar.show_place(self._index, len(self._hits))
        hit = self.current
        if hit is not None and self._reveal(hit.exchange) is not None:
            self._arrival.start()

    def _arrive(self) -> None:
        """Scroll there, once the text is set."""
        hit = self.current
        turn = self._stretch.turn_of(hit.exchange) if hit is not None else None
        if hit is None or turn is None:
            return
        if hit.is_reply and not turn.reply.body.is_whole:
            self._arrival.start()
            return
        where, rect = self._place_of(turn, hit)
        if where is not None:
            lay_out(self._area, where)
            scroll_to(self._area, where, rect)

    def _place_of(self, turn: Turn, hit: Hit) -> tuple[QWidget | None, QRectF]:
        body = turn.reply.body
        if hit.is_reply and not body.is_tokens and body.prose is not None:
            found = body.prose.matches(self._needle)
            if not found:
                # Only its source has the words: a mark, or where a link leads.
                return turn.reply, QRectF(turn.reply.rect())
            return body.prose, QRectF(body.prose.show_match(min(hit.number, len(found) - 1)))
        text = body.text if hit.is_reply else turn.bubble.body
        if not hit.is_reply:
            turn.bubble.reveal(hit.end)
        lay_out(self._area, text)
        self.light_all()
        bounds = QRectF()
        start, end = text.paragraphs.position_of(hit.start), text.paragraphs.position_of(hit.end)
        for rect in text.lines.range_rects(start, end):
            bounds = bounds.united(rect)
        return text, bounds

    def _light_text(self, text: ReplyText, exchange: Exchange, *, is_reply: bool) -> None:
        lights: list[QTextEdit.ExtraSelection] = []
        for hit in self._by_text.get((exchange, is_reply), [])[:_MOST_LIGHTS]:
            lights.append(self._light(text, hit, is_current=hit is self.current))
        current = self.current
        if current is not None and (current.exchange, current.is_reply) == (exchange, is_reply):
            lights.append(self._light(text, current, is_current=True))
        if lights or text.extraSelections():
            text.setExtraSelections(lights)

    def _light(self, text: ReplyText, hit: Hit, *, is_current: bool) -> QTextEdit.ExtraSelection:
        colors, cursor = self._theme.palette, QTextCursor(text.document())
        cursor.setPosition(text.paragraphs.position_of(hit.start))
        cursor.setPosition(text.paragraphs.position_of(hit.end), QTextCursor.MoveMode.KeepAnchor)
        light, how = QTextEdit.ExtraSelection(), QTextCharFormat()
        how.setBackground(QColor(colors.accent if is_current else colors.selection))
        how.setForeground(QColor(colors.on_accent if is_current else colors.text))
        light.cursor, light.format = cursor, how
        return light

    def _timer(self, interval: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        return timer
