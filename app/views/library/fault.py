"""What is wrong with a model, on the ground of an error."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.models.report import report_text
from app.theme import Theme
from app.views.problem import ProblemView

_MOST, _AROUND = 160, 26


class Fault(QFrame):
    """Hidden while nothing is wrong; a fold that is open stays so until something else is."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fault")
        self._shown = ("", "", "")
        self.problem = ProblemView(theme, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.addWidget(self.problem)
        self.problem.fold.toggled.connect(self._fit)
        self.hide()

    def show_fault(self, name: str, sentence: str, details: str = "") -> None:
        """What is wrong with the model of that name; nothing if there is no sentence."""
        self.setVisible(bool(sentence))
        if (name, sentence, details) != self._shown:
            self._shown = (name, sentence, details)
            self.problem.show_problem(sentence, details, report_text(sentence, details, name))
            self._fit()

    def _fit(self) -> None:
        """The details take as much room as they need, within reason."""
        box = self.problem.details
        height = box.blockCount() * box.fontMetrics().lineSpacing() + _AROUND
        longest = max(map(box.fontMetrics().horizontalAdvance, self._shown[2].split("\n")))
        if longest > box.viewport().width() - _AROUND // 2:
            height += box.horizontalScrollBar().sizeHint().height()
        box.setFixedHeight(min(height, _MOST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
