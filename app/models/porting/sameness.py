"""Whether a chat of a file is one that is here already: title, messages, and any time told."""

from collections import Counter
from collections.abc import Hashable, Iterable

from app.models.conversation import Conversation
from app.models.porting.told import ToldChat


class Alike:
    """Chats by what can be told without loading them."""

    def __init__(self, chats: Iterable[Conversation]) -> None:
        # Without a time: all of that title.
        self._found: dict[tuple[str, float | None], list[Conversation]] = {}
        for chat in chats:
            # Who wants one back from the trash may import it.
            if chat.trashed is None and not chat.is_read_only:
                for time in (chat.created, None):
                    self._found.setdefault((chat.title, time), []).append(chat)

    def to(self, told: ToldChat) -> list[Conversation]:
        """Those that may be the same; only their messages say whether they are."""
        return self._found.get((told.title, told.created if told.is_dated else None), [])


def what_is_said(told: ToldChat) -> frozenset[Hashable]:
    """What is asked and answered, and how often; which version is shown makes no other chat."""
    # A question without an answer has an empty one once it is here.
    said = Counter(
        (message.role, message.text, message.attachments)
        for message in told.messages
        if message.text or message.attachments
    )
    return frozenset(said.items())
