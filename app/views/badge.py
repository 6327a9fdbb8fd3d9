"""The header's pill: whether speculation is on, in as many words as there is room for."""

from PySide6.QtWidgets import QWidget

from app.views.controls import Pill, Tone
from app.views.tooltip import wrapped

_DOT = "●"
_PARTS = " · "


class Badge(Pill):
    """Shortens itself to its last words, then to a dot; who cannot see hears all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._why = "", ""
        self._tone: Tone = "neutral"
        self._room: int | None = None

    def show_state(self, text: str, tone: Tone, why: str = "") -> None:
        """Change words and colour; the reason becomes the tooltip."""
        if (text, tone, why) != (self._words, self._tone, self._why):
            self._words, self._tone, self._why = text, tone, why
            self._show()

    def set_room(self, width: int) -> None:
        """Be no wider than this, as far as a dot can be."""
        if width != self._room:
            self._room = width
            self._show()

    def _show(self) -> None:
        shown = self._fitting()
        if shown != self.text() or self._tone != self.property("tone"):
            super().show_state(shown, self._tone)
        told = f"{self._words}. {self._why}" if self._why else self._words
        self.setAccessibleName(told)
        self.setToolTip(wrapped(self._why if shown == self._words else told))

    def _fitting(self) -> str:
        """The longest form that there is room for."""
        if self._room is None or not self._words:
            return self._words
        self.ensurePolished()
        metrics = self.fontMetrics()
        # What the style sheet puts around the words.
        around = self.sizeHint().width() - metrics.horizontalAdvance(self.text())
        # Whether it is on is in the colour, too; what it comes to is not.
        for form in (self._words, self._words.rpartition(_PARTS)[2]):
            if metrics.horizontalAdvance(form) + around <= self._room:
                return form
        return _DOT
