"""What a search found, in place of the list of chats."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.models.search_hit import SearchHit
from app.theme import Theme, sans
from app.views.escape import EscapeKeeper
from app.views.sidebar.marked_text import draw_marked
from app.views.sidebar.rows import Index

_TITLE_HEIGHT, _MESSAGE_HEIGHT, _HEADING_HEIGHT = 32, 62, 30


class HitRows(QAbstractListModel):
    """Titles, then messages, each under a heading."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[SearchHit | str] = []

    def show_hits(self, hits: list[SearchHit]) -> None:
        """Other hits than before."""
        titles = [hit for hit in hits if hit.message is None]
        messages = [hit for hit in hits if hit.message is not None]
        rows: list[SearchHit | str] = []
        for words, group in ((self.tr("Chats"), titles), (self.tr("Messages"), messages)):
            rows += [words, *group] if group else []
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def row(self, index: Index) -> SearchHit | str | None:
        """A hit, or a heading's words; None outside."""
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if isinstance(row, str) or row is None:
            is_text = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return row if is_text else None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"{row.title}: {row.snippet}" if row.snippet else row.title
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag
        is_hit = isinstance(self.row(index), SearchHit)
        return flags.ItemIsEnabled | flags.ItemIsSelectable if is_hit else flags.NoItemFlags


class HitPainter(QStyledItemDelegate):
    """A title, of a message two lines around what was found below it."""

    def __init__(self, theme: Theme, rows: HitRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = self._rows.row(index)
        if not isinstance(row, SearchHit):
            return QSize(160, _HEADING_HEIGHT)
        return QSize(160, _TITLE_HEIGHT if row.message is None else _MESSAGE_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, colors, state = self._rows.row(index), self._theme.palette, QStyle.StateFlag
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        is_chosen = bool(option.state & state.State_Selected)
        if isinstance(row, SearchHit) and (is_chosen or option.state & state.State_MouseOver):
            has_focus = bool(option.state & state.State_HasFocus)
            painter.setPen(QPen(QColor(colors.accent), 1.5) if has_focus else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.selected if is_chosen else colors.hover))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 6, 6)
        words = option.rect.adjusted(12, 7, -12, 0)
        quiet = colors.text if is_chosen else colors.muted
        if isinstance(row, SearchHit):
            of_title = row.ranges if row.message is None else ()
            draw_marked(painter, words, row.title, of_title, sans(13), colors.text, colors)
            words = words.adjusted(0, 19, 0, 0)
            if row.message is not None:
                small = sans(11)
                draw_marked(painter, words, row.snippet, row.ranges, small, quiet, colors, 2)
        elif row is not None:
            heading = sans(11, QFont.Weight.DemiBold)
            draw_marked(painter, words, row, (), heading, colors.muted, colors)
        painter.restore()


class ResultList(QListView):
    """Up from the first hit goes back to the field; Return or a click opens."""

    hit_opened = Signal(object)
    left_upwards = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chats")
        self.setAccessibleName(self.tr("Search results"))
        self.rows = HitRows(self)
        self.setModel(self.rows)
        self.setItemDelegate(HitPainter(theme, self.rows, self))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(20)
        self.clicked.connect(self._open)
        EscapeKeeper(self, lambda: True)

    def choose_first(self) -> bool:
        """Go to the first hit; whether there is one."""
        for number in range(self.rows.rowCount()):
            index = self.rows.index(number)
            if isinstance(self.rows.row(index), SearchHit):
                self.setCurrentIndex(index)
                return True
        return False

    def open_current(self) -> None:
        """Open the chosen hit, or else the first."""
        if self.currentIndex().isValid() or self.choose_first():
            self._open(self.currentIndex())

    def _open(self, index: QModelIndex) -> None:
        row = self.rows.row(index)
        if isinstance(row, SearchHit):
            self.hit_opened.emit(row)

    def _is_first(self) -> bool:
        return self.currentIndex().row() <= 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() == Qt.Key.Key_Up and self._is_first():
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)
