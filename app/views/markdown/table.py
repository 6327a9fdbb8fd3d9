"""A table with hairlines between its rows, in a scroll of its own where it is wide."""

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextTable,
    QTextTableCell,
    QTextTableFormat,
)
from PySide6.QtWidgets import QWidget

from app.models.markdown.values import Prose, Runs, Table
from app.views.markdown.look import Look, bar_sheet
from app.views.markdown.prose import shown
from app.views.markdown.read_only import ReadOnlyText

_ALIGN = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}
_COLUMN_PIXELS = 104
_BAR_ROOM = 12
_MOST_COLUMNS = 60
_WIDEST = 20_000
_NO_LINE = QTextFrameFormat.BorderStyle.BorderStyle_None
_LINE = QTextFrameFormat.BorderStyle.BorderStyle_Solid


class TableBlock(ReadOnlyText):
    """Columns keep a width that can be read; what does not fit is scrolled to."""

    def __init__(self, table: Table, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.table = table
        self._ideal = 0.0
        # Whether it was written since it was fitted: then it is read from its beginning.
        self._is_fresh = True
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(self.tr("Table"))
        self._grid = self._write()

    @property
    def _num_columns(self) -> int:
        return min(len(self.table.heads), _MOST_COLUMNS)

    def show_table(self, table: Table) -> None:
        """Show this instead; of one that grew, only the last row and what is new."""
        old, self.table, self._ideal = self.table, table, 0.0
        same = len(old.rows) - 1
        is_grown = old.heads == table.heads and old.aligns == table.aligns and same >= 0
        if not is_grown or old.rows[:same] != table.rows[:same] or same >= len(table.rows):
            self._grid = self._write()
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._grid.removeRows(same + 1, 1)
        self._grid.appendRows(len(table.rows) - same)
        for number in range(same, len(table.rows)):
            self._fill_row(number + 1, table.rows[number])
        cursor.endEditBlock()
        self.note_links(bool(self._targets()))

    def restyle(self) -> None:
        """Write everything again: colours or sizes changed."""
        self._grid, self._ideal = self._write(), 0.0

    def fit(self, width: int) -> int:
        """Take a width; the height it needs."""
        document = self.document()
        if not self._ideal:
            document.setTextWidth(-1)
            self._ideal = document.idealWidth()
        most = self.look.px(_COLUMN_PIXELS) * self._num_columns
        wanted = int(min(max(min(self._ideal, most), width), _WIDEST))
        self.set_width(wanted)
        if self._is_fresh:
            self._is_fresh = False
            self._scroll_to_begin()
        return int(document.size().height() + 1) + (_BAR_ROOM if wanted > width else 0)

    def _scroll_to_begin(self) -> None:
        bar = self.horizontalScrollBar()
        bar.setValue(bar.maximum() if self.table.is_rtl else 0)

    def _write(self) -> QTextTable:
        """All of the table into an empty document."""
        self.setStyleSheet(bar_sheet(self.look))
        self.document().clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        grid = cursor.insertTable(len(self.table.rows) + 1, self._num_columns, self._grid_format())
        self._grid = grid
        for number, row in enumerate((self.table.heads, *self.table.rows)):
            self._fill_row(number, row)
        self._shrink_end()
        cursor.endEditBlock()
        # Shown for the first time, Qt scrolls to where the cursor is.
        self.setTextCursor(self._cell(0, 0).firstCursorPosition())
        self._is_fresh = True
        self.note_links(bool(self._targets()))
        return grid

    def _fill_row(self, number: int, row: tuple[Runs, ...]) -> None:
        for column in range(self._num_columns):
            runs = row[column] if column < len(row) else ()
            self._fill(self._cell(number, column), self._align(column), runs, number == 0)

    def _cell(self, row: int, column: int) -> QTextTableCell:
        # Qt has its first column at the left in any script.
        place = self._num_columns - 1 - column if self.table.is_rtl else column
        return self._grid.cellAt(row, place)

    def _align(self, column: int) -> Qt.AlignmentFlag:
        align = self.table.aligns[column]
        if self.table.is_rtl and align != "center":
            # Numbers, too, which have no direction of their own.
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
        return _ALIGN[align]

    def _grid_format(self) -> QTextTableFormat:
        result = QTextTableFormat()
        result.setBorderCollapse(True)
        result.setBorder(1)
        result.setBorderStyle(_NO_LINE)
        result.setCellPadding(self.look.px(6))
        result.setCellSpacing(0)
        result.setHeaderRowCount(1)
        if self.table.is_rtl:
            result.setAlignment(Qt.AlignmentFlag.AlignRight)
        return result

    def _fill(
        self, cell: QTextTableCell, align: Qt.AlignmentFlag, runs: Runs, is_head: bool
    ) -> None:
        colors = self.look.theme.palette
        shape = cell.format().toTableCellFormat()
        shape.setBottomBorder(1)
        shape.setBottomBorderStyle(_LINE)
        shape.setBottomBorderBrush(
            QBrush(QColor(colors.control_border if is_head else colors.border))
        )
        cell.setFormat(shape)
        cursor = cell.firstCursorPosition()
        block = QTextBlockFormat()
        block.setAlignment(align)
        block.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        prose = Prose(runs, self.table.place)
        for run in runs:
            style = self.look.run_format(run, prose)
            if is_head:
                style.setFontWeight(600)
            if run.kind in ("code", "maths", "image"):
                style.setBackground(QColor(colors.bubble if colors.is_dark else colors.hover))
            cursor.insertText(shown(run), style)

    def _shrink_end(self) -> None:
        """Behind a table Qt keeps a paragraph: it shall take no room."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        block, small = QTextBlockFormat(), QTextCharFormat()
        block.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.setBlockFormat(block)
        small.setFontPointSize(1)
        cursor.setBlockCharFormat(small)

    def _targets(self) -> list[str]:
        cells = [cell for row in (self.table.heads, *self.table.rows) for cell in row]
        return [run.target for cell in cells for run in cell if run.target]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.table.is_rtl:
            self._scroll_to_begin()
