"""What is looked at while a chat goes on: its last reply, what was just asked, another branch."""

from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.inspection import Inspection


class Looking:
    """Moves the inspection along with the open chat; a reply that was chosen stays while it can."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._chat: Conversation | None = None

    def show_chat(self, chat: Conversation) -> None:
        """Another chat is open."""
        self._chat = chat
        self._inspection.show_reply(chat.last_reply)

    def follow_path(self) -> None:
        """Another branch: its last reply is looked at, unless what is looked at is on it too."""
        if self._chat is not None and not self._is_looked_at_shown():
            self._inspection.show_reply(self._chat.last_reply)

    def follow_added(self, exchange: Exchange) -> None:
        """What was just asked is what one wants to see."""
        self._inspection.show_reply(exchange.reply)

    def follow_changed(self, exchange: Exchange) -> None:
        """A reply has grown; one that is made anew takes the place of the one looked at."""
        if self._inspection.reply is exchange.reply or not self._is_looked_at_shown():
            self._inspection.show_reply(exchange.reply)

    def _is_looked_at_shown(self) -> bool:
        shown = self._chat.exchanges if self._chat is not None else []
        return any(each.reply is self._inspection.reply for each in shown)
