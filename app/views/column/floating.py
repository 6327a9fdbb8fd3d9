"""What floats over a conversation column: find bar, link card, undo, the way to the end."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QScrollArea

from app.theme import Theme
from app.views.column.find_bar import FindBar
from app.views.column.intents import Intents
from app.views.column.link_card import LinkCard
from app.views.column.overlay import ToEndButton, UndoLine
from app.views.column.reader import Reader

_MARGIN = 12
_FIND_WIDTH, _CARD_WIDTH = 372, 520


class Floating(QObject):
    """Children of the scroll area itself, so that they do not scroll."""

    def __init__(
        self,
        area: QScrollArea,
        theme: Theme,
        intents: Intents,
        reader: Reader,
        find: FindBar,
        make_room: Callable[[int], None],
    ) -> None:
        super().__init__(area)
        self._area, self._reader = area, reader
        self._make_room = make_room
        self.to_end = ToEndButton(theme, area)
        self.undo = UndoLine(area)
        self.link = LinkCard(theme, area)
        self.find = find
        self.undo.undo_requested.connect(intents.undo_requested)
        self.find.closed.connect(self.place)
        intents.link_requested.connect(self._show_link)

    def clear(self) -> None:
        """Another chat will be shown."""
        for each in (self.to_end, self.undo, self.link, self.find):
            each.hide()

    def open_find(self, needle: str = "") -> None:
        """Open the bar, with these words in it if there are any."""
        if needle:
            self.find.field.setText(needle)
        self.find.open()
        self.place()

    def offer_undo(self) -> None:
        """Something was taken out of the chat."""
        self.undo.offer()
        self.place()

    def end_undo(self) -> None:
        """It is back."""
        self.undo.hide()

    def follow(self) -> None:
        """The way to the end is there while the end is not on screen."""
        height = self._area.viewport().height()
        is_away = not self._reader.has_end or self._reader.distance > height // 3
        is_left = not self._reader.follows_end and not self._reader.is_at_end
        self.to_end.setVisible(bool(is_left and is_away))
        if self.to_end.isVisible():
            self.to_end.raise_()

    def place(self) -> None:
        """Put each where it belongs, in the width there is."""
        width, height = self._area.width(), self._area.height()
        self.find.setFixedWidth(min(_FIND_WIDTH, width - 2 * _MARGIN))
        self.find.adjustSize()
        self.find.move(width - self.find.width() - _MARGIN - 8, 8)
        self._make_room(0 if self.find.isHidden() else self.find.height() + 12)
        self.link.fit(min(_CARD_WIDTH, width - 2 * _MARGIN))
        self.undo.adjustSize()
        foot = height - _MARGIN
        for each in (self.link, self.undo, self.to_end):
            each.move((width - each.width()) // 2, foot - each.height())
            if not each.isHidden():
                foot -= each.height() + 8

    def _show_link(self, target: str) -> None:
        self.link.show_link(target)
        self.place()
