"""Two replies side by side, scrolled together by token, with the first difference marked in both.

Below a certain width one stands above the other. While a reply is still being written, its side
follows five times a second.
"""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.comparison import Comparison, Row
from app.models.difference import IdsCheck
from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.compare.side import ReplySide
from app.views.controls import ElidedLabel, Pill

REFRESH_MS = 200
STACK_BELOW = 600


class CompareView(QWidget):
    """Reads two rows of a comparison; Escape closes it."""

    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        display: TokenDisplay,
        comparison: Comparison,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self._rows: tuple[Row, Row] | None = None
        self._check: IdsCheck | None = None
        self._is_aligning = False
        self.title, self.verdict = ElidedLabel(self.tr("Side by side"), self), Pill(self)
        self.title.setObjectName("title")
        self.jump = QPushButton(self.tr("Jump to it"), self)
        self.jump.clicked.connect(self.show_difference)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setAccessibleName(self.tr("Close the comparison"))
        self.close_button.setToolTip(self.tr("Back to the chat (Esc)"))
        self.close_button.clicked.connect(self.closed)
        self.left, self.right = ReplySide(theme, display, self), ReplySide(theme, display, self)
        self.nothing = QLabel(self.tr("Choose a row of the table in Compare to see it here."), self)
        self.nothing.setObjectName("muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setWordWrap(True)
        self._arrange()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        self.left.scrolled.connect(lambda: self._align(self.left, self.right))
        self.right.scrolled.connect(lambda: self._align(self.right, self.left))
        comparison.changed.connect(self._on_changed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(self.left.area)
        self._refresh()

    def show_rows(self, left: int, right: int) -> None:
        """Put these rows of the comparison side by side, by their numbers."""
        rows = self._comparison.rows
        self._rows = (rows[left], rows[right])
        is_known = left == 0 and rows[right].ids is not None
        first, other = rows[left].reply, rows[right].reply
        self._check = rows[right].ids if is_known else IdsCheck(first, other)
        self._refresh()
        self.left.area.verticalScrollBar().setValue(0)

    def show_difference(self) -> None:
        """Scroll both sides to the first difference."""
        difference = self._check.difference if self._check is not None else None
        if difference is not None:
            self._is_aligning = True
            for side in (self.left, self.right):
                side.reveal(difference.position)
            self._is_aligning = False

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.title, 1)
        head.addWidget(self.verdict)
        head.addWidget(self.jump)
        head.addWidget(self.close_button)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._sides.setSpacing(10)
        self._sides.addWidget(self.left, 1)
        self._sides.addWidget(self.right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.nothing, 1)
        column.addLayout(self._sides, 1)
        self.setTabOrder(self.jump, self.close_button)

    def _on_changed(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _refresh(self) -> None:
        has_rows = self._rows is not None
        self.nothing.setVisible(not has_rows)
        for widget in (self.left, self.right, self.verdict):
            widget.setVisible(has_rows)
        if self._rows is None or self._check is None:
            self.jump.hide()
            return
        left, right = self._rows
        self.left.show_row(self._comparison, left)
        self.right.show_row(self._comparison, right)
        self._check.advance()
        self._show_verdict(self._check)

    def _show_verdict(self, check: IdsCheck) -> None:
        difference = check.difference
        self.jump.setVisible(difference is not None)
        for side in (self.left, self.right):
            side.mark.show_token(difference.position if difference is not None else None)
        if difference is not None:
            number = f"{difference.position + 1:,}"
            why = self.tr("The first token that differs is number {0}").format(number)
            self.verdict.show_state(self.tr("differs at {0}").format(number), "error", why)
            self.jump.setAccessibleName(self.tr("Jump to the first difference"))
        elif check.verdict == "equal":
            self.verdict.show_state(self.tr("ids equal ✓"), "good")
        elif check.num_equal:
            words = self.tr("first {0:,} equal").format(check.num_equal)
            self.verdict.show_state(words, "neutral", self.tr("As far as both texts go"))
        else:
            self.verdict.show_state(self.tr("nothing to compare yet"), "neutral")

    def _align(self, leader: ReplySide, follower: ReplySide) -> None:
        """The same token at the upper edge of both; each scrolls the other, but only once."""
        if not self._is_aligning:
            self._is_aligning = True
            follower.scroll_to(*leader.top())
            self._is_aligning = False

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 240)

    def event(self, event: QEvent) -> bool:
        # Escape is this view's own before it is a shortcut of the window.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < STACK_BELOW
        directions = QBoxLayout.Direction
        self._sides.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
