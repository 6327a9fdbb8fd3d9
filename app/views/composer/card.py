"""The composer's card: chips, the field, and the line below them, in a border."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.theme import Theme
from app.views.composer.chips import Chips
from app.views.composer.foot import Foot
from app.views.composer.prompt_edit import PromptEdit


class Card(QFrame):
    """Puts the parts together; what they mean is the composer's."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.chips = Chips(theme, self)
        self.edit = PromptEdit(self)
        self.edit.setPlaceholderText(self.tr("Message"))
        self.foot = Foot(theme, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(15, 13, 14, 10)
        column.setSpacing(10)
        column.addWidget(self.chips)
        column.addWidget(self.edit)
        column.addWidget(self.foot)

    def set_flag(self, name: str, is_set: bool) -> None:
        """Change how the border looks: `active` with the caret in it, `target` below a drag."""
        if self.property(name) != is_set:
            self.setProperty(name, is_set)
            self.style().unpolish(self)
            self.style().polish(self)
