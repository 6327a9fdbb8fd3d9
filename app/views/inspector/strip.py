"""The step strip: one column a step, however many there are; only those in sight are painted.

A column's height is what the step emitted, stacked by origin in one fixed order; drafts that were
not kept stand above it in dotted outline, a cross on top says that drafts were excluded. The strip
keeps its place: it moves with the newest step only while that is followed.
"""

from typing import Literal

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from app.models.inspection import Inspection
from app.models.step_facts import step_facts
from app.theme import Theme
from app.views.inspector.frame import Frame
from app.views.inspector.strip_paint import BOTTOM, HEIGHT, StripPainter
from app.views.inspector.viewport import PITCH, Viewport

_NOTCH = 3 * PITCH / 120


class StepStrip(Frame):
    """Shows and moves the inspection's step. `refresh` when the reply has grown."""

    def __init__(self, theme: Theme, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self._inspection = inspection
        self._painter = StripPainter(theme)
        self._view = Viewport()
        # Where the mouse went down, what it drags, and where the columns were then.
        self._pressed: float | None = None
        self._pressed_left = 0.0
        self._drags: Literal["columns", "overview"] | None = None
        self._is_scrolling = False
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(self.tr("Steps"))
        inspection.moved.connect(self._on_moved)

    @property
    def view(self) -> Viewport:
        """Where it looks; never beyond the reply: hidden, it may have been told of a longer one."""
        view, num = self._view, self._inspection.num_steps
        if view.num > num:
            view.num = num
            view.left = view.fit(view.left)
        return view

    def refresh(self) -> None:
        """Take in that the reply has grown, or is another one."""
        view = self._view
        view.width, view.num = self.width(), self._inspection.num_steps
        view.left = view.most if self._inspection.is_following else view.fit(view.left)
        self._describe()
        self.update()

    def scroll_to(self, left: float) -> None:
        """Look elsewhere; whoever looks away from the newest steps follows them no more."""
        left = self.view.fit(left)
        if left == self.view.left:
            return
        if self._inspection.is_following and (step := self._inspection.step) is not None:
            self._is_scrolling = True
            self._inspection.select_step(step)
            self._is_scrolling = False
        self.view.left = left
        self.update()

    def words(self, step: int) -> str:
        """A step in words."""
        reply = self._inspection.reply
        if reply is None:
            return ""
        place = self.tr("step {0} of {1}").format(step + 1, self._inspection.num_steps)
        return f"{place}: {step_facts(reply.log[step]).summary}"

    def words_at(self, place: QPoint) -> str:
        """The step under the mouse."""
        step = self.view.column_at(place.x())
        return self.words(step) if step is not None else ""

    def _on_moved(self) -> None:
        if self.isVisible():
            self.refresh()
            step = self._inspection.selected_step
            if step is not None and not self._is_scrolling:
                self.view.reveal(step)

    def _describe(self) -> None:
        step = self._inspection.step
        words = self.words(step) if step is not None else self.tr("no steps yet")
        if self._inspection.is_following and step is not None:
            words = self.tr("{0}, following the newest").format(words)
        self.describe(words)

    def paint(self, painter: QPainter) -> None:
        """What is in sight."""
        colors, inspection = self.theme.palette, self._inspection
        self._painter.ground(painter, self.size())
        if inspection.reply is None or inspection.step is None:
            painter.setPen(QColor(colors.muted))
            center = Qt.AlignmentFlag.AlignCenter
            painter.drawText(self.rect().adjusted(0, 0, 0, -BOTTOM), center, self.tr("No steps"))
        else:
            selected = inspection.selected_step
            self._painter.columns(painter, inspection.reply.log, self.view)
            self._painter.box(painter, self.view, inspection.step, is_selected=selected is not None)
            self._painter.overview(painter, self.view, selected)

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        inspection, keys, page = self._inspection, Qt.Key, self.view.page
        moves = {keys.Key_Left: -1, keys.Key_Right: 1}
        moves |= {keys.Key_PageUp: -page, keys.Key_PageDown: page}
        if event.key() in moves:
            inspection.move_step(moves[Qt.Key(event.key())])
        elif event.key() == keys.Key_Home:
            inspection.select_step(0)
        elif event.key() == keys.Key_End:
            inspection.select_step(inspection.num_steps - 1)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._pressed, self._pressed_left = event.position().x(), self.view.left
        self._drags = None
        if self.view.most > 0 and event.position().y() > self.height() - BOTTOM:
            self._drags = "overview"
            self.scroll_to(self.view.left_for_handle(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        moved = event.position().x() - self._pressed
        if self._drags == "overview":
            self.scroll_to(self.view.left_for_handle(event.position().x()))
        elif self._drags or abs(moved) >= QApplication.startDragDistance():
            self._drags = "columns"
            self.scroll_to(self._pressed_left - moved)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and self._drags is None:
            step = self.view.column_at(event.position().x())
            if step is not None:
                self._inspection.select_step(step)
        self._pressed = self._drags = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        by = event.pixelDelta().x() or event.angleDelta().x() * _NOTCH
        if not by and event.pixelDelta().isNull():
            # A wheel that only turns one way moves the columns, until they end.
            by = event.angleDelta().y() * _NOTCH
        if not by or self.view.fit(self.view.left - by) == self.view.left:
            event.ignore()
            return
        self.scroll_to(self.view.left - by)
        event.accept()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        if (step := self._inspection.selected_step) is not None:
            self.view.reveal(step)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self.refresh()
