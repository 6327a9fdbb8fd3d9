"""The steps of a reply with their heading, and the way back to the newest one."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.models.inspection import Inspection
from app.theme import Theme
from app.views.controls import section
from app.views.inspector.patterns import Kind, PatternLegend
from app.views.inspector.strip import StepStrip

LEGEND: tuple[tuple[Kind, str], ...] = (
    ("generated", "generated"),
    ("accepted", "accepted"),
    ("replayed", "replayed"),
    ("corrected", "corrected"),
    ("bonus", "bonus"),
    ("rejected", "not kept"),
    ("excluded", "excluded"),
)


class StepsSection(QWidget):
    """Heading, "Follow" where the newest step is not followed, the strip, what its cells mean."""

    def __init__(self, theme: Theme, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inspection = inspection
        self.strip = StepStrip(theme, inspection, self)
        self.follow = QPushButton(self)
        self.follow.setObjectName("quiet")
        self.follow.setAccessibleName(self.tr("Follow the newest step"))
        self.follow.setToolTip(self.tr("Show the newest step, whichever that is"))
        self.follow.clicked.connect(inspection.follow)
        policy = self.follow.sizePolicy()
        # Its room stays, so that nothing moves when it comes and goes.
        policy.setRetainSizeWhenHidden(True)
        self.follow.setSizePolicy(policy)
        head = QHBoxLayout()
        head.setContentsMargins(0, 6, 0, 0)
        heading = section(self.tr("Steps"), self)
        heading.setContentsMargins(0, 0, 0, 0)
        head.addWidget(heading)
        head.addStretch(1)
        head.addWidget(self.follow)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.strip)
        column.addSpacing(4)
        column.addWidget(PatternLegend(theme, LEGEND, self))
        inspection.moved.connect(self._show_follow)

    def refresh(self) -> None:
        """Take in that the reply has grown."""
        self.strip.refresh()
        self._show_follow()

    def _show_follow(self) -> None:
        reply = self._inspection.reply
        is_over = reply is None or reply.is_over
        self.follow.setText(self.tr("Newest") if is_over else self.tr("Follow"))
        self.follow.setVisible(not self._inspection.is_following)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_follow()
