"""The legend under a reply: each origin's mark, count and toggle."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.models.display import TokenDisplay
from app.models.summary import MEANINGS
from app.theme import Theme, sans
from app.views.origin_marks import paint_underline
from engine import ORIGINS, Origin

_SWATCH = 16
_GAP = 6
_ROW, _BETWEEN = 24, 8
_MOST_ROWS = 2


class LegendItem(QAbstractButton):
    """One kind of token: toggles its tint in every reply."""

    def __init__(self, origin: Origin, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.origin: Origin = origin
        self._theme = theme
        self._is_compact = False
        self.count = 0
        self.setCheckable(True)
        self.setChecked(True)
        self.setFont(sans(12))
        self._off, self._bold = sans(12), sans(12, QFont.Weight.DemiBold)
        self._off.setStrikeOut(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(f"{origin}: {MEANINGS[origin]}")
        self.set_count(0)

    def set_count(self, count: int) -> None:
        """Show how many tokens of the reply are of this kind."""
        if count == self.count and self.accessibleName():
            return
        before, self.count = self.count, count
        self.setAccessibleName(f"{self.origin}: {count} token{'s' if count != 1 else ''}")
        if _figures(count) != _figures(before):
            self.updateGeometry()
        self.update()

    def set_compact(self, is_compact: bool) -> None:
        """Leave the word out where there is no room."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self.updateGeometry()

    def full_width(self) -> int:
        """Width with the word."""
        return _SWATCH + _GAP + self._word_width() + self._count_width() + 4

    def _word_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.origin) + _GAP

    def _count_width(self) -> int:
        return self.fontMetrics().horizontalAdvance("0" * _figures(self.count))

    def sizeHint(self) -> QSize:
        word = self._word_width() if self._is_compact else 0
        return QSize(self.full_width() - word, _ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            box = QRectF(2, (self.height() - _SWATCH) / 2, _SWATCH, _SWATCH)
            if self.isChecked():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.tint(self.origin))
            else:
                painter.setPen(QPen(QColor(colors.control_border), 1))
            painter.drawRoundedRect(box, 4, 4)
            if self.isChecked() and self.origin != "generated":
                paint_underline(painter, self._theme, self.origin, box.adjusted(1.5, 0, -1.5, 0))
            x = _SWATCH + _GAP + 2
            painter.setPen(QColor(colors.muted))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setFont(self.font() if self.isChecked() else self._off)
            if not self._is_compact:
                painter.drawText(self.rect().adjusted(x, 0, 0, 0), middle, self.origin)
                x += self._word_width()
            painter.setFont(self._bold)
            painter.drawText(self.rect().adjusted(x, 0, 0, 0), middle, f"{self.count:,}")
            if self.hasFocus():
                painter.setPen(QPen(QColor(colors.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)


def _figures(count: int) -> int:
    """Room for two from the start: a growing count must not push its neighbours."""
    return max(2, len(f"{count:,}"))


class Legend(QWidget):
    """The kinds in a row; in two where they are too long for one, and without words at last."""

    def __init__(self, theme: Theme, display: TokenDisplay, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.items: dict[Origin, LegendItem] = {}
        for origin in ORIGINS:
            item = LegendItem(origin, theme, self)
            item.toggled.connect(lambda is_on, kind=origin: display.set_kind(kind, is_on))
            self.items[origin] = item
        # Not fixed: that would hold it to the height of its size hint, which is for one width.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        display.changed.connect(self._follow)
        self._follow()

    def show_counts(self, counts: Mapping[Origin, int]) -> None:
        """Show a reply's counts."""
        before = self._widths()
        for origin, item in self.items.items():
            if item.count != counts.get(origin, 0):
                item.set_count(counts.get(origin, 0))
        if self._widths() != before:
            self._arrange()
            self.updateGeometry()

    def _follow(self) -> None:
        for origin, item in self.items.items():
            item.setChecked(self._display.is_kind_on(origin))
            item.setEnabled(self._display.is_on)
            item.update()

    def _widths(self) -> list[int]:
        return [item.full_width() for item in self.items.values()]

    def _arrange(self) -> None:
        is_compact = _num_rows(self._widths(), self.width()) > _MOST_ROWS
        x = y = 0
        for item in self.items.values():
            item.set_compact(is_compact)
            size = item.sizeHint()
            if x and x + size.width() > self.width() and not is_compact:
                x, y = 0, y + _ROW
            item.setGeometry(x, y, size.width(), _ROW)
            x += size.width() + _BETWEEN

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + _BETWEEN * (len(self.items) - 1), _ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, _ROW)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        num_rows = _num_rows(self._widths(), width)
        return _ROW * (num_rows if num_rows <= _MOST_ROWS else 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _num_rows(widths: list[int], room: int) -> int:
    """How many rows items of these widths fill."""
    num_rows, x = 1, 0
    for width in widths:
        if x and x + width > room:
            num_rows, x = num_rows + 1, 0
        x += width + _BETWEEN
    return num_rows
