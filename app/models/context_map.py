"""Where the positions of a reply's context lie: in which message, or in the reply itself.

A position is an index into the prompt's ids followed by the reply's. Of the prompt, each message is
looked for in the text that the model read; what is left between them are the template's marks. A
token that is only part of a character lies where the whole character does.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from app.models.reply import Piece, Reply
from engine import Started

PlaceKind = Literal["message", "reply", "template", "elsewhere"]
# What a template writes behind a message, if only in some spelling of a mark.
_MARK = re.compile(r"\s*(?:<\||</?[a-z_]+>|\[/?[A-Z_]+\]|\Z)")


@dataclass(frozen=True, slots=True)
class Place:
    """Characters `start..end` of a message's content, of the reply's text, or of the prompt.

    "message" counts in the content of message number `message`, "reply" in the reply's text. Of the
    whole prompt's text count "template", the chat template's own marks, and "elsewhere", what
    cannot be told to be one message's. A token without text has a place without width.
    """

    kind: PlaceKind
    start: int
    end: int
    message: int = -1


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of the prompt's text; `offset` is where in a message's content it begins."""

    start: int
    end: int
    kind: PlaceKind
    message: int = -1
    offset: int = 0


class ContextMap:
    """Positions of one reply's context; grows with the reply."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._stretches: list[_Stretch] | None = None
        self._firsts = array("L")
        self._starts = array("L")
        self._end = 0

    @property
    def num_prompt(self) -> int:
        """How many positions are the prompt's."""
        started = self._reply.started
        return len(started.prompt_ids) if started is not None else 0

    def id_at(self, position: int) -> int | None:
        """The id at a position; None beyond the end."""
        started, log = self._reply.started, self._reply.log
        if started is not None and 0 <= position < self.num_prompt:
            return started.prompt_ids[position]
        token = position - self.num_prompt
        if not 0 <= token < log.num_tokens:
            return None
        step = log.step_of(token)
        return log[step].emitted[token - log.first_token(step)]

    def piece_of(self, token: int) -> Piece | None:
        """The text that a token of the reply became part of; None while it is held back."""
        self._catch_up()
        at = bisect_right(self._firsts, token) - 1
        piece = self._reply.pieces[at] if at >= 0 else None
        return piece if piece and token < piece.first + len(piece.origins) else None

    def places(self, start: int, length: int) -> tuple[Place, ...]:
        """The places of `length` positions from `start` on, in order."""
        middle = min(max(start, self.num_prompt), start + length)
        found: list[Place] = []
        if middle > start:
            found += self._prompt_places(*self.prompt_range(start, middle - start))
        if start + length > middle:
            low, _ = self._token_range(middle - self.num_prompt)
            _, high = self._token_range(start + length - 1 - self.num_prompt)
            found.append(Place("reply", low, high))
        return tuple(found)

    def prompt_range(self, start: int, length: int) -> tuple[int, int]:
        """Characters of the prompt's text that `length` positions of it are."""
        ends = self._started.prompt_ends
        if not ends:
            return 0, 0
        low = ends[start - 1] if start else 0
        last = start + length - 1
        while last + 1 < len(ends) and ends[last] == (ends[last - 1] if last else 0):
            last += 1
        return low, ends[last]

    def text(self, start: int, length: int) -> str:
        """What `length` positions from `start` on read as."""
        return "".join(self.text_at(place) for place in self.places(start, length))

    def text_at(self, place: Place) -> str:
        """What stands at a place."""
        if place.kind == "message":
            whole = self._started.messages[place.message].content
        elif place.kind == "reply":
            return self._reply_text(place.start, place.end)
        else:
            whole = self._started.prompt_text
        return whole[place.start : place.end]

    def name(self, place: Place) -> str:
        """A place's part of the conversation, for people."""
        if place.kind == "reply":
            return "this reply"
        if place.kind == "template":
            return "the chat template"
        messages = self._started.messages
        if place.kind == "elsewhere":
            return "elsewhere in the prompt" if messages else "the prompt"
        role = messages[place.message].role
        if role != "user":
            return "the system prompt" if role == "system" else "an earlier reply"
        number = sum(message.role == "user" for message in messages[: place.message + 1])
        several = sum(message.role == "user" for message in messages) > 1
        return f"your message {number}" if several else "your message"

    @property
    def _started(self) -> Started:
        if self._reply.started is None:
            raise ValueError("a reply that has not begun has no context")
        return self._reply.started

    def _prompt_places(self, low: int, high: int) -> Iterator[Place]:
        if self._stretches is None:
            self._stretches = list(_stretches(self._started))
        if low == high:
            yield Place("elsewhere", low, high)
        for part in self._stretches:
            start, end = max(part.start, low), min(part.end, high)
            if start < end:
                moved = part.offset - part.start if part.kind == "message" else 0
                yield Place(part.kind, start + moved, end + moved, part.message)

    def _catch_up(self) -> None:
        pieces = self._reply.pieces[len(self._firsts) :]
        if pieces:
            ends = list(accumulate((len(piece.text) for piece in pieces), initial=self._end))
            self._firsts.extend([piece.first for piece in pieces])
            self._starts.extend(ends[:-1])
            self._end = ends[-1]

    def _token_range(self, token: int) -> tuple[int, int]:
        """Characters of the reply's text; those of the whole piece where nothing finer is known."""
        piece = self.piece_of(token)
        if piece is None:
            return self._end, self._end
        start = self._starts[bisect_right(self._firsts, token) - 1]
        low, high = self._within(piece, token)
        return start + low, start + high

    def _within(self, piece: Piece, token: int) -> tuple[int, int]:
        whole = 0, len(piece.text)
        if len(piece.origins) == 1 or not piece.text:
            return whole
        ids = (self.id_at(self.num_prompt + piece.first + n) for n in range(len(piece.origins)))
        words = [self._reply.words.get(number, "") for number in ids if number is not None]
        if "".join(words) != piece.text:
            return whole
        low = sum(len(word) for word in words[: token - piece.first])
        return low, low + len(words[token - piece.first])

    def _reply_text(self, start: int, end: int) -> str:
        self._catch_up()
        parts: list[str] = []
        at = max(bisect_right(self._starts, start) - 1, 0)
        for piece, low in zip(self._reply.pieces[at:], self._starts[at:], strict=True):
            if low >= end:
                break
            parts.append(piece.text[max(start - low, 0) : end - low])
        return "".join(parts)


def _stretches(started: Started) -> Iterator[_Stretch]:
    """The prompt's text in messages and what lies between; a message not found hides in there."""
    text, at = started.prompt_text, 0
    marks = tuple(word for _, word in started.words if word)
    # Where there are no messages, or one is missing, nobody knows whose the text between is.
    is_unsure = not started.messages
    for number, message in enumerate(started.messages):
        content = message.content
        offset = 0
        found = _find(text, content, at, marks)
        if found < 0:
            offset = len(content) - len(content.lstrip())
            content = content.strip()
            found = _find(text, content, at, marks)
        if found < 0 or not content:
            is_unsure = is_unsure or bool(content)
            continue
        yield _Stretch(at, found, "elsewhere" if is_unsure else "template")
        at, is_unsure = found + len(content), False
        yield _Stretch(found, at, "message", number, offset)
    yield _Stretch(at, len(text), "elsewhere" if is_unsure else "template")


def _find(text: str, content: str, start: int, marks: tuple[str, ...]) -> int:
    """Where a message is: a short one may also stand inside a mark, so one before a mark counts."""
    first = at = text.find(content, start)
    while at >= 0:
        end = at + len(content)
        behind = text[end : end + 64]
        if _MARK.match(behind) or behind.lstrip().startswith(marks):
            return at
        at = text.find(content, at + 1)
    return first
