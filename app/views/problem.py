"""What went wrong in a sentence, a fold of details, and a report of it for the clipboard."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.models.report import report_text
from app.theme import Theme, mono
from engine import Failed

_SIGN = 18
_DETAILS_HEIGHT = 160


class _Sign(QWidget):
    """An exclamation mark in a ring."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedSize(QSize(_SIGN, _SIGN))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            color = QColor(self._theme.palette.error)
            painter.setPen(QPen(color, 1.5, c=Qt.PenCapStyle.RoundCap))
            center = QRectF(self.rect()).center()
            painter.drawEllipse(center, 7.0, 7.0)
            painter.drawLine(center + QPointF(0, -3.4), center + QPointF(0, 0.6))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(center + QPointF(0, 3.2), 1.0, 1.0)


class ProblemView(QWidget):
    """Shows one problem at a time; `row` takes further buttons, of what can be done about it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = ""
        self.sentence = QLabel(self)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.fold = QPushButton(self.tr("Details ▸"), self)
        self.fold.setObjectName("quiet")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._on_folded)
        self.copy = QPushButton(self.tr("Copy report"), self)
        self.copy.setObjectName("quiet")
        self.copy.setToolTip(self.tr("Versions, machine, model and details; no word of a chat"))
        self.copy.clicked.connect(self._on_copy)
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("details")
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setFont(mono(12))
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setAccessibleName(self.tr("Details of the failure"))
        self.details.setFixedHeight(_DETAILS_HEIGHT)
        self._arrange(_Sign(theme, self))

    def show_problem(self, sentence: str, details: str = "", report: str = "") -> None:
        """Show this in place of what was shown; what is empty has no button."""
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.details.setPlainText(details)
        self._report = report
        self.fold.setChecked(False)
        self.fold.setVisible(bool(details))
        self.details.hide()
        self.copy.setText(self.tr("Copy report"))
        self.copy.setVisible(bool(report))

    def _arrange(self, sign: QWidget) -> None:
        top = QHBoxLayout()
        top.setSpacing(9)
        top.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.sentence, 1)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(_SIGN + 5, 0, 0, 0)
        self.row.setSpacing(8)
        self.row.addWidget(self.fold)
        self.row.addWidget(self.copy)
        self.row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(self.row)
        column.addWidget(self.details)
        self.show_problem("")

    def _on_folded(self, is_open: bool) -> None:
        self.details.setVisible(is_open)
        self.fold.setText(self.tr("Details ▾") if is_open else self.tr("Details ▸"))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report)
        self.copy.setText(self.tr("Copied"))


class FailureBlock(QFrame):
    """What could not be done and why, as a block with a title; it can be tried again.

    `model` names the model in the report (see `app.models.report.model_words`).
    """

    retry_requested = Signal()

    def __init__(
        self, failure: Failed, what: str, model: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("error")
        title = QLabel(what, self)
        title.setObjectName("error_title")
        self.problem = ProblemView(theme, self)
        report = report_text(failure.sentence, failure.details, model)
        self.problem.show_problem(failure.sentence, failure.details, report)
        self.retry = QPushButton(self.tr("Try again"), self)
        self.retry.clicked.connect(self.retry_requested)
        self.problem.row.insertWidget(0, self.retry)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        column.addWidget(title)
        column.addWidget(self.problem)
