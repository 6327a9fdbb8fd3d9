"""What a model thought: open and muted while it grows, folded to one line once it is complete."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.views.markdown.column import Column
from app.views.markdown.look import Look

_INSET = 16
_GAP = 6
_BAR = 2.0


class ThinkingBlock(QWidget):
    """A line that folds and unfolds what lies below it."""

    resized = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = Look(look.theme, look.pixels - 1, is_muted=True)
        self.column = Column(self._look, self)
        self.column.resized.connect(self._place)
        self._button = QPushButton(self)
        self._button.setObjectName("quiet")
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.setCheckable(True)
        self._button.setChecked(True)
        self._button.toggled.connect(self._on_toggled)
        self._is_closed = False
        self._seconds: float | None = None
        self._width = 0
        self.content_height = 0
        self._name()

    @property
    def is_open(self) -> bool:
        """Whether the thoughts can be seen."""
        return self._button.isChecked()

    @property
    def title(self) -> str:
        """The line above."""
        return self._button.text()

    def set_open(self, is_open: bool) -> None:
        """Fold or unfold."""
        self._button.setChecked(is_open)

    def finish(self, *, folds: bool = True) -> None:
        """It is complete: fold it, unless nothing else is to be seen."""
        self.column.finish()
        if not self._is_closed:
            self._is_closed = True
            self.set_open(self.is_open and not folds)
            self._name()

    def set_seconds(self, seconds: float | None) -> None:
        """How long it took, where that is known."""
        self._seconds = seconds
        self._name()

    def restyle(self, pixels: int) -> None:
        """Colours or sizes changed."""
        self._look.pixels = pixels - 1
        self.column.restyle()
        self._name()
        self.update()

    def fit(self, width: int) -> None:
        """Take a width."""
        self._width = width
        self.column.fit(max(width - _INSET, 40) if width else 0)
        self._place()

    def _name(self) -> None:
        if not self._is_closed:
            words = self.tr("Thinking…")
        elif self._seconds is None:
            words = self.tr("Thoughts")
        elif self._seconds < 1:
            words = self.tr("Thought for a moment")
        else:
            words = self.tr("Thought for {0}").format(_span(self._seconds))
        self._button.setText(f"{words}  {'▾' if self.is_open else '▸'}")
        action = self.tr("Hide the thoughts") if self.is_open else self.tr("Show the thoughts")
        self._button.setAccessibleName(f"{words}. {action}")
        self._place()

    def _on_toggled(self, is_open: bool) -> None:
        self.column.setVisible(is_open)
        self._name()

    def _place(self) -> None:
        size = self._button.sizeHint()
        self._button.setGeometry(0, 0, size.width(), size.height())
        height = size.height()
        if self.is_open and self.column.content_height:
            self.column.move(_INSET, height + _GAP)
            height += _GAP + self.column.content_height
        if (self._width, height) != (self.width(), self.height()):
            self.content_height = height
            self.resize(self._width, height)
            self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.is_open:
            with QPainter(self) as painter:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(self._look.theme.palette.border))
                top = self.column.y()
                painter.drawRect(QRectF(4, top, _BAR, self.height() - top))


def _span(seconds: float) -> str:
    """A length of time as people say it."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"
