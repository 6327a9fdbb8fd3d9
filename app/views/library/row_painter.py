"""Paints a model's row: name and verdict, facts, and chips for its caches and speculation."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.theme import Palette, Theme, sans
from app.views.controls import Tone
from app.views.library.rows import Index, ModelRow, ModelRows

ROW_HEIGHT = 80
_MARGIN, _CHIP = 12, 18
_FRAME_ALPHA = 90
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ModelRowPainter(QStyledItemDelegate):
    """Three lines on a rounded ground; one that cannot be used is grey, with its sentence."""

    def __init__(self, theme: Theme, rows: ModelRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows
        self._title = sans(13, QFont.Weight.DemiBold)
        self._small = sans(11)
        self._strong = sans(11, QFont.Weight.DemiBold)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        colors, flags = self._theme.palette, QStyle.StateFlag
        is_chosen = bool(option.state & flags.State_Selected)
        if is_chosen or option.state & flags.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.selected if is_chosen else colors.hover))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(0, 1, 0, -1), 8, 8)
        if option.state & flags.State_HasFocus:
            painter.setPen(QPen(QColor(colors.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 2, -1, -2), 7.5, 7.5)

    def _paint_row(self, painter: QPainter, rect: QRect, row: ModelRow, *, is_chosen: bool) -> None:
        colors = self._theme.palette
        quiet = colors.text if is_chosen and not row.is_grey else colors.muted
        words = rect.adjusted(_MARGIN, 9, -_MARGIN, -9)
        top = QRect(words.left(), words.top(), words.width(), 20)
        width = self._paint_chip(painter, top, row.verdict, row.tone, is_right=True)
        name = top.adjusted(0, 0, -width - 8, 0)
        color = colors.muted if row.is_grey else colors.text
        _draw(painter, name, row.title, self._title, color)
        below = QRect(words.left(), top.bottom() + 3, words.width(), 16)
        if row.is_grey:
            painter.setFont(self._small)
            painter.setPen(QColor(colors.muted))
            rest = QRect(below.left(), below.top(), below.width(), words.bottom() - below.top())
            flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
            painter.drawText(rest, flags, row.facts)
            return
        _draw(painter, below, row.facts, self._small, quiet)
        chips = QRect(words.left(), below.bottom() + 5, words.width(), _CHIP)
        # Where it is narrow the last ones are dropped, never which one is in use.
        for text, tone in ((row.mark, "good"), *((chip, None) for chip in row.chips)):
            if text and chips.width() > 40:
                used = self._paint_chip(painter, chips, text, tone, frame=quiet)
                chips = chips.adjusted(used + 6, 0, 0, 0)

    def _paint_chip(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        tone: Tone | str | None,
        *,
        is_right: bool = False,
        frame: str = "",
    ) -> int:
        """A word on a tint, or in a thin frame where there is no tone; its width."""
        ground, color = _tints(self._theme.palette, tone)
        color = frame if frame and tone is None else color
        pale = QColor(color)
        pale.setAlpha(_FRAME_ALPHA)
        font = self._small if tone is None else self._strong
        metrics = QFontMetrics(font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width() - 16)
        width = metrics.horizontalAdvance(text) + 16
        left = place.right() + 1 - width if is_right else place.left()
        chip = QRectF(left, place.center().y() - _CHIP / 2 + 1, width, _CHIP)
        if tone is None:
            painter.setPen(QPen(pale, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 8.5, 8.5)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(chip, 9, 9)
        painter.setFont(font)
        painter.setPen(QColor(color))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        return int(width)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._rows.row(index)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self._paint_ground(painter, option)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        self._paint_row(painter, option.rect, row, is_chosen=is_chosen)
        painter.restore()


def _tints(colors: Palette, tone: Tone | str | None) -> tuple[str, str]:
    return {
        "good": (colors.good_soft, colors.good),
        "caution": (colors.caution_soft, colors.caution),
        "error": (colors.error_soft, colors.error),
        "neutral": (colors.hover, colors.muted),
    }.get(tone or "", (colors.hover, colors.muted))


def _draw(painter: QPainter, rect: QRect, text: str, font: QFont, color: str) -> None:
    """One line, elided."""
    painter.setFont(font)
    painter.setPen(QColor(color))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, max(rect.width(), 0))
    painter.drawText(rect, _LEFT | Qt.TextFlag.TextSingleLine, shown)
