"""One sentence above the message field: what was done, what went wrong, what is under way."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.theme import Theme
from app.views.column.actions import ActionButton

LASTING_MS = 10_000


class Saying(QFrame):
    """Shown whole, however long; leaves by itself after a while, unless it `stays`.

    A sheet over the window has one that says the same meanwhile: the window's lies under it.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("saying")
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.action = QPushButton(self)
        self.action.setObjectName("link")
        self.action.hide()
        self.action.setAutoDefault(False)  # in a sheet Return would press it
        self.action.clicked.connect(self._on_action)
        self._act: Callable[[], object] | None = None
        self._source: Saying | None = None
        self.close_button = ActionButton("close", self.tr("Close"), theme, self)
        self.close_button.clicked.connect(self.clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 8, 6)
        row.addWidget(self.words, 1)
        row.addWidget(self.action, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._leave = QTimer(self)
        self._leave.setSingleShot(True)
        self._leave.setInterval(LASTING_MS)
        self._leave.timeout.connect(self.clear)
        self.hide()

    @property
    def sentence(self) -> str:
        """What is said; empty where nothing is."""
        return self.words.text()

    def say(
        self,
        sentence: str,
        *,
        stays: bool = False,
        action: str = "",
        act: Callable[[], object] | None = None,
    ) -> None:
        """Say this in place of what was said; empty ends it. `action` names what `act` does."""
        self._leave.stop()
        self.words.setText(sentence)
        self._act = act
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
        if sentence and not stays:
            self._leave.start()
        self.changed.emit()

    def say_same(self, source: "Saying") -> None:
        """Say what another one says from now on, as long as it does; closed here it is closed."""
        self._source = source
        source.changed.connect(self._follow)

    def clear(self) -> None:
        """Nothing is said any more."""
        if self._source is not None and self._source.sentence == self.sentence:
            self._source.clear()
        self.say("")

    def _follow(self) -> None:
        if self._source is not None:
            action, act = self._source.action.text(), self._source._act
            self.say(self._source.sentence, stays=True, action=action, act=act)

    def _on_action(self) -> None:
        if self._act is not None:
            self._act()
