"""Paints the rows of the side bar, and edits a name in its place."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.grouping import Place
from app.theme import Theme, sans
from app.views.sidebar.rows import ChatRows, Heading, Index, Note

CHAT_HEIGHT, HEADING_HEIGHT, NOTE_HEIGHT = 46, 30, 38
_SIZES = {Heading: QSize(160, HEADING_HEIGHT), Note: QSize(160, NOTE_HEIGHT)}
_CHAT_SIZE = QSize(160, CHAT_HEIGHT)
_MARGIN = 12
_FRAME_ALPHA = 130
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RowPainter(QStyledItemDelegate):
    """Title over a line of facts, on a rounded ground when open; headings small and muted."""

    def __init__(self, theme: Theme, chats: Chats, rows: ChatRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._chats, self._rows = theme, chats, rows
        # The group that a drag is over.
        self.target: Place | None = None
        # One row that is chosen shows by the focus alone.
        self.shows_chosen = False
        weight = QFont.Weight
        self._title, self._strong = sans(13), sans(13, weight.DemiBold)
        self._small, self._heading = sans(11), sans(11, weight.DemiBold)

    def _paint_chat(
        self, painter: QPainter, option: QStyleOptionViewItem, chat: Conversation
    ) -> None:
        colors, rect = self._theme.palette, option.rect
        is_open, is_unread = chat is self._chats.current, chat in self._rows.unread
        self._paint_ground(painter, option, is_open=is_open)
        words = rect.adjusted(_MARGIN, 5, -_MARGIN, -6)
        half = words.height() // 2
        upper, lower = words.adjusted(0, 0, 0, -half + 1), words.adjusted(0, half + 1, 0, 0)
        if is_unread or chat is self._rows.running:
            self._paint_mark(painter, upper, is_filled=is_unread)
            upper = upper.adjusted(0, 0, -14, 0)
        font = self._strong if is_open or is_unread else self._title
        _draw(painter, upper, chat.title, font, colors.text)
        quiet = colors.text if is_open else colors.muted
        when = self._rows.words.when(chat, self._rows.now)
        width = _draw(painter, lower, when, self._small, quiet, _RIGHT)
        facts = self._rows.words.facts(chat, self._rows.now)
        lower = lower.adjusted(0, 0, -width - 8 if width else 0, 0)
        _draw(painter, lower, facts, self._small, quiet)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, *, is_open: bool
    ) -> None:
        """Strong for the open chat, pale under the mouse; a thin frame around several chosen."""
        colors, state, flags = self._theme.palette, option.state, QStyle.StateFlag
        is_chosen = self.shows_chosen and bool(state & flags.State_Selected)
        if not (is_open or is_chosen or state & flags.State_MouseOver):
            return
        frame = QColor(colors.accent)
        frame.setAlpha(_FRAME_ALPHA)
        painter.setPen(QPen(frame, 1) if is_chosen else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(QColor(colors.selected if is_open else colors.hover))
        inset = 0.5 if is_chosen else 0.0
        ground = QRectF(option.rect).adjusted(inset, 1 + inset, -inset, -1 - inset)
        painter.drawRoundedRect(ground, 6, 6)

    def _paint_mark(self, painter: QPainter, row: QRect, *, is_filled: bool) -> None:
        """A dot: unread; a ring: being answered."""
        accent = QColor(self._theme.palette.accent)
        painter.setPen(QPen(accent, 1.6))
        painter.setBrush(accent if is_filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(row.right() - 3.5, row.center().y() + 1), 3.2, 3.2)

    def _paint_heading(
        self, painter: QPainter, option: QStyleOptionViewItem, heading: Heading
    ) -> None:
        colors, rect = self._theme.palette, option.rect
        is_under_mouse = bool(option.state & QStyle.StateFlag.State_MouseOver)
        color = colors.text if is_under_mouse else colors.muted
        ground = QRectF(rect).adjusted(0, 5, 0, -1)
        if heading.place == self.target:
            painter.setPen(QPen(QColor(colors.accent), 1.5))
            painter.setBrush(QColor(colors.selected))
            painter.drawRoundedRect(ground.adjusted(1, 0, -1, -1), 6, 6)
        words = ground.toRect().adjusted(_MARGIN, 0, -_MARGIN, 0)
        self._paint_arrow(painter, QPointF(words.right() - 3, ground.center().y()), heading, color)
        words = words.adjusted(0, 0, -16, 0)
        if heading.is_folded or heading.place.kind == "folder":
            width = _draw(painter, words, str(heading.num), self._small, colors.muted, _RIGHT)
            words = words.adjusted(0, 0, -width - 6, 0)
        if heading.place.kind == "folder":
            _paint_folder(painter, QPointF(words.left(), ground.center().y()), color)
            words = words.adjusted(19, 0, 0, 0)
        _draw(painter, words, heading.name, self._heading, color)

    def _paint_arrow(self, painter: QPainter, at: QPointF, heading: Heading, color: str) -> None:
        """To the right where the group is folded, else down."""
        painter.setPen(QPen(QColor(color), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [QPointF(-1.5, -3.5), QPointF(2, 0), QPointF(-1.5, 3.5)]
        if not heading.is_folded:
            points = [QPointF(-3.5, -1.5), QPointF(0, 2), QPointF(3.5, -1.5)]
        painter.drawPolyline(QPolygonF([at + point for point in points]))

    def _paint_focus(self, painter: QPainter, rect: QRect) -> None:
        painter.setPen(QPen(QColor(self._theme.palette.accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect).adjusted(1, 2, -1, -2), 5.5, 5.5)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # Asked of every row at each layout, in sight or not.
        return _SIZES.get(type(self._rows.row(index)), _CHAT_SIZE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, colors = self._rows.row(index), self._theme.palette
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        if isinstance(row, Conversation):
            self._paint_chat(painter, option, row)
        elif isinstance(row, Heading):
            self._paint_heading(painter, option, row)
        elif isinstance(row, Note):
            painter.setFont(self._small)
            painter.setPen(QColor(colors.muted))
            words = option.rect.adjusted(_MARGIN, 0, -_MARGIN, -2)
            painter.drawText(words, _LEFT | Qt.TextFlag.TextWordWrap, row.text)
        if option.state & QStyle.StateFlag.State_HasFocus:
            self._paint_focus(painter, option.rect)
        painter.restore()

    def createEditor(  # noqa: N802
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("rename")
        editor.setFont(self._title)
        editor.setAccessibleName(self.tr("Name"))
        return editor

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        is_chat = isinstance(self._rows.row(index), Conversation)
        rect = option.rect.adjusted(5, 2, -5, 0)
        rect.setHeight(24)
        editor.setGeometry(rect if is_chat else rect.translated(0, 1))


def _draw(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: str,
    place: Qt.AlignmentFlag = _LEFT,
) -> int:
    """One line, elided; its width."""
    painter.setFont(font)
    painter.setPen(QColor(color))
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(rect.width(), 0))
    painter.drawText(rect, place | Qt.TextFlag.TextSingleLine, shown)
    return metrics.horizontalAdvance(shown)


def _paint_folder(painter: QPainter, left: QPointF, color: str) -> None:
    """A folder, drawn from the middle of its left side."""
    painter.setPen(QPen(QColor(color), 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    body = QRectF(left.x() + 0.5, left.y() - 3.5, 12, 8)
    painter.drawRoundedRect(body, 1.5, 1.5)
    tab = [body.topLeft() + QPointF(x, y) for x, y in ((1, 0), (1.5, -1.8), (5, -1.8), (6, 0))]
    painter.drawPolyline(QPolygonF(tab))
