"""The main window: side bar, middle column, inspector; shows the open chat and what can be done."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QWidget

from app.models.chats import Chats
from app.models.comparison import Comparison
from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.models.inspection import Inspection
from app.models.looking import Looking
from app.models.model_state import ModelState
from app.models.question import Question
from app.models.speculation import SpeculationSettings
from app.models.text_size import TextSize
from app.theme import Theme
from app.views.compare.pane import ComparePane
from app.views.compare.view import CompareView
from app.views.composer import Composer
from app.views.conversation_view import ConversationView
from app.views.flags.pane import FlagsPane
from app.views.header import Header
from app.views.inspector.dock import InspectorDock
from app.views.inspector.live import LivePane
from app.views.inspector.step import StepPane
from app.views.middle import Middle
from app.views.restyling import Restyling
from app.views.sidebar import Sidebar
from app.views.sides import Sides
from app.views.standing import Standing
from app.views.trace_bar import TraceBar
from app.views.trace_drop import TraceDrop


class MainWindow(QMainWindow):
    """Reads models, writes none but the selection; a controller listens to its signals."""

    send_requested = Signal(object, str)
    example_chosen = Signal(object)
    retry_requested = Signal(object)
    stop_requested = Signal()
    reload_requested = Signal()
    trace_opened = Signal(object)
    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        chats: Chats,
        model: ModelState,
        speculation: SpeculationSettings,
        display: TokenDisplay,
        inspection: Inspection,
        comparison: Comparison,
        text_size: TextSize | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Draftscope")
        self.setMinimumSize(640, 480)
        self._theme, self._chats, self._inspection = theme, chats, inspection
        self._chat: Conversation | None = None
        # Asked when the window is about to close; who says no says why.
        self.may_close: Callable[[], bool] = lambda: True
        self.sidebar = Sidebar(theme, chats, model, self)
        self.header = Header(theme, display, self)
        self.conversation = ConversationView(theme, display, model, inspection, self, text_size)
        self.composer = Composer(theme, self)
        self.trace_bar = TraceBar(theme, self)
        self.comparison = CompareView(theme, display, comparison, self)
        self.live = LivePane(theme, inspection, speculation, self)
        self.step = StepPane(theme, inspection, self)
        self.compare = ComparePane(theme, comparison, inspection, model, self)
        self.flags = FlagsPane(theme, speculation, model, self)
        self.inspector = InspectorDock(self)
        self._arrange()
        self._looking = Looking(inspection)
        self._standing = Standing(
            model, speculation, inspection, self.header, self.composer, self.flags,
            self.conversation.intents,
        )  # fmt: skip
        self._connect()
        Restyling(theme, self)
        self._show_chat(chats.current)
        self.sides.fit()
        self.composer.edit.setFocus()

    @property
    def chat(self) -> Conversation | None:
        """The chat that is shown."""
        return self._chat

    @property
    def is_inspector_shown(self) -> bool:
        """Whether the inspector is open now."""
        return not self.inspector.isHidden()

    def set_running(self, owner: object | None) -> None:
        """What is being answered, if anything: an exchange, or a comparison."""
        self.sidebar.set_running(owner)
        self._standing.set_running(owner)

    def say(self, sentence: str) -> None:
        """One sentence above the message field, for a while."""
        self.middle.saying.say(sentence)

    def warn(
        self, sentence: str, action: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """One sentence that stays until something else is said, or it is closed."""
        self.middle.saying.say(sentence, stays=True, action=action, act=act)

    def _arrange(self) -> None:
        for name, label, pane in (
            ("live", self.tr("Live"), self.live),
            ("step", self.tr("Step"), self.step),
            ("compare", self.tr("Compare"), self.compare),
            ("settings", self.tr("Settings"), self.flags),
        ):
            self.inspector.add_pane(name, label, pane)
        self.middle = Middle(
            self._theme,
            self.header,
            self.trace_bar,
            self.conversation,
            self.composer,
            self.comparison,
            self,
        )
        central = QWidget(self)
        whole = QHBoxLayout(central)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.sidebar)
        whole.addWidget(self.middle, 1)
        whole.addWidget(self.inspector)
        self.setCentralWidget(central)
        self.sides = Sides(self, self.sidebar, self.inspector, self.header.panel, self.header.side)

    def _connect(self) -> None:
        self.header.inspector_toggled.connect(self._on_inspector_toggled)
        self.header.traces.open_requested.connect(self.trace_opened)
        TraceDrop(self).dropped.connect(self.trace_opened)
        self.middle.drop.trace_dropped.connect(self.trace_opened)
        self.conversation.example_chosen.connect(self.example_chosen)
        self.conversation.retry_requested.connect(self.retry_requested)
        self.conversation.reload_requested.connect(self.reload_requested)
        # The button goes; the keyboard goes on to the message field.
        self.conversation.follow_up_requested.connect(self.composer.edit.setFocus)
        self.conversation.follow_up_requested.connect(self._on_send)
        self.composer.send_requested.connect(self._on_send)
        self.composer.stop_requested.connect(self.stop_requested)
        self.composer.load_requested.connect(self.reload_requested)
        self.composer.said.connect(self.say)
        self.conversation.intents.details_requested.connect(self._show_details)
        self.compare.shown_requested.connect(self._show_comparison)
        self._chats.current_changed.connect(self._show_chat)
        # What had the keyboard in the column went; it goes on to the message field.
        self.conversation.attention.pushed_out.connect(self.composer.edit.setFocus)
        self.composer.edit.follow_size(self.conversation.size_of_text)

    def focus_reply(self) -> None:
        """Where keys select tokens: the text of the reply that is looked at."""
        for view in self.conversation.reply_views:
            if view.reply is self._inspection.reply:
                view.text.setFocus(Qt.FocusReason.TabFocusReason)

    def focus_selection(self) -> None:
        """Where the arrow keys go on from what is selected: the strip, or the reply's text."""
        if self.inspector.pane == "step":
            self.step.steps.strip.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.focus_reply()

    def show_pane(self, name: str) -> None:
        """Open the inspector with this pane in front."""
        if not self.is_inspector_shown:
            self._on_inspector_toggled(True)
        self.inspector.show_pane(name)

    def _show_chat(self, chat: Conversation) -> None:
        if self._chat is not None:
            self.composer.flush_draft()
            for signal, slot in self._slots(self._chat):
                signal.disconnect(slot)
        self._chat = chat
        self.middle.saying.clear()
        self.flags.set_read_only(chat.is_read_only)
        for signal, slot in self._slots(chat):
            signal.connect(slot)
        self.header.show_chat(chat)
        self.middle.show_conversation()
        self.conversation.show_chat(chat)
        self.trace_bar.show_playback(chat.playback)
        self.composer.setVisible(not chat.is_read_only)
        self.composer.show_draft(chat.draft)
        self.composer.edit.history.source = lambda: [each.question.text for each in chat.exchanges]
        self._looking.show_chat(chat)
        self._standing.show_chat(chat)
        self.composer.edit.setFocus()

    def _slots(self, chat: Conversation) -> list[tuple[SignalInstance, Callable[..., None]]]:
        return [
            (chat.exchange_added, self.middle.show_conversation),
            (chat.exchange_added, self._looking.follow_added),
            (chat.exchange_changed, self._looking.follow_changed),
            (chat.exchange_changed, self._standing.follow_changed),
            (chat.path_changed, self._looking.follow_path),
            (chat.path_changed, self._standing.follow),
            (chat.facts_changed, self._standing.follow),
        ]

    def _show_details(self, exchange: Exchange) -> None:
        self._inspection.show_reply(exchange.reply)
        self.show_pane("live")

    def _show_comparison(self, left: int, right: int) -> None:
        self.comparison.show_rows(left, right)
        self.middle.show_comparison()

    def step_back(self) -> None:
        """What Escape does: away from a comparison, else an end to the reply."""
        if self.middle.is_comparing:
            self.middle.show_conversation()
        else:
            self.stop_requested.emit()

    def _on_send(self, question: str | Question) -> None:
        self.middle.saying.clear()
        self.send_requested.emit(question, "")

    def _on_inspector_toggled(self, wants: bool) -> None:
        if wants != self.is_inspector_shown:
            self.sides.set_wants_inspector(wants, is_asked=wants)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        super().closeEvent(event)
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.sides.fit()
