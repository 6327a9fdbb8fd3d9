"""What stands beside the conversation: side bar and inspector, as wanted and as there is room."""

from PySide6.QtWidgets import QAbstractButton, QWidget

from app.views.inspector.dock import INSPECTOR_WIDTH
from app.views.sidebar import SIDEBAR_WIDTH

MIN_CONVERSATION = 430
_LEAST = MIN_CONVERSATION + INSPECTOR_WIDTH
# The side bar hides by itself where the conversation beside it would be narrower than this.
_ROOMY_TALK = 528
# In a narrow window: what each can be squeezed to.
_LEAST_TALK, _LEAST_PANE = 320, 300


class Sides:
    """Shows and hides the two; `button` is checked while the inspector is there.

    `opener` is there while the side bar is hidden, and brings it back.
    """

    def __init__(
        self,
        window: QWidget,
        sidebar: QWidget,
        inspector: QWidget,
        button: QAbstractButton,
        opener: QAbstractButton,
    ) -> None:
        self._window, self._sidebar, self._inspector = window, sidebar, inspector
        self._button, self._opener = button, opener
        self.wants_inspector = self.wants_sidebar = True
        # Asked for in a narrow window, one of them stays in one that is at least so wide.
        self._inspector_from: int | None = None
        self._sidebar_from: int | None = None
        opener.clicked.connect(lambda: self.set_wants_sidebar(True, is_asked=True))

    @property
    def is_sidebar_shown(self) -> bool:
        """Whether the side bar is there now."""
        return not self._sidebar.isHidden()

    def set_wants_inspector(self, wants: bool, *, is_asked: bool = False) -> None:
        """Open the inspector wherever there is room for it; asked for, make room."""
        self.wants_inspector = wants
        self._inspector_from = self._sidebar_from = None
        width = self._window.width()
        if wants and is_asked and width < _LEAST + self._beside:
            self._inspector_from = min(width, _LEAST)
        self.fit()

    def set_wants_sidebar(self, wants: bool, *, is_asked: bool = False) -> None:
        """Show the side bar wherever there is room for it; asked for, make room."""
        self.wants_sidebar = wants
        self._sidebar_from = None
        if wants:
            self._inspector_from = None
        if wants and is_asked:
            self._sidebar_from = min(self._window.width(), SIDEBAR_WIDTH + _ROOMY_TALK)
        self.fit()

    def toggle_sidebar(self) -> None:
        """Hide the side bar if it is there, else bring it."""
        self.set_wants_sidebar(not self.is_sidebar_shown, is_asked=True)

    def fit(self) -> None:
        """In a narrow window both give way; the one that was asked for stays."""
        width = self._window.width()
        shows = self.wants_inspector and (
            width >= _LEAST + self._beside or _reaches(width, self._inspector_from)
        )
        has_room = width >= SIDEBAR_WIDTH + (_LEAST if shows else _ROOMY_TALK)
        if not shows:
            has_room = has_room or _reaches(width, self._sidebar_from)
        # Between the two there would be no room for a title beside the opener.
        is_tight = shows and width < _LEAST
        self._inspector.setFixedWidth(min(INSPECTOR_WIDTH, max(width - _LEAST_TALK, _LEAST_PANE)))
        self._inspector.setVisible(shows)
        self._sidebar.setVisible(self.wants_sidebar and has_room)
        self._opener.setVisible(not self.is_sidebar_shown and not is_tight)
        self._button.setChecked(shows)

    @property
    def _beside(self) -> int:
        """What the side bar takes."""
        return SIDEBAR_WIDTH if self.wants_sidebar else 0


def _reaches(width: int, least: int | None) -> bool:
    return least is not None and width >= least
