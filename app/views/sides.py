"""What stands beside the conversation: side bar and inspector, as wanted and as there is room."""

from PySide6.QtWidgets import QAbstractButton, QWidget

from app.views.inspector.dock import INSPECTOR_WIDTH
from app.views.sidebar import SIDEBAR_WIDTH

MIN_CONVERSATION = 430
_LEAST = MIN_CONVERSATION + INSPECTOR_WIDTH
# Where the screen has no room for both: what each can be squeezed to.
_LEAST_TALK, _LEAST_PANE = 320, 300


class Sides:
    """Shows and hides the two; `button` is checked while the inspector is there."""

    def __init__(
        self, window: QWidget, sidebar: QWidget, inspector: QWidget, button: QAbstractButton
    ) -> None:
        self._window, self._sidebar, self._inspector = window, sidebar, inspector
        self._button = button
        self.wants_inspector = self.wants_sidebar = True
        # Asked for in a narrow window, the inspector stays in one that is at least so wide.
        self._stays_from: int | None = None

    def set_wants_inspector(self, wants: bool, *, is_asked: bool = False) -> None:
        """Open the inspector wherever there is room for it; asked for, make room."""
        self.wants_inspector = wants
        self._stays_from = None
        width = self._window.width()
        if wants and is_asked and width < _LEAST + self._beside:
            # The window may be refused the width that it asks for.
            self._stays_from = min(width, _LEAST)
            self._widen()
        self.fit()

    def set_wants_sidebar(self, wants: bool) -> None:
        """Show the side bar wherever there is room for it."""
        self.wants_sidebar = wants
        if wants:
            self._stays_from = None
        self.fit()

    def fit(self) -> None:
        """In a narrow window the inspector gives way; asked for, it takes the side bar's place."""
        width = self._window.width()
        room = width - _LEAST
        stays = self._stays_from is not None and width >= self._stays_from
        shows = self.wants_inspector and (room >= self._beside or stays)
        self._inspector.setFixedWidth(min(INSPECTOR_WIDTH, max(width - _LEAST_TALK, _LEAST_PANE)))
        self._inspector.setVisible(shows)
        self._sidebar.setVisible(self.wants_sidebar and (not shows or room >= SIDEBAR_WIDTH))
        self._button.setChecked(shows)

    @property
    def _beside(self) -> int:
        """What the side bar takes."""
        return SIDEBAR_WIDTH if self.wants_sidebar else 0

    def _widen(self) -> None:
        """Grow until conversation and inspector fit, and stay on the screen."""
        window = self._window
        missing = _LEAST - window.width()
        if missing <= 0 or window.isMaximized() or window.isFullScreen():
            return
        screen, frame = window.screen().availableGeometry(), window.frameGeometry()
        if frame.width() + missing > screen.width():
            return
        window.resize(_LEAST, window.height())
        over = frame.right() + missing - screen.right()
        if over > 0:
            window.move(window.x() - over, window.y())
