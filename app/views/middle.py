"""The middle column: header, the bar of a trace, and the conversation or a comparison below."""

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.theme import Theme
from app.views.compare.view import CompareView
from app.views.composer import Composer
from app.views.composer.file_drop import FileDrop
from app.views.conversation_view import ConversationView
from app.views.header import Header
from app.views.lasting import Lasting
from app.views.saying import Saying
from app.views.trace_bar import TraceBar

COMPOSER_WIDTH = 670


class Middle(QWidget):
    """Puts its parts together; what they mean is the window's."""

    def __init__(
        self,
        theme: Theme,
        header: Header,
        trace_bar: TraceBar,
        conversation: ConversationView,
        composer: Composer,
        comparison: CompareView,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("column")
        self._conversation, self._comparison = conversation, comparison
        self._talk = QWidget(self)
        talk = QVBoxLayout(self._talk)
        talk.setContentsMargins(0, 0, 0, 0)
        talk.setSpacing(0)
        talk.addWidget(conversation, 1)
        composer.setMaximumWidth(COMPOSER_WIDTH)
        self.drop = FileDrop(self._talk, composer)
        self.saying = Saying(theme, self._talk)
        self.saying.setMaximumWidth(COMPOSER_WIDTH)
        for widget, margins in ((self.saying, (16, 0, 16, 6)), (composer, (16, 6, 16, 20))):
            row = QHBoxLayout()
            row.setContentsMargins(*margins)
            row.addStretch(1)
            row.addWidget(widget, 1000)
            row.addStretch(1)
            talk.addLayout(row)
        self.lasting = Lasting(self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._talk)
        self._stack.addWidget(comparison)
        comparison.closed.connect(self.show_conversation)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self.lasting)
        column.addWidget(trace_bar)
        column.addWidget(self._stack, 1)

    @property
    def is_comparing(self) -> bool:
        """Whether two replies are shown side by side."""
        return self._stack.currentWidget() is self._comparison

    def show_conversation(self) -> None:
        """The chat, and the composer below it."""
        self._stack.setCurrentWidget(self._talk)

    def show_comparison(self) -> None:
        """Two replies side by side."""
        self._stack.setCurrentWidget(self._comparison)
        self._comparison.setFocus()
