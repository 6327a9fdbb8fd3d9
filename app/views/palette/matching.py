"""Which entries a few typed letters mean, the likeliest first."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_START, _WORD, _INSIDE, _SCATTERED = 8.0, 5.0, 2.0, 0.5


@dataclass(frozen=True, slots=True)
class Match:
    """How well a title fits, and which of its letters were meant."""

    score: float
    places: tuple[int, ...]


@lru_cache(maxsize=16384)
def folded(text: str) -> str:
    """Without case and accents, letter for letter, so that places stay the same."""
    if text.isascii():
        return text.lower()
    return "".join(_folded_letter(letter) for letter in text)


def words_of(query: str) -> tuple[str, ...]:
    """The words of what was typed."""
    return tuple(folded(query).split())


def match(title: str, words: Sequence[str], *, scatters: bool = False) -> Match | None:
    """How a folded title fits: every word must be in it, in any order.

    `scatters`: a word's letters may lie apart, as long as they come in order.
    """
    score = 0.0
    places: list[int] = []
    for word in words:
        found = _word(title, word, scatters)
        if found is None:
            return None
        score += found.score
        places += found.places
    # Of two that fit as well, the shorter title is nearer to what was typed.
    return Match(score - len(title) / 1000, tuple(sorted(set(places))))


def _word(title: str, word: str, scatters: bool) -> Match | None:
    at = title.find(word)
    if at < 0:
        return _scattered(title, word) if scatters else None
    best, kind = at, _INSIDE
    while at >= 0:
        if at == 0:
            return Match(_START * len(word), tuple(range(len(word))))
        if not title[at - 1].isalnum():
            best, kind = at, _WORD
            break
        at = title.find(word, at + 1)
    return Match(kind * len(word), tuple(range(best, best + len(word))))


def _scattered(title: str, word: str) -> Match | None:
    """Letters in order; only from the start of a word on, or everything would fit."""
    places: list[int] = []
    for letter in word:
        at = title.find(letter, places[-1] + 1 if places else 0)
        if at < 0:
            return None
        places.append(at)
    starts = sum(1 for at in places if at == 0 or not title[at - 1].isalnum())
    if starts == 0 or (places[0] and title[places[0] - 1].isalnum()):
        return None
    return Match(_SCATTERED * len(word) + starts, tuple(places))


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    base = unicodedata.normalize("NFKD", letter)[:1].lower()
    return base if len(base) == 1 else letter
