"""All there is to know of one token of a reply, for a person; None is what was not recorded."""

import math
import re
import unicodedata
from dataclasses import dataclass

from app.models.context_map import ContextMap
from app.models.reply import Reply
from app.models.sources import EDIT, place_in_draft, source_of
from app.models.summary import MEANINGS
from engine import Origin, StepRecord

_SHOWN_AS = {" ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍"}
_INVISIBLE = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Co", "Cn"}
# Characters of what matched that there is room for beside a name.
_MATCH_ROOM = 22
_BYTES = re.compile(r"<[0-9A-F]{2}( [0-9A-F]{2})*>|<0x[0-9A-F]{2}>")


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another token that could have stood here."""

    id: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class SourceFact:
    """Where a drafted token was copied from; an edit made before and made again has no place.

    `position` is in the context, `text` what stands there (the whole character, where the token is
    part of one), `name` whose text it is.
    """

    is_edit: bool
    position: int | None = None
    name: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """`text` and every other text here is as `visible` writes it; numbers of tokens and steps, and
    the place in the draft, count from 1.

    `note` says what is odd about its text. `shares` are the tokens, itself included, that became
    text together; `ngram` is the text that matched, empty where the draft took its source up again
    without a match; `ngram_end` as much of its end as fits into a line, and `ngram_name` whose text
    that is. `draft_said` is what was rejected for it. `is_drawn`: by chance, not the likeliest.
    `is_guarded`: in its step a near-tie was left to a forward of one token.
    """

    number: int
    id: int
    text: str
    note: str
    origin: Origin
    meaning: str
    probability: float | None
    alternatives: tuple[Alternative, ...] | None
    margin: float | None
    is_drawn: bool
    step: int
    draft_place: int | None
    draft_length: int
    ngram: str | None
    ngram_end: str
    ngram_name: str
    source: SourceFact | None
    draft_said: str | None
    is_guarded: bool
    shares: tuple[int, ...]


def visible(text: str) -> str:
    """Text with whitespace as signs, and other characters nobody sees by their number."""
    return "".join(_SHOWN_AS.get(character) or _spelled(character) for character in text)


def facts_of(reply: Reply, token: int, context: ContextMap | None = None) -> TokenFacts:
    """The facts of the reply's token number `token`, from 0; IndexError where there is none.

    `context` may be given where it is at hand, to save making it.
    """
    context = context or ContextMap(reply)
    step = reply.log.step_of(token)
    record = reply.log[step]
    number = token - reply.log.first_token(step)
    origin = record.origins[number]
    place = place_in_draft(record, number)
    shares = _shares(context, token)
    ngram, ngram_end, ngram_name = _ngram(context, record)
    rejected = record.draft[record.accepted :] if origin == "corrected" else ()
    return TokenFacts(
        number=token + 1,
        id=record.emitted[number],
        text=_own_text(reply, context, token, record.emitted[number]),
        note=_note(reply, context, token, shares),
        origin=origin,
        meaning=MEANINGS[origin],
        probability=_chance(record, number),
        alternatives=_alternatives(reply, record, number),
        margin=record.margins[number] if record.margins is not None else None,
        is_drawn=reply.config is not None and reply.config.sampling.temperature > 0,
        step=step + 1,
        draft_place=place + 1 if place is not None else None,
        draft_length=len(record.draft),
        ngram=ngram,
        ngram_end=ngram_end,
        ngram_name=ngram_name,
        source=_source(context, record, place),
        draft_said=_word(reply, rejected[0]) or None if rejected else None,
        is_guarded=record.guarded > 0,
        shares=shares,
    )


def end_of(context: ContextMap, start: int, length: int, most: int) -> str:
    """The end of a stretch of the context, in `most` characters and from a token's start on: what
    stands right before a draft is what matched first.
    """
    end, shown = start + length, ""
    for first in range(end - 1, start - 1, -1):
        text = visible(context.text(first, end - first))
        if len(text) + (first > start) > most:
            return f"…{shown or text[1 - most :]}"
        shown = text
    return shown


def is_partial(word: str) -> bool:
    """Whether this is the spelling of bytes that are not a character alone."""
    return _BYTES.fullmatch(word) is not None


def _spelled(character: str) -> str:
    if unicodedata.category(character) in _INVISIBLE:
        return f"<U+{ord(character):04X}>"
    return character


def _word(reply: Reply, token_id: int) -> str:
    return visible(reply.words.get(token_id, ""))


def _own_text(reply: Reply, context: ContextMap, token: int, token_id: int) -> str:
    """The word of its id; traces of the first format have no words, but what it became."""
    piece = context.piece_of(token)
    if token_id not in reply.words and piece is not None and len(piece.origins) == 1:
        return visible(piece.text)
    return _word(reply, token_id)


def _chance(record: StepRecord, number: int) -> float | None:
    return math.exp(record.logprobs[number]) if record.logprobs is not None else None


def _alternatives(reply: Reply, record: StepRecord, number: int) -> tuple[Alternative, ...] | None:
    if record.alternatives is None:
        return None
    own = record.emitted[number]
    return tuple(
        Alternative(token_id, _word(reply, token_id), math.exp(logprob))
        for token_id, logprob in record.alternatives[number]
        if token_id != own
    )


def _ngram(context: ContextMap, record: StepRecord) -> tuple[str | None, str, str]:
    if record.match is None:
        return None, "", ""
    start, length = record.match
    if not length:
        return "", "", ""
    text = visible(context.text(start, length))
    end = end_of(context, start, length, _MATCH_ROOM)
    return text or None, end, context.name(context.places(start, length)[-1])


def _source(context: ContextMap, record: StepRecord, place: int | None) -> SourceFact | None:
    position = source_of(context, record, place) if place is not None else None
    if position is None:
        return None
    if position == EDIT:
        return SourceFact(is_edit=True)
    name = context.name(context.places(position, 1)[0])
    return SourceFact(False, position, name, visible(context.text(position, 1)))


def _shares(context: ContextMap, token: int) -> tuple[int, ...]:
    piece = context.piece_of(token)
    if piece is None:
        return (token + 1,)
    return tuple(range(piece.first + 1, piece.first + len(piece.origins) + 1))


def _note(reply: Reply, context: ContextMap, token: int, shares: tuple[int, ...]) -> str:
    piece, token_id = context.piece_of(token), context.id_at(context.num_prompt + token)
    word = reply.words.get(token_id, "") if token_id is not None else ""
    if piece is None:
        return "its text is not known yet"
    text = visible(piece.text)
    if len(shares) > 1 and piece.text:
        others = f"tokens {shares[0]} to {shares[-1]} are one text"
        return f"part of “{text}”: {others}" if is_partial(word) else others
    if not piece.text:
        return "has no text in the reply" if reply.stop is None else _why_silent(reply, token)
    is_cut = len(piece.text) < len(word) and word.startswith(piece.text)
    return f"only “{text}” is in the reply: a stop text begins in it" if is_cut else ""


def _why_silent(reply: Reply, token: int) -> str:
    is_last = token == reply.log.num_tokens - 1
    if reply.stop == "eos" and is_last:
        return "ends the reply and has no text in it"
    if reply.stop == "stop_string":
        return "part of the stop text, which is left out"
    return "has no text in the reply"
