"""What the model is asked for: a question of a chat, or a stopped reply that is to go on."""

from dataclasses import replace

from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.model_state import ModelState
from app.models.reply import Reply
from app.models.rerun import rerun_request
from app.models.speculation import SpeculationSettings
from engine import GenerationRequest

DEMO_MAX_TOKENS = 512


class Requests:
    """Put together from a chat, the model and the speculation settings as they are now.

    What cannot be asked raises RequestError, with a sentence.
    """

    def __init__(self, model: ModelState, speculation: SpeculationSettings) -> None:
        self._model, self._speculation = model, speculation

    def of(self, chat: Conversation, exchange: Exchange, seed: int | None) -> GenerationRequest:
        """An answer to an exchange, under the chat's sampling and, if one is given, this seed."""
        settings = chat.settings
        sampling = settings.sampling if seed is None else replace(settings.sampling, seed=seed)
        return GenerationRequest(
            messages=chat.messages(exchange, settings.system),
            sampling=sampling,
            speculation=self._speculation.params,
            max_tokens=self._max_tokens(chat),
            num_alternatives=self._speculation.num_alternatives,
            thinking=settings.thinking,
            context_limit=self._model.context_length if self._model.context else None,
        )

    def to_go_on(self, chat: Conversation, reply: Reply) -> GenerationRequest:
        """The rest of a reply, under the law that it was begun with."""
        return replace(
            rerun_request(reply, self._speculation.params),
            reply_ids=tuple(number for record in reply.log for number in record.emitted),
            reuse=True,
            max_tokens=self._max_tokens(chat),
        )

    def _max_tokens(self, chat: Conversation) -> int | None:
        """The limit asked for; the demonstration model, which may not find an end, has its own."""
        info, asked = self._model.info, chat.settings.max_tokens
        if asked is None and info is not None and info.is_demo:
            return DEMO_MAX_TOKENS
        return asked
