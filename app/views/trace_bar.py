"""The bar under the header of a trace: play and pause, where we are, how fast, and of what."""

from PySide6.QtCore import QEvent, QObject, QPointF, QSignalBlocker, Qt
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.models.model_title import model_title
from app.models.playback import SPEEDS, Playback
from app.theme import Theme
from app.views.controls import ElidedLabel
from app.views.popup_menu import PopupMenu
from app.views.scrubber import Scrubber


class PlayButton(QToolButton):
    """A triangle, or two bars while it plays."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_playing = False
        self.setObjectName("icon")
        self.setFixedSize(28, 28)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_playing(False)

    def show_playing(self, is_playing: bool) -> None:
        """Change the sign and the name."""
        self._is_playing = is_playing
        name = self.tr("Pause") if is_playing else self.tr("Play the trace")
        self.setToolTip(self.tr("{0} (Space)").format(name))
        self.setAccessibleName(name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.palette.text))
            x, y = self.width() / 2, self.height() / 2
            if self._is_playing:
                painter.drawRoundedRect(int(x) - 5, int(y) - 6, 4, 12, 1, 1)
                painter.drawRoundedRect(int(x) + 1, int(y) - 6, 4, 12, 1, 1)
                return
            corners = [QPointF(x - 4, y - 6.5), QPointF(x - 4, y + 6.5), QPointF(x + 6.5, y)]
            painter.drawPolygon(QPolygonF(corners))


class TraceBar(QWidget):
    """Hidden where no trace is shown. Space plays, Left and Right go by steps."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._playback: Playback | None = None
        self.play = PlayButton(theme, self)
        self.play.clicked.connect(self._on_play)
        self.scrubber = Scrubber(theme, self)
        self.scrubber.setAccessibleName(self.tr("Place in the trace"))
        self.scrubber.sought.connect(self._on_sought)
        self.scrubber.step_requested.connect(self._on_step)
        self.scrubber.end_requested.connect(self._on_end)
        self.scrubber.play_requested.connect(self._on_play)
        self.speed = QPushButton(self)
        self.speed.setToolTip(self.tr("How fast it plays"))
        self.speed.setMenu(self._speed_menu())
        self.place = ElidedLabel("", self)
        self.place.setObjectName("small")
        self.source = ElidedLabel("", self)
        self.source.setObjectName("small")
        self.source.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for button in (self.play, self.speed):
            button.installEventFilter(self)
        self._arrange()
        self.setFocusProxy(self.scrubber)
        theme.changed.connect(self.update)
        self.hide()

    def show_playback(self, playback: Playback | None) -> None:
        """Follow a trace's playback, or none."""
        if self._playback is not None:
            self._playback.changed.disconnect(self._follow)
        self._playback = playback
        self.setVisible(playback is not None)
        if playback is None:
            return
        playback.changed.connect(self._follow)
        duration = playback.duration or 1.0
        self.scrubber.show_steps(tuple(time / duration for time in playback.step_times))
        trace = playback.trace
        # Of a name from a hub, the part that tells models apart.
        name = model_title(trace.started.model)
        self.source.set_full_text(self.tr("{0} · format {1}").format(name, trace.version))
        self._follow()

    def _arrange(self) -> None:
        above = QHBoxLayout()
        above.setSpacing(10)
        above.addWidget(self.play)
        above.addWidget(self.scrubber, 1)
        above.addWidget(self.speed)
        below = QHBoxLayout()
        below.setContentsMargins(6, 0, 2, 0)
        below.setSpacing(16)
        # Where both are too long, where we are is told at greater length.
        below.addWidget(self.place, 2)
        below.addWidget(self.source, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 6, 14, 8)
        column.setSpacing(2)
        column.addLayout(above)
        column.addLayout(below)

    def _speed_menu(self) -> QMenu:
        menu, group = PopupMenu(self.speed), QActionGroup(self)
        self._speeds: dict[float | None, QAction] = {}
        for speed in SPEEDS:
            action = menu.addAction(self._speed_words(speed))
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, chosen=speed: self._on_speed(chosen))
            group.addAction(action)
            self._speeds[speed] = action
        return menu

    def _speed_words(self, speed: float | None) -> str:
        return self.tr("As fast as possible") if speed is None else f"{speed:g}×"

    def _follow(self) -> None:
        playback = self._playback
        if playback is None:
            return
        self.play.show_playing(playback.is_playing)
        with QSignalBlocker(self.scrubber):
            self.scrubber.show_share(playback.time / (playback.duration or 1.0))
        place = self.tr("step {0:,} of {1:,} · {2:.2f} s of {3:.2f} s").format(
            playback.step, playback.num_steps, playback.time, playback.duration
        )
        self.place.set_full_text(place)
        self.scrubber.setAccessibleDescription(place)
        self._speeds[playback.speed].setChecked(True)
        words = self.tr("Max") if playback.speed is None else self._speed_words(playback.speed)
        self.speed.setText(words)
        self.speed.setAccessibleName(
            self.tr("Speed: {0}").format(self._speed_words(playback.speed))
        )

    def _on_play(self) -> None:
        if self._playback is not None:
            self._playback.toggle()

    def _on_sought(self, share: float) -> None:
        if self._playback is not None:
            self._playback.seek_time(share * self._playback.duration)

    def _on_step(self, by: int) -> None:
        if self._playback is not None:
            self._playback.move_step(by)

    def _on_end(self, is_end: bool) -> None:
        if self._playback is not None:
            self._playback.pause()
            self._playback.seek_time(self._playback.duration if is_end else 0.0)

    def _on_speed(self, speed: float | None) -> None:
        if self._playback is not None:
            self._playback.set_speed(speed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Buttons would pass the focus on with these keys."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            by = steps.get(Qt.Key(event.key()))
            if by is not None:
                self._on_step(by)
                return True
        return super().eventFilter(watched, event)
