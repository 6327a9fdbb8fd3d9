"""Whether a chat of a file is one that is here already: the same title, time and messages."""

from collections import Counter
from collections.abc import Hashable, Iterable

from app.models.conversation import Conversation
from app.models.porting.told import ToldChat


class Alike:
    """Chats by what can be told without loading them."""

    def __init__(self, chats: Iterable[Conversation]) -> None:
        self._found: dict[tuple[str, float], list[Conversation]] = {}
        for chat in chats:
            # Who wants one back from the trash may import it.
            if chat.trashed is None and not chat.is_read_only:
                self._found.setdefault((chat.title, chat.created), []).append(chat)

    def to(self, told: ToldChat) -> list[Conversation]:
        """Those that may be the same; only their messages say whether they are."""
        return self._found.get((told.title, told.created), [])


def says_the_same(one: ToldChat, other: ToldChat) -> bool:
    """Whether the same is asked and answered; which version is shown makes no other chat."""
    return _said(one) == _said(other)


def _said(told: ToldChat) -> Counter[Hashable]:
    """A question without an answer has an empty one once it is here."""
    return Counter(
        (message.role, message.text, message.attachments)
        for message in told.messages
        if message.text or message.attachments
    )
