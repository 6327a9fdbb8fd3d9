"""How text becomes words that can be searched, and a query what finds and marks them.

Case, accents and widths are folded character by character, so that a place in the folded text is
the same place in the text. Scripts written without spaces are indexed a character at a time.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

# Raised when the law below changes; the index is then made anew. Python's Unicode is part of it.
LAW = f"1 {unicodedata.unidata_version}"

_MOST_CHARACTERS = 400
_MOST_PHRASES = 32
# Thai to Khmer, Hangul, kana, bopomofo and Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    "\u3031-\u3035\u3038-\u303c\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_ALONE = re.compile(f"[{_UNSPACED}]")
_LETTER = f"[^\\W_{_UNSPACED}]"
_PIECE = re.compile(f"[{_UNSPACED}]|{_LETTER}+")


class _Folding(dict[int, int]):
    """What each character is folded to, worked out when it is first met."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        if _ALONE.match(character):
            # An accent on kana makes another letter; only its width is folded.
            short = unicodedata.normalize("NFKC", character)
        else:
            parts = unicodedata.normalize("NFKD", character)
            short = "".join(part for part in parts if not unicodedata.combining(part)).lower()
        if len(short) != 1:
            short = character.lower()
        folded = self[code] = ord(short) if len(short) == 1 else code
        return folded


_FOLDING = _Folding()


@dataclass(frozen=True, slots=True)
class Matching:
    """A query: its phrases as words of the index, and the pattern of each.

    The last word is only a beginning, unless it is a character that stands alone.
    """

    phrases: tuple[tuple[str, ...], ...]
    patterns: tuple[re.Pattern[str], ...]

    @property
    def beginning(self) -> str:
        """What the last word begins with; empty where it is whole."""
        last = self.phrases[-1][-1]
        return "" if _ALONE.match(last) else last

    def question(self, words: Sequence[str] | None) -> str:
        """What the index is asked, given the words that the last one may be, if they are known."""
        *others, last = self.phrases
        asked = [_quoted(phrase) for phrase in others]
        if words:
            ways = (_quoted((*last[:-1], word)) for word in words)
            asked.append(f"({' OR '.join(ways)})")
        else:
            asked.append(_quoted(last) + ("*" if self.beginning else ""))
        return " AND ".join(asked)

    def is_in(self, text: str) -> bool:
        """Whether every phrase is in this text."""
        words = _remembered(text)
        # Most texts lack even the letters.
        return all(piece in words for phrase in self.phrases for piece in phrase) and all(
            pattern.search(words) for pattern in self.patterns
        )


def composed(text: str) -> str:
    """The text with letters and their accents in one character, where there is one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """A composed text without case, accents and widths, as long as it was."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


@lru_cache(maxsize=16_384)
def _remembered(text: str) -> str:
    """Titles are asked again at every key."""
    return folded(composed(text))


def indexed(text: str) -> str:
    """What the index is given for a text."""
    words = folded(composed(text))
    return words if words.isascii() else _ALONE.sub(r" \g<0> ", words)


def matching(query: str) -> Matching | None:
    """What to look for; None where the query holds no word. The last word may be a beginning."""
    chunks = folded(composed(query[:_MOST_CHARACTERS])).split()
    found = [[p for p in _PIECE.findall(chunk) if p[0].isalnum()] for chunk in chunks]
    phrases = [pieces for pieces in found if pieces][:_MOST_PHRASES]
    if not phrases:
        return None
    is_open = not _ALONE.match(phrases[-1][-1])
    patterns = [_pattern(pieces, is_open=False) for pieces in phrases[:-1]]
    patterns.append(_pattern(phrases[-1], is_open=is_open))
    return Matching(tuple(map(tuple, phrases)), tuple(patterns))


def _quoted(phrase: Iterable[str]) -> str:
    return f'"{" ".join(phrase)}"'


def _pattern(pieces: list[str], *, is_open: bool) -> re.Pattern[str]:
    """One phrase: its pieces with nothing but punctuation between them."""
    start = "" if _ALONE.match(pieces[0]) else f"(?<!{_LETTER})"
    end = "" if is_open or _ALONE.match(pieces[-1]) else f"(?!{_LETTER})"
    return re.compile(start + r"[\W_]*".join(map(re.escape, pieces)) + end)
