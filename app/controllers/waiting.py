"""What has changed in chats and is to be written at the next beat."""

from dataclasses import dataclass, field

from app.controllers.records import answer_record, chat_record, question_record, run_record
from app.controllers.trace_keeping import TraceKeeper
from app.models.conversation import Conversation
from app.models.exchange import Exchange, Variant
from app.storage import Keeping


@dataclass(slots=True)
class Waiting:
    """Chats, and of each its questions and answers."""

    chats: dict[Conversation, None] = field(default_factory=dict)
    exchanges: dict[Exchange, Conversation] = field(default_factory=dict)
    variants: dict[Variant, tuple[Conversation, Exchange]] = field(default_factory=dict)

    def hand_over(self, store: Keeping, traces: TraceKeeper) -> None:
        """Everything as it is now."""
        for chat in self.chats:
            store.save_chat(chat_record(chat))
        for exchange, chat in self.exchanges.items():
            store.save_message(question_record(chat, exchange))
        for variant, (chat, exchange) in self.variants.items():
            store.save_message(answer_record(chat, exchange, variant))
            reply = variant.reply
            if reply.started is not None or reply.final is not None or reply.stop is not None:
                store.save_run(run_record(variant))
            if reply.started is not None:
                traces.write(variant)
