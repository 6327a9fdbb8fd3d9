"""Which turns of a chat are built: a stretch around what is read, the rest are only known."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtWidgets import QVBoxLayout

from app.models.exchange import Exchange
from app.views.column.turn import Turn

# Built at once; then as many as are kept ready; then as many as there may ever be.
FIRST, READY, MOST = 3, 12, 48
# What is built has to be set as well, in the same turn of the event loop.
_HELPING_SECONDS = 0.004


class Stretch:
    """Turns `first`.. of the path, as widgets of a layout, behind its first item."""

    def __init__(
        self,
        layout: QVBoxLayout,
        make: Callable[[Exchange], Turn],
        gone: Callable[[Turn], None],
    ) -> None:
        # `gone` is to delete the turn, when there is time for it.
        self._layout, self._make, self._gone = layout, make, gone
        self.path: list[Exchange] = []
        self.first = 0
        self.turns: list[Turn] = []

    @property
    def end(self) -> int:
        """Behind the last one that is built."""
        return self.first + len(self.turns)

    @property
    def has_end(self) -> bool:
        """Whether the last turn of the chat is built."""
        return self.end == len(self.path)

    def turn_of(self, exchange: Exchange) -> Turn | None:
        """The turn of an exchange, if it is built."""
        return next((turn for turn in self.turns if turn.exchange is exchange), None)

    def set_path(self, path: list[Exchange]) -> None:
        """Another path: what it has in common with the old one, up to where they part, stays.

        The old one may have begun in the middle of it, as long as its beginning was not there.
        """
        same, old = 0, self.path
        if old and path and path[0] is not old[0] and old[0] in path:
            above = path[: path.index(old[0])]
            self.first += len(above)
            old = above + old
        while same < min(len(path), len(old)) and path[same] is old[same]:
            same += 1
        self.path = list(path)
        while self.turns and self.end > same:
            self._drop(-1)
        if not self.turns:
            self.first = len(path)
            self.build_newest()
        elif not self.has_end and self.end == same:
            self.grow_down(FIRST)

    def build_newest(self) -> None:
        """The last ones, and no others."""
        self.build_at(max(len(self.path) - FIRST, 0))

    def build_at(self, index: int) -> None:
        """Some turns from this one on, and no others."""
        while self.turns:
            self._drop(-1)
        self.first = min(index, len(self.path))
        self.grow_down(FIRST)

    def add(self, exchange: Exchange) -> None:
        """One more at the end of the path; built where the end is built."""
        is_next = self.has_end
        self.path.append(exchange)
        if is_next:
            self.grow_down(1)

    def grow_up(self) -> None:
        """Build earlier ones: a helping."""
        end = perf_counter() + _HELPING_SECONDS
        while self.first:
            self.first -= 1
            turn = self._make(self.path[self.first])
            self.turns.insert(0, turn)
            self._layout.insertWidget(1, turn)
            turn.show()
            if perf_counter() > end:
                break

    def grow_down(self, most: int = READY) -> None:
        """Build later ones: a helping, or so many."""
        end = perf_counter() + _HELPING_SECONDS
        while not self.has_end and most > 0:
            turn = self._make(self.path[self.end])
            self.turns.append(turn)
            self._layout.insertWidget(len(self.turns), turn)
            turn.show()
            most -= 1
            if perf_counter() > end:
                break

    def trim(self, is_far: Callable[[Turn], bool]) -> None:
        """Let go of far ones, where there are very many, from the longer side."""
        while len(self.turns) > MOST:
            at = next((n for n in (0, -1) if is_far(self.turns[n])), None)
            if at is None or self.turns[at].is_busy:
                return
            self._drop(at)

    def tell_places(self, begin: int | None) -> None:
        """Tell each turn whether it is the last, and whether the prompt begins only there."""
        for turn in self.turns:
            exchange = turn.exchange
            turn.set_cut(exchange.id == begin and exchange is not self.path[0])
            turn.reply.set_last(exchange is self.path[-1])

    def _drop(self, at: int) -> None:
        turn = self.turns.pop(at)
        if at == 0:
            self.first += 1
        self._layout.removeWidget(turn)
        turn.hide()
        self._gone(turn)
