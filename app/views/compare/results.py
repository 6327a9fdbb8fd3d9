"""The table of results: a row for each run, two lines high, chosen with mouse or arrows."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.models.comparison import Comparison, Row
from app.theme import Theme
from app.views.compare.figures import COLUMNS, cells, ids_words
from app.views.controls import ElidedLabel
from app.views.inspector.figures import figures

_PADDING = 8
_ROW_HEIGHT = 46
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
# Shares of the width, in the order of COLUMNS.
_STRETCH = (44, 50, 56, 60, 60, 50)


class ResultRow(QAbstractButton):
    """One run: name and verdict above, numbers below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.name, self.ids = ElidedLabel("", self), QLabel(self)
        self.name.setObjectName("title")
        self.ids.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.numbers = [_number(self) for _ in COLUMNS]
        self.setFixedHeight(_ROW_HEIGHT)
        grid = _grid(self, 4)
        line = QHBoxLayout()
        line.addWidget(self.name, 1)
        line.addWidget(self.ids)
        grid.addLayout(line, 0, 0, 1, len(COLUMNS))
        for number, label in enumerate(self.numbers):
            grid.addWidget(label, 1, number)
        for label in (self.name, self.ids, *self.numbers):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_row(self, comparison: Comparison, row: Row) -> None:
        """The row's state and numbers."""
        numbers = comparison.numbers(row)
        name, ids, texts = row.label, ids_words(row, numbers), cells(numbers)
        if comparison.yardstick is row:
            name = self.tr("{0} · yardstick").format(name)
        self.name.set_full_text(name)
        _say(self.ids, self.tr("ids"), ids)
        for label, column, text in zip(self.numbers, COLUMNS, texts, strict=True):
            _say(label, column, text)
        spoken = ", ".join(f"{c} {t}" for c, t in zip(COLUMNS, texts, strict=True))
        self.setAccessibleName(f"{name}. {ids}. {spoken}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVES:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            frame = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
            if self.isChecked():
                painter.setBrush(QColor(colors.selected))
                painter.drawRoundedRect(frame, 7, 7)
                # A bar at the edge says it without the ground's colour.
                painter.setBrush(QColor(colors.accent))
                painter.drawRoundedRect(QRectF(0.75, 9, 3, self.height() - 18.0), 1.5, 1.5)
            elif self.underMouse():
                painter.setBrush(QColor(colors.hover))
                painter.drawRoundedRect(frame, 7, 7)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colors.accent), 1.5))
                painter.drawRoundedRect(frame, 7, 7)


class ResultTable(QWidget):
    """Keeps the selection; Up and Down, Home and End move it."""

    selected = Signal(int)
    rows_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[ResultRow] = []
        self._group = QButtonGroup(self)
        self._group.idToggled.connect(self._on_toggled)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        head = QWidget(self)
        grid = _grid(head, 2)
        self.heads = [QLabel(head) for _ in COLUMNS]
        for number, label in enumerate(self.heads):
            label.setObjectName("small")
            _narrow(label)
            grid.addWidget(label, 0, number)
        self._name_heads()
        self._column.addWidget(head)

    @property
    def current(self) -> int:
        """The selected row, -1 where there is none."""
        return self._group.checkedId()

    def select(self, number: int) -> None:
        """Select a row; one beyond the ends is the first or the last."""
        if self.rows:
            self.rows[min(max(number, 0), len(self.rows) - 1)].setChecked(True)

    def show_comparison(self, comparison: Comparison) -> None:
        """As many rows as there are, as they stand."""
        had = len(self.rows)
        while len(self.rows) > len(comparison.rows):
            row = self.rows.pop()
            self._group.removeButton(row)
            row.hide()
            row.deleteLater()
        while len(self.rows) < len(comparison.rows):
            row = ResultRow(self._theme, self)
            self._group.addButton(row, len(self.rows))
            self.rows.append(row)
            self._column.addWidget(row)
            row.show()
        for shown, row_of in zip(self.rows, comparison.rows, strict=True):
            shown.show_row(comparison, row_of)
        if len(self.rows) != had:
            self.rows_changed.emit()

    def _name_heads(self) -> None:
        names = {
            "tok/s": (self.tr("tok/s"), self.tr("decode tokens per second")),
            "ratio": (self.tr("ratio"), self.tr("this speed divided by the yardstick's")),
            "per step": (self.tr("per step"), self.tr("emitted tokens / steps")),
            "forwards": (self.tr("forwards"), self.tr("forward passes of decoding")),
            "accepted": (self.tr("accepted"), self.tr("accepted drafts / verified drafts")),
            "to first": (self.tr("to first"), self.tr("seconds from the start to the first token")),
        }
        for label, column in zip(self.heads, COLUMNS, strict=True):
            text, meaning = names[column]
            label.setText(text)
            label.setToolTip(meaning)
            label.setAccessibleName(f"{text}: {meaning}")

    def _on_toggled(self, number: int, is_on: bool) -> None:
        # Tab stops at the table once, at its selected row.
        policy = Qt.FocusPolicy.StrongFocus if is_on else Qt.FocusPolicy.ClickFocus
        self.rows[number].setFocusPolicy(policy)
        if is_on:
            self.selected.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _MOVES or not self.rows:
            super().keyPressEvent(event)
            return
        last, current = len(self.rows) - 1, self.current
        targets = dict(zip(_MOVES, (current - 1, current + 1, 0, last), strict=True))
        self.select(targets[Qt.Key(event.key())])
        self.rows[self.current].setFocus(Qt.FocusReason.ShortcutFocusReason)


def _grid(parent: QWidget, margin: int) -> QGridLayout:
    grid = QGridLayout(parent)
    grid.setContentsMargins(_PADDING, margin, _PADDING, margin)
    grid.setHorizontalSpacing(0)
    grid.setVerticalSpacing(2)
    for number, stretch in enumerate(_STRETCH):
        grid.setColumnStretch(number, stretch)
    return grid


def _number(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setFont(figures(13))
    _narrow(label)
    return label


def _narrow(label: QLabel) -> None:
    """Its column's share decides how wide it is, not its text."""
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setMinimumWidth(0)


def _say(label: QLabel, column: str, text: str) -> None:
    if label.text() != text:
        label.setText(text)
        label.setAccessibleName(f"{column}: {text}")
