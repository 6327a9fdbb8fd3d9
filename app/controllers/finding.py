"""Finds chats: what the store finds in messages, and the titles of all chats, kept yet or not."""

from collections.abc import Callable, Sequence

from app.models.chats import Chats
from app.models.search_hit import SearchHit, title_hits
from app.storage import Hit


class Finder:
    """Puts titles first; a hit in a chat that is in the trash, or gone, is left out."""

    def __init__(self, search: Callable[[str], Sequence[Hit]], chats: Chats) -> None:
        self._search, self._chats = search, chats

    def search(self, query: str) -> list[SearchHit]:
        """Everything that has the words of a query."""
        titles = title_hits(self._chats.items, query)
        if not query.strip():
            return []
        there = {chat.id: chat for chat in self._chats.items if chat.trashed is None}
        named = {hit.chat for hit in titles}
        found = [hit for hit in self._search(query) if hit.chat in there]
        # The store's titles may be half a second old.
        more = [hit for hit in found if hit.message is None and hit.chat not in named]
        told = [hit for hit in found if hit.message is not None]
        return [
            *titles,
            *(SearchHit(hit.chat, None, there[hit.chat].title, "", ()) for hit in more),
            *(
                SearchHit(hit.chat, hit.message, there[hit.chat].title, hit.snippet, hit.ranges)
                for hit in told
            ),
        ]
