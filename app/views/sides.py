"""What stands beside the conversation: side bar and inspector, as wanted and as there is room."""

from PySide6.QtWidgets import QAbstractButton, QWidget

from app.views.inspector.dock import INSPECTOR_WIDTH
from app.views.sidebar import SIDEBAR_WIDTH

MIN_CONVERSATION = 430


class Sides:
    """Shows and hides the two; `button` is checked while the inspector is there."""

    def __init__(
        self, window: QWidget, sidebar: QWidget, inspector: QWidget, button: QAbstractButton
    ) -> None:
        self._window, self._sidebar, self._inspector = window, sidebar, inspector
        self._button = button
        self.wants_inspector = self.wants_sidebar = True

    def set_wants_inspector(self, wants: bool, *, is_asked: bool = False) -> None:
        """Open the inspector wherever there is room for it."""
        self.wants_inspector = wants
        self.fit(is_asked=is_asked)

    def set_wants_sidebar(self, wants: bool) -> None:
        """Show the side bar wherever there is room for it."""
        self.wants_sidebar = wants
        self.fit()

    def fit(self, *, is_asked: bool = False) -> None:
        """In a narrow window the inspector gives way; asked for, it takes the side bar's place."""
        room = self._window.width() - MIN_CONVERSATION - INSPECTOR_WIDTH
        beside = SIDEBAR_WIDTH if self.wants_sidebar else 0
        shows = self.wants_inspector and (room >= beside or (is_asked and room >= 0))
        self._inspector.setVisible(shows)
        self._sidebar.setVisible(self.wants_sidebar and (not shows or room >= SIDEBAR_WIDTH))
        self._button.setChecked(shows)
