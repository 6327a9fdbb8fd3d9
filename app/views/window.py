"""The main window: side bar, middle column, inspector; passes intents on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QWidget

from app.models.comparison import Comparison
from app.models.conversation import Chats, Conversation, Exchange
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings
from app.models.summary import badge_of
from app.models.talk_state import talk_state
from app.theme import Theme
from app.views.compare.pane import ComparePane
from app.views.compare.view import CompareView
from app.views.composer import Composer
from app.views.conversation_view import ConversationView
from app.views.examples import Example
from app.views.flags.pane import FlagsPane
from app.views.header import Header
from app.views.inspector.dock import INSPECTOR_WIDTH, InspectorDock
from app.views.inspector.live import LivePane
from app.views.inspector.step import StepPane
from app.views.middle import Middle
from app.views.sidebar import SIDEBAR_WIDTH, Sidebar
from app.views.stylesheet import style_sheet
from app.views.trace_bar import TraceBar
from app.views.trace_drop import TraceDrop
from engine import EffectiveConfig

MIN_CONVERSATION = 430
EXAMPLE_DRAFT_LENGTH = 5


class MainWindow(QMainWindow):
    """Reads models, writes none but the selection; a controller listens to its signals."""

    send_requested = Signal(str, str)
    retry_requested = Signal(object)
    stop_requested = Signal()
    new_requested = Signal()
    reload_requested = Signal()
    chat_chosen = Signal(object)
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
    ) -> None:
        super().__init__()
        self.setWindowTitle("Draftscope")
        self.setMinimumSize(640, 480)
        self._theme, self._chats, self._model = theme, chats, model
        self._speculation, self._inspection = speculation, inspection
        self._running: object | None = None
        self._chat: Conversation | None = None
        self._said = ""
        self._shown_config: EffectiveConfig | None = None
        self.wants_inspector = True
        self.sidebar = Sidebar(theme, chats, model, self)
        self.header = Header(theme, display, self)
        self.conversation = ConversationView(theme, display, model, inspection, self)
        self.composer = Composer(self)
        self.trace_bar = TraceBar(theme, self)
        self.comparison = CompareView(theme, display, comparison, self)
        self.live = LivePane(theme, inspection, speculation, self)
        self.step = StepPane(theme, inspection, self)
        self.compare = ComparePane(theme, comparison, inspection, model, self)
        self.flags = FlagsPane(theme, speculation, model, self)
        self.inspector = InspectorDock(self)
        self._arrange()
        self._connect()
        self._follow_theme()
        self._show_chat(chats.current)
        self.set_wants_inspector(True)
        self.composer.edit.setFocus()

    @property
    def is_inspector_shown(self) -> bool:
        """Whether the inspector is open now."""
        return not self.inspector.isHidden()

    def set_running(self, owner: object | None) -> None:
        """What is being answered, if anything: an exchange, or a comparison."""
        self._running = owner
        self._follow_state()

    def set_wants_inspector(self, wants: bool) -> None:
        """Open the inspector wherever there is room for it."""
        self.wants_inspector = wants
        self._fit()

    def say(self, sentence: str) -> None:
        """One sentence in the status line of the composer, until the next message is sent."""
        self._said = sentence
        self.composer.state.set_full_text(sentence)
        self.middle.status.set_full_text(sentence)
        self.middle.status.setVisible(bool(sentence) and self.composer.isHidden())

    def _arrange(self) -> None:
        for name, label, pane in (
            ("live", self.tr("Live"), self.live),
            ("step", self.tr("Step"), self.step),
            ("compare", self.tr("Compare"), self.compare),
            ("settings", self.tr("Settings"), self.flags),
        ):
            self.inspector.add_pane(name, label, pane)
        self.middle = Middle(
            self.header, self.trace_bar, self.conversation, self.composer, self.comparison, self
        )
        central = QWidget(self)
        whole = QHBoxLayout(central)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.sidebar)
        whole.addWidget(self.middle, 1)
        whole.addWidget(self.inspector)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        self.sidebar.new_requested.connect(self.new_requested)
        self.sidebar.chat_chosen.connect(self.chat_chosen)
        self.header.inspector_toggled.connect(self._on_inspector_toggled)
        self.header.traces.open_requested.connect(self.trace_opened)
        TraceDrop(self).dropped.connect(self.trace_opened)
        self.conversation.example_chosen.connect(self._on_example)
        self.conversation.retry_requested.connect(self.retry_requested)
        self.conversation.reload_requested.connect(self.reload_requested)
        self.conversation.follow_up_requested.connect(self._on_send)
        self.composer.send_requested.connect(self._on_send)
        self.composer.stop_requested.connect(self.stop_requested)
        self.compare.shown_requested.connect(self._show_comparison)
        self._inspection.reply_changed.connect(self._follow_reply)
        self._inspection.grown.connect(self._follow_reply)
        self._chats.current_changed.connect(self._show_chat)
        self._model.changed.connect(self._follow_state)
        self._speculation.changed.connect(self._follow_state)
        self._theme.changed.connect(self._follow_theme)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._on_escape)
        QShortcut(QKeySequence(QKeySequence.StandardKey.New), self, self.new_requested.emit)
        QShortcut(QKeySequence("Ctrl+Q"), self, self.close)
        QShortcut(QKeySequence("F6"), self, self.focus_reply)
        for number, name in enumerate(("live", "step", "compare", "settings"), 1):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, lambda n=name: self.show_pane(n))

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
            self._chat.exchange_changed.disconnect(self._on_exchange_changed)
            self._chat.exchange_added.disconnect(self._on_exchange_added)
        self._chat = chat
        self._said = ""
        self.flags.set_read_only(chat.is_read_only)
        chat.exchange_changed.connect(self._on_exchange_changed)
        chat.exchange_added.connect(self._on_exchange_added)
        self.header.show_chat(chat)
        self.middle.show_conversation()
        self.conversation.show_chat(chat)
        self.trace_bar.show_playback(chat.playback)
        self.composer.setVisible(not chat.is_read_only)
        self.middle.status.setVisible(bool(self._said) and chat.is_read_only)
        self._inspection.show_reply(chat.last_reply)
        self._follow_state()
        self.composer.edit.setFocus()

    def _on_exchange_added(self, exchange: Exchange) -> None:
        """What was just asked is what one wants to see."""
        self.middle.show_conversation()
        self._inspection.show_reply(exchange.reply)

    def _on_exchange_changed(self, exchange: Exchange) -> None:
        looked_at = self._inspection.reply
        replies = [each.reply for each in self._chat.exchanges] if self._chat is not None else []
        # A reply that is made anew takes the place of the one that was looked at.
        if looked_at is exchange.reply or looked_at not in replies:
            self._inspection.show_reply(exchange.reply)

    def _follow_reply(self) -> None:
        reply = self._inspection.reply
        self.header.traces.set_has_reply(reply is not None and reply.run is not None)
        config = reply.config if reply is not None else None
        if config is not self._shown_config:
            self._shown_config = config
            self.flags.show_config(config, reply.words if reply is not None else None)
        self._show_badge()

    def _follow_state(self) -> None:
        if self._chat is not None:
            state = talk_state(self._chat, self._model, self._running, self._said)
            self.composer.set_state(state.words, state.blocked, state.is_here, state.context)
            self._show_badge()

    def _show_badge(self) -> None:
        badge = badge_of(self._inspection.reply, self._speculation.params.enabled)
        self.header.badge.show_state(badge.words, badge.tone, badge.why)

    def _show_comparison(self, left: int, right: int) -> None:
        self.comparison.show_rows(left, right)
        self.middle.show_comparison()

    def _on_escape(self) -> None:
        if self.middle.is_comparing:
            self.middle.show_conversation()
        else:
            self.stop_requested.emit()

    def _on_example(self, example: Example) -> None:
        if self._model.stage == "ready" and self._running is None:
            self._let_drafting_show()
            self.send_requested.emit(example.prompt, example.follow_up)
        else:
            self.composer.set_text(example.prompt)

    def _let_drafting_show(self) -> None:
        """On a CPU drafts do not pay for the demonstration model: Auto would show none of them."""
        info, params = self._model.info, self._speculation.params
        if info is None or not (info.is_demo and info.device == "cpu"):
            return
        if params.enabled and params.draft_length is None:
            self._speculation.set_draft_length(EXAMPLE_DRAFT_LENGTH)
            self.say(
                self.tr(
                    "Draft length set to {0} so that drafting shows;"
                    " Auto decodes plainly where drafts do not pay."
                ).format(EXAMPLE_DRAFT_LENGTH)
            )

    def _on_send(self, text: str) -> None:
        self._said = ""
        self.send_requested.emit(text, "")

    def _on_inspector_toggled(self, wants: bool) -> None:
        if wants == self.is_inspector_shown:
            return
        self.wants_inspector = wants
        self._fit(is_asked=wants)

    def _fit(self, *, is_asked: bool = False) -> None:
        """In a narrow window the inspector gives way; asked for, it takes the side bar's place."""
        room = self.width() - MIN_CONVERSATION - INSPECTOR_WIDTH
        shows = self.wants_inspector and (room >= SIDEBAR_WIDTH or (is_asked and room >= 0))
        self.inspector.setVisible(shows)
        self.sidebar.setVisible(not shows or room >= SIDEBAR_WIDTH)
        self.header.panel.setChecked(shows)

    def _follow_theme(self) -> None:
        self.setPalette(self._theme.qt_palette())
        self.setStyleSheet(style_sheet(self._theme.palette))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()
