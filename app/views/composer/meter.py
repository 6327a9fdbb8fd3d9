"""How full the context is: a thin bar, and a number beside it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.context_meter import ContextUse
from app.theme import Theme

WIDTH = 56
_HEIGHT = 16
_THICKNESS = 5.0


class Meter(QWidget):
    """Used, typed and kept free, as parts of the model's context; words are in its tooltip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._use: ContextUse | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.hide()

    def show_use(self, use: ContextUse | None) -> None:
        """Show these numbers; nothing without a model."""
        if use != self._use:
            self._use = use
            words = self._words(use) if use is not None else ""
            self.setToolTip(words)
            self.setAccessibleName(words)
            self.setVisible(use is not None)
            self.update()

    def _words(self, use: ContextUse) -> str:
        about = "" if use.is_exact else self.tr("about ")
        parts = [
            self.tr("The chat takes {0:,} of the model's {1:,} tokens.").format(
                use.used, use.context
            )
        ]
        if use.typed:
            parts.append(self.tr("This message adds {0}{1:,}.").format(about, use.typed))
        if use.is_over:
            parts.append(self.tr("That is more than the model can read."))
        elif use.is_tight:
            left = use.context - use.asked
            parts.append(self.tr("Only {0:,} are left for the reply.").format(left))
        else:
            parts.append(self.tr("{0:,} are kept free for the reply.").format(use.reserve))
        return " ".join(parts)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        use, colors = self._use, self._theme.palette
        if use is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            top = (self.height() - _THICKNESS) / 2
            track = QRectF(0, top, self.width(), _THICKNESS)
            rounded = QPainterPath()
            rounded.addRoundedRect(track, _THICKNESS / 2, _THICKNESS / 2)
            painter.setClipPath(rounded)
            painter.fillRect(track, QColor(colors.border))
            scale = self.width() / max(use.context, 1)
            is_right_to_left = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            main = QColor(colors.caution if use.is_tight else colors.accent)
            soft = QColor(main)
            soft.setAlphaF(0.5)
            free = max(self.width() - use.reserve * scale, 0.0)
            parts = (
                (free, self.width(), QColor(colors.control_border)),
                (0.0, use.used * scale, main),
                (use.used * scale, use.asked * scale, soft if use.used else main),
            )
            for begin, end, color in parts:
                # What is there can be seen, however little it is.
                end = max(end, begin + 2) if end > begin else end
                left = self.width() - end if is_right_to_left else begin
                painter.fillRect(QRectF(left, top, max(end - begin, 0.0), _THICKNESS), color)
