"""The list below the palette's field: rows with the meant letters in bold and keys at the end."""

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.theme import Palette, Theme, sans
from app.views.menus import as_shown
from app.views.palette.entries import Entry, Row

Index = QModelIndex | QPersistentModelIndex
ROW, HEADING = 34, 28
_ROLE = Qt.ItemDataRole.UserRole
_EDGE = 12


class RowModel(QAbstractListModel):
    """The rows as Qt asks for them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def show_rows(self, rows: list[Row]) -> None:
        """Other rows, all at once."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROLE:
            return row
        entry = row.entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title if entry is not None else row.heading
        if role == Qt.ItemDataRole.AccessibleTextRole and entry is not None:
            return ", ".join(filter(None, (entry.title, entry.aside, as_shown(entry.key))))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_entry = self.rows[index.row()].entry is not None
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return chosen if is_entry else Qt.ItemFlag.NoItemFlags


class Results(QListView):
    """Never has the focus: the field moves the choice up and down."""

    entered_entry = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("palette_list")
        self.setAccessibleName(self.tr("Results"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.rows = RowModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(RowDelegate(theme, self))
        self.clicked.connect(lambda index: self._enter(index))

    @property
    def entry(self) -> Entry | None:
        """The chosen one."""
        index = self.currentIndex()
        return self.rows.rows[index.row()].entry if index.isValid() else None

    def show_rows(self, rows: list[Row]) -> None:
        """Other rows; the first entry is chosen."""
        self.rows.show_rows(rows)
        self.scrollToTop()
        self._choose(next((n for n, row in enumerate(rows) if row.entry is not None), -1))

    def step(self, by: int) -> None:
        """Choose another entry, over headings, and around the ends where it is one step."""
        rows, at = self.rows.rows, self.currentIndex().row()
        entries = [number for number, row in enumerate(rows) if row.entry is not None]
        if not entries:
            return
        place = entries.index(at) + by if at in entries else 0
        place = place % len(entries) if abs(by) == 1 else min(max(place, 0), len(entries) - 1)
        if place == 0:
            self.scrollToTop()
        self._choose(entries[place])

    def _choose(self, number: int) -> None:
        self.setCurrentIndex(self.rows.index(number, 0))

    def _enter(self, index: QModelIndex) -> None:
        entry = self.rows.rows[index.row()].entry
        if entry is not None:
            self.entered_entry.emit(entry)


class RowDelegate(QStyledItemDelegate):
    """Paints a row; no widget stands behind one, so that thousands cost nothing."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def _paint_entry(self, painter: QPainter, rect: QRectF, row: Row, entry: Entry) -> None:
        """Title at the start; at the end the key, and what kind of thing it is."""
        colors = self._theme.palette
        mirrored = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        room = rect.adjusted(_EDGE, 0, -_EDGE, 0)
        if entry.key:
            keys = as_shown(entry.key)
            painter.setFont(sans(11))
            width = painter.fontMetrics().horizontalAdvance(keys) + 12.0
            place, room = _end_of(room, width, 10, mirrored=mirrored)
            _paint_keys(painter, colors, place, keys)
        painter.setFont(sans(12))
        painter.setPen(QColor(colors.accent if entry.is_on else colors.muted))
        aside = self.tr("On") if entry.is_on else entry.aside
        third = int(rect.width() / 3)
        shown = painter.fontMetrics().elidedText(aside, Qt.TextElideMode.ElideRight, third)
        width = painter.fontMetrics().horizontalAdvance(shown) + 1.0
        place, room = _end_of(room, width, 14, mirrored=mirrored)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)
        _paint_title(painter, colors, room, entry.title, row.places)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(_ROLE)
        return QSize(200, ROW if row.entry is not None else HEADING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(_ROLE)
        colors, rect = self._theme.palette, QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setLayoutDirection(option.direction)
        if row.entry is None:
            painter.setFont(sans(11, QFont.Weight.DemiBold))
            painter.setPen(QColor(colors.muted))
            words = rect.adjusted(_EDGE, 6, -_EDGE, 0)
            start = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(words, start, row.heading)
        else:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colors.selected))
                painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 7, 7)
            self._paint_entry(painter, rect, row, row.entry)
        painter.restore()


def _paint_title(
    painter: QPainter, colors: Palette, rect: QRectF, title: str, places: tuple[int, ...]
) -> None:
    """One line, cut where it does not fit, with the meant letters bold."""
    font, strong = sans(13), QTextCharFormat()
    strong.setFontWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.setPen(QColor(colors.text))
    # Bold letters are a little wider.
    room = int(rect.width()) - len(places)
    shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
    kept = len(title) if shown == title else len(shown) - 1
    layout = QTextLayout(shown, font)
    marks: list[QTextLayout.FormatRange] = []
    for place in (each for each in places if each < kept):
        mark = QTextLayout.FormatRange()
        # Qt counts in halves of what lies beyond the first plane.
        mark.start = len(title[:place].encode("utf-16-le")) // 2
        mark.length = len(title[place].encode("utf-16-le")) // 2
        mark.format = strong
        marks.append(mark)
    layout.setFormats(marks)
    option = layout.textOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    # At the start of the row, whichever way the title itself is read.
    mirrored = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(rect.width())
    layout.endLayout()
    top = rect.top() + (rect.height() - line.height()) / 2
    layout.draw(painter, QPointF(rect.left(), top))


def _paint_keys(painter: QPainter, colors: Palette, place: QRectF, keys: str) -> None:
    """A shortcut in a small frame."""
    frame = QRectF(place.left(), place.center().y() - 10, place.width(), 20)
    painter.setPen(QPen(QColor(colors.control_border), 1))
    painter.setBrush(QColor(colors.main))
    painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
    painter.setPen(QColor(colors.muted))
    painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, keys)


def _end_of(room: QRectF, width: float, gap: float, *, mirrored: bool) -> tuple[QRectF, QRectF]:
    """A place at the end of a room, and what is left of the room beside it."""
    if mirrored:
        place = QRectF(room.left(), room.top(), width, room.height())
        return place, room.adjusted(width + gap, 0, 0, 0)
    place = QRectF(room.right() - width, room.top(), width, room.height())
    return place, room.adjusted(0, 0, -width - gap, 0)
