"""Finds words in a chat, shown or not yet built, and lights them up in either look."""

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtCore import QObject, QRectF, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.theme import Theme
from app.views.column.find_bar import FindBar
from app.views.column.hits import MOST, Hit, all_hits, nearest, place_of
from app.views.column.lights import Lights
from app.views.column.shown_words import ShownWords
from app.views.column.stretch import Stretch
from app.views.column.turn import Turn
from app.views.scrolling import lay_out, scroll_to

_PAUSE_MS = 120
_TURN_SECONDS = 0.012


class Finder(QObject):
    """`reveal` builds the turn of an exchange; the finder scrolls to the words in it."""

    def __init__(
        self,
        area: QScrollArea,
        bar: FindBar,
        stretch: Stretch,
        theme: Theme,
        display: TokenDisplay,
        reveal: Callable[[Exchange], Turn | None],
    ) -> None:
        super().__init__(area)
        self._area, self._bar, self._stretch = area, bar, stretch
        self._display, self._reveal = display, reveal
        self._needle = ""
        self._hits: list[Hit] = []
        self._index = -1
        # The look that was searched, and the match that was shown before.
        self._is_tokens = display.is_on
        self._before: Hit | None = None
        self._is_moving = False
        self._shown = ShownWords()
        self._search: Iterator[list[Hit]] | None = None
        self._by_text: dict[tuple[Exchange, bool], list[Hit]] = {}
        self._lights = Lights(stretch, theme, self)
        self._pause, self._work = self._timer(_PAUSE_MS), self._timer(0)
        self._arrival = self._timer(0)
        self._pause.timeout.connect(self._begin)
        self._work.timeout.connect(self._go_on)
        self._arrival.timeout.connect(self._arrive)
        bar.needle_changed.connect(self._on_needle)
        bar.moved.connect(self.move)
        bar.closed.connect(self._on_closed)
        display.changed.connect(self._on_display)

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
        """Whether all was searched and lit, and the match that is shown is on screen."""
        return self._lights.is_settled and not any(each.isActive() for each in self._timers)

    @property
    def _timers(self) -> tuple[QTimer, ...]:
        return self._pause, self._work, self._arrival

    def clear(self) -> None:
        """Nothing is looked for any more."""
        for timer in self._timers:
            timer.stop()
        self._needle, self._hits, self._index, self._before = "", [], -1, None
        self._search = None
        self._by_text.clear()
        self._light_all()

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

    def add(self, turn: Turn) -> None:
        """A turn was built."""
        turn.bubble.unfolded.connect(lambda: self.light(turn))
        self.light(turn)

    def light(self, turn: Turn) -> None:
        """Light up what was found in a turn; nothing, if nothing is looked for."""
        self._lights.light(turn)

    def _on_needle(self, needle: str) -> None:
        if needle:
            self._needle, self._is_moving = needle, True
            self._pause.start()
        else:
            self.clear()
        self._bar.show_place(-1, -1)

    def _on_closed(self) -> None:
        self.clear()
        self._shown.clear()

    def _on_display(self) -> None:
        """Each look has words of its own: what was found in one does not hold in the other."""
        if self._needle and self._display.is_on != self._is_tokens:
            self._begin()

    def _begin(self) -> None:
        for timer in self._timers:
            timer.stop()
        self._before = self.current or self._before
        self._hits, self._index, self._is_tokens = [], -1, self._display.is_on
        self._by_text.clear()
        shown = None if self._is_tokens else self._shown
        self._search = all_hits(self._stretch.path, self._needle, shown)
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
        """All was searched: to the match nearest to what is read; a new search keeps its place."""
        self._search = None
        before, self._before = self._before, None
        is_moving, self._is_moving = self._is_moving or before is None, False
        if before is None or is_moving:
            seen = next((t.exchange for t in self._stretch.turns if self._is_on_screen(t)), None)
            self._index = nearest(self._hits, self._stretch.path, seen)
        else:
            self._index = nearest(self._hits, self._stretch.path, *place_of(before))
        self._light_all()
        if is_moving:
            self._show()
        else:
            self._bar.show_place(self._index, len(self._hits))

    def _light_all(self) -> None:
        self._lights.show(self._needle, self._by_text, self.current, is_tokens=self._is_tokens)

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
        body = turn.reply.body
        if hit.is_reply and not (body.is_whole and body.is_tokens == self._is_tokens):
            self._arrival.start()
            return
        where, rect = self._place_of(turn, hit)
        lay_out(self._area, where)
        scroll_to(self._area, where, rect)

    def _place_of(self, turn: Turn, hit: Hit) -> tuple[QWidget, QRectF]:
        """Where a match is, lit up as the one that is shown."""
        body = turn.reply.body
        if not hit.is_reply:
            turn.bubble.reveal(hit.end)
        self._lights.move(hit, turn)
        if hit.is_reply and not body.is_tokens and body.prose is not None:
            return body.prose, self._lights.show_in(body.prose, hit)
        text = body.text if hit.is_reply else turn.bubble.body
        lay_out(self._area, text)
        bounds = QRectF()
        start, end = text.paragraphs.position_of(hit.start), text.paragraphs.position_of(hit.end)
        for rect in text.lines.range_rects(start, end):
            bounds = bounds.united(rect)
        return text, bounds

    def _timer(self, interval: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        return timer
