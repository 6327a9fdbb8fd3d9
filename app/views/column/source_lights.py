"""Which stretches of a chat's questions and replies explain a draft, built on screen or not."""

from collections.abc import Sequence

from app.models.context_map import ContextMap, Place
from app.models.exchange import Exchange
from app.models.message_owners import owners, reply_offset
from app.models.reply import Reply
from app.models.sources import Part, parts_of, place_in_draft
from app.views.reply_text import SourceRange

# A question, or (True) the reply to it.
Key = tuple[Exchange, bool]
_Owners = dict[int, tuple[Exchange, bool, int]]


class SourceLights:
    """The sources of one step, by the text that they are in."""

    def __init__(self) -> None:
        self.ranges: dict[Key, list[SourceRange]] = {}
        self._known: tuple[Reply, ContextMap, _Owners] | None = None

    def clear(self) -> None:
        """No step is looked at."""
        self.ranges = {}

    def forget(self) -> None:
        """What is known of places no longer holds."""
        self._known = None

    def first(self) -> Key | None:
        """What to show when asked for the source; the token's own before the draft's."""
        wanted: tuple[Part, ...] = ("token", "draft")
        for part in wanted:
            for key, ranges in self.ranges.items():
                if any(each.part == part for each in ranges):
                    return key
        return None

    def find(
        self, exchange: Exchange, path: Sequence[Exchange], step: int, token: int | None
    ) -> None:
        """Look for the sources of a step's draft, and of one of its tokens."""
        self.ranges = {}
        reply = exchange.reply
        context, whose = self._context(exchange, path)
        record = reply.log[step]
        number = token - reply.log.first_token(step) if token is not None else -1
        for part, start, length in parts_of(context, record, place_in_draft(record, number)):
            for place in context.places(start, length):
                found = _found(exchange, whose, place)
                if found is not None:
                    key, offset = found
                    lit = SourceRange(place.start + offset, place.end + offset, part)
                    self.ranges.setdefault(key, []).append(lit)

    def context_of(self, exchange: Exchange, path: Sequence[Exchange]) -> ContextMap:
        """Where the positions of a reply's context lie."""
        return self._context(exchange, path)[0]

    def _context(self, exchange: Exchange, path: Sequence[Exchange]) -> tuple[ContextMap, _Owners]:
        reply = exchange.reply
        if self._known is None or self._known[0] is not reply:
            messages = reply.started.messages if reply.started is not None else ()
            whose: _Owners = {}
            for number, (each, is_reply) in owners(list(path), exchange, messages).items():
                offset = reply_offset(each, messages[number].content) if is_reply else 0
                whose[number] = each, is_reply, offset or 0
            self._known = reply, ContextMap(reply), whose
        return self._known[1:]


def _found(exchange: Exchange, whose: _Owners, place: Place) -> tuple[Key, int] | None:
    """Whose text a place is in, and where that begins; None for a template's marks and the like."""
    if place.kind == "reply":
        return (exchange, True), 0
    if place.kind == "message":
        owner = whose.get(place.message)
        return ((owner[0], owner[1]), owner[2]) if owner is not None else None
    started = exchange.reply.started
    # A prompt that came as ids is shown as a whole.
    is_shown = started is not None and exchange.prompt == started.prompt_text
    return ((exchange, False), 0) if is_shown else None
