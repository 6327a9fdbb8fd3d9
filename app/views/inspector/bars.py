"""One bar in parts: the phases of a step, where a reply's time went, steps with a draft."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from app.theme import Theme
from app.views.inspector.frame import Frame
from app.views.inspector.patterns import Kind, Patterns

_HEIGHT = 20
_INSET = 3
# A phase that took any time is seen, however short it was.
SHORTEST = 2.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the whole, how it is filled, and what is said of it."""

    kind: Kind
    value: float
    words: str


def widths(values: list[float], room: float) -> list[float]:
    """Pixels for values that share `room`; those above 0 get at least `SHORTEST`."""
    total = sum(values)
    if total <= 0:
        return [0.0] * len(values)
    plain = [value / total * room for value in values]
    lifted = [max(width, SHORTEST) if width > 0 else 0.0 for width in plain]
    # What the shortest were given is taken from the others in proportion.
    extra = sum(lifted) - room
    spare = sum(width - SHORTEST for width in lifted if width > SHORTEST)
    factor = 1 - extra / spare if spare > 0 else 1.0
    return [
        SHORTEST + (width - SHORTEST) * factor if width > SHORTEST else width for width in lifted
    ]


class PartsBar(Frame):
    """Draws the parts side by side, in their order."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._patterns = Patterns(theme)
        self._parts: tuple[Part, ...] = ()
        self.setFixedHeight(_HEIGHT)

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Other values."""
        if parts != self._parts:
            self._parts = parts
            self.describe(", ".join(part.words for part in parts if part.value > 0))
            self.update()

    def rects(self) -> list[QRectF]:
        """Where each part is drawn."""
        room = self.width()
        found, x = [], 0.0
        for width in widths([part.value for part in self._parts], room):
            found.append(QRectF(x, _INSET, width, self.height() - 2 * _INSET))
            x += width
        return found

    def words_at(self, place: QPoint) -> str:
        """The part under the mouse."""
        for part, rect in zip(self._parts, self.rects(), strict=True):
            if rect.left() <= place.x() < rect.right():
                return part.words
        return ""

    def paint(self, painter: QPainter) -> None:
        """The parts, or the empty bar."""
        if not any(part.value > 0 for part in self._parts):
            whole = QRectF(0, _INSET, self.width(), self.height() - 2 * _INSET)
            painter.fillRect(whole, QColor(self.theme.palette.hover))
        for part, rect in zip(self._parts, self.rects(), strict=True):
            self._patterns.fill(painter, part.kind, rect)

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT)
