"""Whether replies show tokens or Markdown, and which kinds of token."""

from PySide6.QtCore import QObject, Signal

from engine import ORIGINS, Origin


class TokenDisplay(QObject):
    """One switch for the token view, one toggle for each kind; the same for every reply."""

    changed = Signal()

    def __init__(self, is_on: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_on = is_on
        self._hidden: frozenset[Origin] = frozenset()

    @property
    def shown(self) -> frozenset[Origin]:
        """The kinds to tint and underline now."""
        return frozenset(ORIGINS) - self._hidden if self.is_on else frozenset()

    def is_kind_on(self, origin: Origin) -> bool:
        """Whether a kind's own toggle is on."""
        return origin not in self._hidden

    def set_on(self, is_on: bool) -> None:
        """The token view on, or off: Markdown."""
        if is_on != self.is_on:
            self.is_on = is_on
            self.changed.emit()

    def toggle(self) -> None:
        """The other look of the replies: tokens, or Markdown."""
        self.set_on(not self.is_on)

    def set_kind(self, origin: Origin, is_on: bool) -> None:
        """One kind on or off."""
        hidden = self._hidden - {origin} if is_on else self._hidden | {origin}
        if hidden != self._hidden:
            self._hidden = hidden
            self.changed.emit()
