"""The inspector dock: a row of tabs over one pane; a pane that is not shown costs nothing."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.views.header import HEADER_HEIGHT

INSPECTOR_WIDTH = 368


class InspectorDock(QWidget):
    """Holds panes by name, in the order they were added; shows the first until told otherwise."""

    pane_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(INSPECTOR_WIDTH)
        self._names: list[str] = []
        self._tabs = QButtonGroup(self)
        self._tabs.idToggled.connect(self._on_toggled)
        head = QWidget(self)
        head.setObjectName("inspector_header")
        head.setFixedHeight(HEADER_HEIGHT)
        self._title = QLabel(self.tr("Inspector"), head)
        self._title.setObjectName("title")
        self._title.setContentsMargins(0, 0, 8, 0)
        self._row = QHBoxLayout(head)
        self._row.setContentsMargins(19, 0, 12, 0)
        self._row.setSpacing(2)
        self._row.addWidget(self._title)
        self._row.addStretch(1)
        self._stack = QStackedWidget(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._stack, 1)

    @property
    def pane(self) -> str:
        """The name of the pane shown."""
        return self._names[self._stack.currentIndex()]

    def add_pane(self, name: str, label: str, pane: QWidget) -> None:
        """Another tab at the right end."""
        number = len(self._names)
        self._names.append(name)
        area = QScrollArea(self._stack)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget(area)
        content.setObjectName("inspector_content")
        body = QVBoxLayout(content)
        body.setContentsMargins(19, 12, 18, 16)
        body.addWidget(pane)
        body.addStretch(1)
        area.setWidget(content)
        tab = QToolButton(self)
        tab.setObjectName("tab")
        tab.setText(label)
        tab.setCheckable(True)
        tab.setAccessibleName(self.tr("Inspector: {0}").format(label))
        tab.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._tabs.addButton(tab, number)
        self._row.insertWidget(self._row.count() - 1, tab)
        self._stack.addWidget(area)
        if number == 0:
            tab.setChecked(True)

    def show_pane(self, name: str) -> None:
        """Bring a pane to the front."""
        self._tabs.button(self._names.index(name)).setChecked(True)

    def _on_toggled(self, number: int, is_on: bool) -> None:
        # Tab gets to the tab in front; arrow keys go between them.
        policy = Qt.FocusPolicy.StrongFocus if is_on else Qt.FocusPolicy.ClickFocus
        self._tabs.button(number).setFocusPolicy(policy)
        if is_on:
            self._stack.setCurrentIndex(number)
            self._fit_head()
            self.pane_changed.emit(self._names[number])

    def _fit_head(self) -> None:
        """Where it is narrow the tabs have the row to themselves."""
        tabs = self._tabs.buttons()
        margins = self._row.contentsMargins()
        needed = self._title.sizeHint().width() + margins.left() + margins.right()
        needed += sum(tab.sizeHint().width() + self._row.spacing() for tab in tabs)
        self._title.setVisible(needed <= self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()

    def showEvent(self, event: QShowEvent) -> None:
        # Only now the fonts are known for good.
        super().showEvent(event)
        self._fit_head()
