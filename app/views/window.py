"""The main window: side bar, conversation with composer, inspector; passes intents on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from app.models.conversation import Chats, Conversation, Exchange
from app.models.display import TokenDisplay
from app.models.model_state import ModelState
from app.models.reply import Reply
from app.models.speculation import SpeculationSettings
from app.models.summary import speculation_state
from app.theme import Theme
from app.views.composer import Composer
from app.views.conversation_view import ConversationView
from app.views.examples import Example
from app.views.header import Header
from app.views.inspector import INSPECTOR_WIDTH, Inspector
from app.views.sidebar import SIDEBAR_WIDTH, Sidebar
from app.views.stylesheet import style_sheet

COMPOSER_WIDTH = 670
MIN_CONVERSATION = 430
EXAMPLE_DRAFT_LENGTH = 5


class MainWindow(QMainWindow):
    """Reads models, writes none; a controller listens to its signals."""

    send_requested = Signal(str, str)
    retry_requested = Signal(object)
    stop_requested = Signal()
    new_requested = Signal()
    reload_requested = Signal()
    chat_chosen = Signal(object)
    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        chats: Chats,
        model: ModelState,
        speculation: SpeculationSettings,
        display: TokenDisplay,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Draftscope")
        self.setMinimumSize(640, 480)
        self._theme, self._chats, self._model = theme, chats, model
        self._speculation = speculation
        self._running: Exchange | None = None
        self._chat: Conversation | None = None
        self._said = ""
        self.wants_inspector = True
        self.sidebar = Sidebar(theme, chats, model, self)
        self.header = Header(theme, display, self)
        self.conversation = ConversationView(theme, display, model, self)
        self.composer = Composer(self)
        self.inspector = Inspector(theme, speculation, self)
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

    def set_running(self, exchange: Exchange | None) -> None:
        """Which exchange is being answered, if any."""
        self._running = exchange
        self._follow_state()

    def set_wants_inspector(self, wants: bool) -> None:
        """Open the inspector wherever there is room for it."""
        self.wants_inspector = wants
        self._fit()

    def say(self, sentence: str) -> None:
        """One sentence in the status line of the composer, until the next message is sent."""
        self._said = sentence
        self.composer.state.set_full_text(sentence)

    def _arrange(self) -> None:
        middle = QWidget(self)
        middle.setObjectName("column")
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.conversation, 1)
        self.composer.setMaximumWidth(COMPOSER_WIDTH)
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 16, 20)
        row.addStretch(1)
        row.addWidget(self.composer, 1000)
        row.addStretch(1)
        column.addLayout(row)
        central = QWidget(self)
        whole = QHBoxLayout(central)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.sidebar)
        whole.addWidget(middle, 1)
        whole.addWidget(self.inspector)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        self.sidebar.new_requested.connect(self.new_requested)
        self.sidebar.chat_chosen.connect(self.chat_chosen)
        self.header.inspector_toggled.connect(self._on_inspector_toggled)
        self.conversation.example_chosen.connect(self._on_example)
        self.conversation.retry_requested.connect(self.retry_requested)
        self.conversation.reload_requested.connect(self.reload_requested)
        self.conversation.follow_up_requested.connect(self._on_send)
        self.composer.send_requested.connect(self._on_send)
        self.composer.stop_requested.connect(self.stop_requested)
        self._chats.current_changed.connect(self._show_chat)
        self._model.changed.connect(self._follow_state)
        self._speculation.changed.connect(self._follow_state)
        self._theme.changed.connect(self._follow_theme)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.stop_requested.emit)
        QShortcut(QKeySequence(QKeySequence.StandardKey.New), self, self.new_requested.emit)
        QShortcut(QKeySequence("Ctrl+Q"), self, self.close)

    def _show_chat(self, chat: Conversation) -> None:
        if self._chat is not None:
            self._chat.exchange_changed.disconnect(self._on_exchange_changed)
            self._chat.exchange_added.disconnect(self._on_exchange_changed)
        self._chat = chat
        chat.exchange_changed.connect(self._on_exchange_changed)
        chat.exchange_added.connect(self._on_exchange_changed)
        self.header.show_chat(chat)
        self.conversation.show_chat(chat)
        self.inspector.show_reply(chat.last_reply)
        self._follow_state()
        self.composer.edit.setFocus()

    def _on_exchange_changed(self, exchange: Exchange) -> None:
        if self._chat is not None and exchange.reply is self._chat.last_reply:
            self.inspector.show_reply(exchange.reply)
            self._show_badge(exchange.reply)

    def _follow_state(self) -> None:
        chat, model = self._chat, self._model
        if chat is None:
            return
        is_here = self._running is not None and self._running in chat.exchanges
        words, blocked = self._said or model.label, ""
        if model.stage == "loading":
            share = f"{model.fraction * 100:.0f} %"
            words = self.tr("{0} is loading, {1}").format(model.label, share)
            blocked = self.tr("Wait until the model is loaded")
        elif model.stage == "failed" and model.failure is not None:
            words = blocked = model.failure.sentence
        elif self._running is not None and not is_here:
            words = blocked = self.tr("A reply is being written in another chat")
        context = "" if self._said else self._context_words(chat)
        self.composer.set_state(words, blocked, is_here, context)
        self._show_badge(chat.last_reply)

    def _context_words(self, chat: Conversation) -> str:
        info, reply = self._model.info, chat.last_reply
        stats = reply.statistics if reply is not None else None
        if info is None or stats is None:
            return ""
        used = stats.prompt_tokens + stats.emitted
        return self.tr("{0:,} of {1:,} tokens").format(used, info.context_length)

    def _show_badge(self, reply: Reply | None) -> None:
        badge = self.header.badge
        if reply is None or reply.speculation is None:
            is_on, why = self._speculation.params.enabled, self.tr("as set for the next reply")
        else:
            is_on, why = reply.speculation
        if not is_on:
            config = reply.config if reply is not None else None
            off = self.tr("Speculation off")
            words = speculation_state(config, is_on) if config is not None else off
            badge.show_state(words, "caution", why)
            return
        stats = reply.final if reply is not None else None
        pace = stats.tokens_per_step if stats is not None else None
        gain = self.tr(" · {0:.1f} tokens a step").format(pace) if pace is not None else ""
        badge.show_state(self.tr("Speculation on") + gain, "good", why)

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
