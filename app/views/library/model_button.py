"""The header's button with the model's name: how far loading and a download are, and a menu."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.theme import Theme
from app.views.library.loading_words import loading_words
from app.views.library.model_menu import ModelMenu, coming_words
from app.views.library.parts import LibraryParts

_MOST, _FAIR, _LEAST = 220, 172, 92
# Of a name that does not fit this many letters of the end stay: they tell bits apart.
_TAIL = 4
# The ring of a download, and the room it takes.
_RING, _RING_ROOM = 11.0, 18
# What the style sheet puts around the words, and the sign behind them.
_AROUND = 22
_SIGN = " ▾"


class ModelButton(QPushButton):
    """Hidden until it follows models; emits `sheet_requested` with what is to be shown there."""

    sheet_requested = Signal(str)  # a part of the sheet, or a target
    resized = Signal()  # it would have another width

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._parts: LibraryParts | None = None
        self._words = ""
        self._room = _MOST
        self._permille: int | None = None
        # How far a download is, in thousandths; None while nothing is being fetched.
        self._fetched: int | None = None
        self._told = ""
        self.popup = ModelMenu(self)
        self.popup.sheet_requested.connect(self.sheet_requested)
        self.clicked.connect(self.open)
        self.hide()

    def follow(self, parts: LibraryParts) -> None:
        """The models it shows and chooses from, from now on."""
        self._parts = parts
        parts.model.changed.connect(self._follow)
        parts.library.changed.connect(self._follow)
        downloads = parts.downloads
        for changed in (downloads.added, downloads.changed, downloads.removed):
            changed.connect(self._follow_downloads)
        self.show()
        self._follow()
        self._follow_downloads()

    @property
    def _around(self) -> int:
        return _AROUND + (_RING_ROOM if self._fetched is not None else 0)

    @property
    def wanted_width(self) -> int:
        """The width at which all of the name is shown, within reason."""
        self.ensurePolished()
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._words) + metrics.horizontalAdvance(_SIGN)
        return min(max(words + self._around + 2, 60), _MOST)

    @property
    def least_width(self) -> int:
        """What it is given even where there is little room."""
        return min(self.wanted_width, _LEAST)

    @property
    def fair_width(self) -> int:
        """What tells it from others, at the cost of the title's room."""
        return min(self.wanted_width, _FAIR)

    def set_room(self, width: int) -> None:
        """Be no wider than this."""
        width = min(max(width, self.least_width), self.wanted_width)
        if width != self._room or width != self.width():
            self._room = width
            self.setFixedWidth(width)
        self._elide()

    def open(self) -> None:
        """Show the menu."""
        if self._parts is None:
            return
        self.popup.fill(self._parts)
        self.popup.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _follow(self) -> None:
        parts = self._parts
        if parts is None:
            return
        state = parts.model
        named = parts.library.title(state.name) if state.name else state.label
        is_there = state.stage != "none" or state.is_resting
        words = named if is_there and named else self.tr("No model")
        permille = round(state.fraction * 1000) if state.stage == "loading" else None
        if state.stage == "loading":
            done = f"{state.fraction * 100:.0f} %"
            told = self.tr("{0} is loading: {1}, {2}").format(words, loading_words(state), done)
        elif state.stage == "failed" and state.failure is not None:
            told = state.failure.sentence
        elif state.is_resting:
            told = self.tr("{0} was unloaded; it is loaded again when you ask").format(words)
        else:
            told = named if state.stage == "ready" else self.tr("Choose a model")
        if permille != self._permille:
            self._permille = permille
            self.update()
        self._told = told
        self.setAccessibleName(self.tr("Model: {0}").format(words))
        self._tell()
        if words != self._words:
            self._words = words
            self.updateGeometry()
            self.set_room(_MOST)

    def _follow_downloads(self) -> None:
        parts = self._parts
        running = parts.downloads.running if parts is not None else None
        fetched = round(running.fraction * 1000) if running is not None else None
        if parts is None or fetched == self._fetched:
            return
        is_other_width = (fetched is None) != (self._fetched is None)
        self._fetched = fetched
        self._tell()
        self.popup.follow(parts)
        self.update()
        if is_other_width:
            self.updateGeometry()
            self.set_room(_MOST)
            self.resized.emit()

    def _tell(self) -> None:
        """In the tooltip, and to who cannot see: the model, and what is being fetched."""
        coming = coming_words(self._parts) if self._parts is not None else ""
        self.setToolTip("\n".join(part for part in (self._told, coming) if part))
        told = self._told if self._told != self._words else ""
        self.setAccessibleDescription(". ".join(part for part in (told, coming) if part))

    def _elide(self) -> None:
        self.ensurePolished()
        metrics = self.fontMetrics()
        room = self._room - self._around - metrics.horizontalAdvance(_SIGN)
        shown = _elided(self._words, metrics, room)
        text = shown.replace("&", "&&") + _SIGN
        if text != self.text():
            self.setText(text)

    def sizeHint(self) -> QSize:
        return QSize(self._room, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            if self._fetched is not None:
                self._paint_ring(painter, self._fetched / 1000)
            if self._permille is not None:
                self._paint_groove(painter, self._permille / 1000)

    def _paint_ring(self, painter: QPainter, share: float) -> None:
        """A download, at the end of the button."""
        colors = self._theme.palette
        ring = QRectF(0, 0, _RING, _RING)
        ring.moveCenter(QPointF(self.width() - 9 - _RING / 2, self.height() / 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colors.border), 2.5))
        painter.drawEllipse(ring)
        painter.setPen(QPen(QColor(colors.accent), 2.5, c=Qt.PenCapStyle.RoundCap))
        # From the top, clockwise, in sixteenths of a degree; a little of it is seen from the start.
        painter.drawArc(ring, 90 * 16, -round(max(share, 0.04) * 360 * 16))

    def _paint_groove(self, painter: QPainter, share: float) -> None:
        """Loading, along the lower edge."""
        colors = self._theme.palette
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(8, self.height() - 4.5, self.width() - 16, 2.5)
        for color, part_of in ((colors.border, 1.0), (colors.accent, share)):
            painter.setBrush(QColor(color))
            part = QRectF(groove)
            part.setWidth(groove.width() * part_of)
            painter.drawRoundedRect(part, 1.25, 1.25)


def _elided(words: str, metrics: QFontMetrics, room: int) -> str:
    """Short in the middle: families and sizes stand at the beginning, bits at the end."""
    if metrics.horizontalAdvance(words) <= room:
        return words
    head, tail = words[:-_TAIL], words[-_TAIL:]
    left = room - metrics.horizontalAdvance(tail)
    return metrics.elidedText(head, Qt.TextElideMode.ElideRight, left) + tail
