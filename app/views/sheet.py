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


class Sheet(QDialog):
    """A subclass fills `body` and calls `arrange`; what is closed is gone."""

    def __init__(self, title: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Sheet)
        self.setObjectName("prefs")
        self.setWindowTitle(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self.body = QWidget(self)
        self.body.setObjectName("prefs_body")
        theme.changed.connect(self._follow_theme)
        self._follow_theme()

    def arrange(self, aside: QWidget) -> None:
        """Title, body, foot; `aside` stands in the foot beside Done."""
        title = ElidedLabel(self.windowTitle(), self)
        title.setObjectName("prefs_title")
        # Made here, so that Tab comes to it last.
        self.done_button = QPushButton(self.tr("Done"), self)
        self.done_button.clicked.connect(self.close)
        head = QHBoxLayout()
        head.setContentsMargins(24, 18, 24, 8)
        head.addWidget(title, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 10, 24, 16)
        foot.addWidget(aside, 1)
        foot.addWidget(self.done_button)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(scroll, 1)
        column.addLayout(foot)

    def _follow_theme(self) -> None:
        self.setPalette(self._theme.qt_palette())
