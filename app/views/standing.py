"""How things stand, as the window says it: what can be asked now, and whether it is sped up."""

from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings
from app.models.summary import badge_of
from app.models.talk_state import talk_state
from app.views.column.intents import Intents
from app.views.composer import Composer
from app.views.flags.pane import FlagsPane
from app.views.header import Header
from engine import EffectiveConfig


class Standing:
    """Follows the models and tells composer, header, flags and the column's intents."""

    def __init__(
        self,
        model: ModelState,
        speculation: SpeculationSettings,
        inspection: Inspection,
        header: Header,
        composer: Composer,
        flags: FlagsPane,
        intents: Intents,
    ) -> None:
        self._model, self._speculation, self._inspection = model, speculation, inspection
        self._header, self._composer, self._flags = header, composer, flags
        self._intents = intents
        self._chat: Conversation | None = None
        self._running: object | None = None
        self._config: EffectiveConfig | None = None
        inspection.reply_changed.connect(self._follow_reply)
        inspection.grown.connect(self._follow_reply)
        model.changed.connect(self.follow)
        speculation.changed.connect(self.follow)

    def show_chat(self, chat: Conversation) -> None:
        """Another chat is open."""
        self._chat = chat
        self.follow()

    def set_running(self, owner: object | None) -> None:
        """What is being answered, if anything: an exchange, or a comparison."""
        self._running = owner
        self.follow()

    def follow(self) -> None:
        """Something that it hangs on is different."""
        if self._chat is None:
            return
        state = talk_state(self._chat, self._model, self._running)
        self._composer.set_state(state.words, state.blocked, state.is_here, state.context)
        self._composer.show_load(state.title if state.offers_load else "")
        self._composer.show_context(state.use, state.full)
        info = self._model.info
        can_think = info is not None and info.has_thinking_switch
        self._composer.settings.show_settings(self._chat.settings, can_think)
        is_free = self._running is None
        can_answer = self._model.can_answer and is_free
        self._intents.set_allowed(can_answer=can_answer, can_choose=is_free)
        self._show_badge()

    def follow_changed(self, exchange: Exchange) -> None:
        """A reply has grown; only its end makes a difference."""
        if exchange.reply.is_over:
            self.follow()

    def _follow_reply(self) -> None:
        """Another reply is looked at, or it has grown."""
        reply = self._inspection.reply
        self._header.traces.set_has_reply(reply is not None and reply.run is not None)
        config = reply.config if reply is not None else None
        if config is not self._config:
            self._config = config
            self._flags.show_config(config, reply.words if reply is not None else None)
        self._show_badge()

    def _show_badge(self) -> None:
        badge = badge_of(self._inspection.reply, self._speculation.params.enabled)
        self._header.badge.show_state(badge.words, badge.tone, badge.why)
