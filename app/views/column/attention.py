"""Where the keyboard is in the column: whose actions are drawn, what Alt with an arrow chooses."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from app.views.column.stretch import Stretch


class Attention(QObject):
    """Follows the focus through the turns that are built."""

    def __init__(self, area: QScrollArea, stretch: Stretch) -> None:
        super().__init__(area)
        self._stretch = stretch
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        for key, by in (("Alt+Left", -1), ("Alt+Right", 1)):
            shortcut = QShortcut(QKeySequence(key), area)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda by=by: self._choose_sibling(by))

    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        for turn in self._stretch.turns:
            turn.show_focus(now)

    def _choose_sibling(self, by: int) -> None:
        focus = QApplication.focusWidget()
        for turn in self._stretch.turns:
            if focus is not None and turn.question.isAncestorOf(focus):
                turn.question.choose_beside(by)
                return
            if focus is not None and turn.reply.isAncestorOf(focus):
                turn.reply.row.choose_beside(by)
                return
