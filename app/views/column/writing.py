"""Leads to where text is added, once each time that a reply begins to grow."""

from collections.abc import Callable

from PySide6.QtWidgets import QScrollArea

from app.models.exchange import Exchange
from app.views.column.stretch import Stretch


class Writing:
    """Who scrolls away while a reply grows is left there."""

    def __init__(self, area: QScrollArea, stretch: Stretch, to_end: Callable[[], None]) -> None:
        self._area, self._stretch, self._to_end = area, stretch, to_end
        self._growing: Exchange | None = None

    def clear(self) -> None:
        """Another chat will be shown."""
        self._growing = None

    def follow(self, exchange: Exchange) -> None:
        """An exchange of the chat is new, or has changed."""
        if exchange.reply.is_over:
            self._growing = None if exchange is self._growing else self._growing
        elif exchange is not self._growing:
            self._growing = exchange
            self._show(exchange)

    def _show(self, exchange: Exchange) -> None:
        turn = self._stretch.turn_of(exchange)
        if self._stretch.path[-1:] == [exchange]:
            self._to_end()
        elif turn is not None:
            self._area.ensureWidgetVisible(turn.reply.row)
