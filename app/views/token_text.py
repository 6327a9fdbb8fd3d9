"""A reply's text whose tokens can be chosen: by mouse, by keyboard, and shown as chosen.

It keeps no selection of its own: it says what is asked for, and outlines what it is told.
"""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QTextBlock,
)
from PySide6.QtWidgets import QApplication, QWidget

from app.theme import Theme
from app.views.escape import EscapeKeeper
from app.views.origin_marks import paint_mark
from app.views.reply_text import ReplyText
from app.views.scrolling import EDGE
from app.views.text_geometry import bounds_of
from app.views.text_lights import MARGIN

_KEY = Qt.Key
_STEPS = {_KEY.Key_Left: -1, _KEY.Key_Right: 1}
_LINES = {_KEY.Key_Up: -1, _KEY.Key_Down: 1}
_ENDS = {_KEY.Key_Home: 0, _KEY.Key_End: 1}
_OPENING = {_KEY.Key_Return, _KEY.Key_Enter, _KEY.Key_Space}
_BY_TAB = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}
_STOP_SIDE = 6.0


class TokenText(ReplyText):
    """`token_clicked` and `token_reached` (by key) carry the token's number in the reply.

    `framed` carries this text while the keyboard is here and no token is outlined, else None.
    """

    token_clicked = Signal(int)
    token_reached = Signal(int)
    card_requested = Signal()
    source_requested = Signal()
    dismissed = Signal()
    framed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.num_tokens = 0
        # Escape stops a reply in the whole window; here it first closes what is open.
        self.takes_escape = False
        EscapeKeeper(self, lambda: self.takes_escape)
        self._is_token_view = True
        self._selected: tuple[int, int] | None = None
        self._token: int | None = None
        self._hovered: int | None = None
        self._pressed_at: QPoint | None = None
        self._aim: float | None = None
        self._shows_focus = self._is_framed = False
        # The outlined token is where one is; a caret beside it would say it twice.
        self.setCursorWidth(0)
        self.viewport().setMouseTracking(True)

    @property
    def selected(self) -> tuple[int, int] | None:
        """The first and the last token that are outlined."""
        return self._selected

    @property
    def hovered(self) -> int | None:
        """The token under the mouse."""
        return self._hovered

    def set_token_view(self, is_on: bool) -> None:
        """Whether tokens can be chosen here, or the text is only to be read."""
        self._is_token_view = is_on
        self._hover(None)
        self._fit_height()
        self.viewport().update()

    def show_selected(self, first: int | None, last: int | None, token: int | None) -> None:
        """Outline these tokens; `token` is where the keys go on from."""
        self._token = token if token is not None else first
        selected = (first, last) if first is not None and last is not None else None
        if selected != self._selected:
            self._selected = selected
            self.viewport().update()
            self._tell_frame()

    def selected_rect(self) -> QRectF:
        """What bounds the outlined tokens; null if there are none."""
        selected = self._selected
        return bounds_of(self.lines.token_rects(*selected)) if selected is not None else QRectF()

    def selected_lines(self) -> QRectF:
        """What bounds all of each line that an outlined token is on; null if there are none."""
        selected = self._selected
        return self.lines.whole_lines(*selected) if selected is not None else QRectF()

    def _tell_frame(self) -> None:
        is_framed = self._shows_focus and self._selected is None
        if is_framed != self._is_framed:
            self._is_framed = is_framed
            self.framed.emit(self if is_framed else None)

    def _room_below(self) -> float:
        tail = self.lines.tail() if self._is_token_view else []
        room = super()._room_below()
        return (
            max(tail[-1][2].bottom() + 3 - self.document().size().height(), room) if tail else room
        )

    def _hover(self, token: int | None) -> None:
        if token == self._hovered:
            return
        for number in (self._hovered, token):
            if number is not None:
                for rect in self.lines.token_rects(number, number):
                    around = 2 * MARGIN + 1
                    self.viewport().update(
                        rect.adjusted(-around, -around, around, around).toAlignedRect()
                    )
        self._hovered = token

    def _reach(self, token: int | None) -> None:
        if token is not None and self.num_tokens:
            self.token_reached.emit(min(max(token, 0), self.num_tokens - 1))

    def _target(self, event: QKeyEvent) -> int | None:
        """The token that a key leads to; the first or the last in view where none was chosen."""
        key, token = _KEY(event.key()), self._token
        if key in _ENDS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return _ENDS[key] * (self.num_tokens - 1)
        if token is None:
            seen = self._seen()
            return seen[0 if key in (_KEY.Key_Right, _KEY.Key_Down, _KEY.Key_Home) else 1]
        if key in _STEPS:
            return token + _STEPS[key]
        if key in _ENDS:
            return self.lines.line_ends(token)[_ENDS[key]]
        if self._aim is None:
            rects = self.lines.token_rects(token, token)
            self._aim = rects[0].center().x() if rects else 0.0
        return self.lines.beside(token, _LINES[key], self._aim)

    def _seen(self) -> tuple[int, int]:
        """The first and the last token that can be gone to without scrolling."""
        view = self.viewport().visibleRegion().boundingRect()
        top = view.top() + EDGE if view.top() > 0 else 0
        bottom = view.bottom() - (EDGE if view.bottom() < self.viewport().rect().bottom() else 0)
        return self.lines.tokens_between(top, bottom) or (0, self.num_tokens - 1)

    def _press(self, event: QKeyEvent) -> bool:
        """Whether a key was meant for the tokens."""
        key = event.key()
        allowed = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ControlModifier
        if not self._is_token_view or event.modifiers() & ~allowed or not self.num_tokens:
            return False
        if key in _STEPS or key in _LINES or key in _ENDS:
            if key not in _LINES:
                self._aim = None
            self._reach(self._target(event))
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        elif key in _OPENING:
            if self._token is None or self._selected != (self._token, self._token):
                self._reach(self._token if self._token is not None else self._seen()[0])
            self.card_requested.emit()
        elif key == _KEY.Key_S:
            self.source_requested.emit()
        elif key == _KEY.Key_Escape and self.takes_escape:
            self.dismissed.emit()
        else:
            return False
        return True

    def _paint_tail(self, painter: QPainter) -> None:
        """Cells of tokens without text behind the end: a stop sign, with the token's origin."""
        colors = self._theme.palette
        for _, origin, rect in self.lines.tail():
            if origin in self.origins.shown:
                paint_mark(painter, self._theme, origin, rect)
            painter.setPen(QPen(QColor(colors.control_border), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -2.5))
            side = QRectF(0, 0, _STOP_SIDE, _STOP_SIDE)
            side.moveCenter(rect.center() - QPointF(0, 1))
            painter.fillRect(side, QColor(colors.muted))

    def _paint_lights(self, painter: QPainter, blocks: list[tuple[QTextBlock, QRectF]]) -> None:
        super()._paint_lights(painter, blocks)
        if self._is_token_view:
            self._paint_tail(painter)
        if self._hovered is not None:
            rects = self.lines.token_rects(self._hovered, self._hovered)
            self._outline(painter, "hovered", rects)
        if self._selected is not None:
            self._outline(painter, "selected", self.lines.token_rects(*self._selected))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._press(event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        is_click = is_plain and event.button() == Qt.MouseButton.LeftButton
        self._pressed_at = event.position().toPoint() if is_click else None
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        start, self._pressed_at = self._pressed_at, None
        if start is None or not self._is_token_view or self.textCursor().hasSelection():
            return
        moved = (event.position().toPoint() - start).manhattanLength()
        token = self.lines.token_at(event.position())
        if moved < QApplication.startDragDistance() and token is not None:
            self._aim = None
            self.token_clicked.emit(token)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = None
        super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_hover = self._is_token_view and not event.buttons()
        self._hover(self.lines.token_at(event.position()) if is_hover else None)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = event.reason() in _BY_TAB
        super().focusInEvent(event)
        self._tell_frame()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = False
        super().focusOutEvent(event)
        self._tell_frame()
