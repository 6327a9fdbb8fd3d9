"""Asks for how stored replies came to be, once each, when somebody looks at them."""

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QScrollArea

from app.models.display import TokenDisplay
from app.models.exchange import Variant
from app.models.inspection import Inspection
from app.views.column.intents import Intents
from app.views.column.stretch import Stretch


class Wanted(QObject):
    """Of the replies on screen in the token view, and the one that is inspected."""

    def __init__(
        self,
        area: QScrollArea,
        display: TokenDisplay,
        inspection: Inspection,
        intents: Intents,
        stretch: Stretch,
    ) -> None:
        super().__init__(area)
        self._area, self._display, self._inspection = area, display, inspection
        self._intents, self._stretch = intents, stretch
        self._asked: set[Variant] = set()

    def begin(self) -> None:
        """Another chat is shown."""
        self._asked.clear()

    def look(self) -> None:
        """Ask for what is looked at now."""
        height = self._area.viewport().height()
        is_tokens = self._display.is_on and self._area.isVisible()
        for turn in self._stretch.turns:
            variant = turn.exchange.variant
            if not variant.is_stored or variant in self._asked:
                continue
            top = turn.mapTo(self._area.viewport(), QPoint(0, 0)).y()
            is_seen = is_tokens and top < height and top + turn.height() > 0
            if is_seen or self._inspection.reply is variant.reply:
                self._asked.add(variant)
                self._intents.tokens_wanted.emit(turn.exchange)
