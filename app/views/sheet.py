"""A sheet of the window: a title, a body that scrolls, and a foot with Done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.theme import Theme
from app.views.controls import ElidedLabel
from app.views.saying import Saying


class Sheet(QDialog):
    """A subclass fills `body` and calls `arrange`; what is closed is gone.

    What the window says while it is open is said in it.
    """

    def __init__(self, title: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Sheet)
        self.setObjectName("prefs")
        self.setWindowTitle(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._under = theme, parent.window()
        self.body = QWidget(self)
        self.body.setObjectName("prefs_body")
        theme.changed.connect(self._follow_theme)
        self._follow_theme()

    def arrange(self, aside: QWidget) -> None:
        """Title, body, foot; `aside` stands in the foot beside Done."""
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.body)
        self.put_together(scroll, aside)

    def put_together(
        self, middle: QWidget, aside: QWidget, beside_title: QWidget | None = None
    ) -> None:
        """The same around another middle, with something beside the title."""
        title = ElidedLabel(self.windowTitle(), self)
        title.setObjectName("prefs_title")
        self.saying = self._made_saying()
        # Made here, so that Tab comes to it last.
        self.done_button = QPushButton(self.tr("Done"), self)
        self.done_button.setAutoDefault(False)
        self.done_button.clicked.connect(self.close)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        if beside_title is None:
            head.setContentsMargins(24, 18, 24, 8)
        else:
            head.setContentsMargins(24, 16, 24, 12)
            head.addWidget(beside_title)
        said = QHBoxLayout()
        said.setContentsMargins(24, 8, 24, 0)
        said.addWidget(self.saying)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 10, 24, 16)
        foot.addWidget(aside, 1)
        foot.addWidget(self.done_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(middle, 1)
        column.addLayout(said)
        column.addLayout(foot)

    def _made_saying(self) -> Saying:
        made = Saying(self._theme, self)
        for source in self._under.findChildren(Saying):
            if source.window() is self._under:  # and not of another sheet
                made.say_same(source)
        return made

    def _follow_theme(self) -> None:
        self.setPalette(self._theme.qt_palette())
