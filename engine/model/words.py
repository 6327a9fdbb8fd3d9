"""What ids read as: one at a time for people, and a whole prompt with the place of each token.

Token is not text: an id may be a few bytes of a character. Alone it is then written as those bytes,
and in a text it is given no width until the token that completes the character.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.errors import TokenizerError
from engine.model.faults import Translated
from engine.model.prompt import mended

_REPLACEMENT = "\ufffd"
# Tokens of one character whose bytes may be spread; beyond that they are broken for good.
_PATIENCE = 8


def _byte_alphabet() -> dict[str, int]:
    """Byte-level tokenizers spell the 256 bytes as printable characters, these in place."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    spelled = {chr(byte): byte for byte in printable}
    return spelled | {chr(256 + number): byte for number, byte in enumerate(others)}


_BYTES = _byte_alphabet()
_OF_BYTES = {byte: spelled for spelled, byte in _BYTES.items()}
# How tokenizers of pieces spell a blank.
_BLANK = "\u2581"


class Words:
    """The texts of one tokenizer's ids, each asked of it once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[int, str | None] = {}

    def word(self, token: int) -> str:
        """An id as people read it; bytes of an incomplete character as `<E2 82>`."""
        text = self._text(token)
        return text if text is not None else self._spelled(token)

    def pairs(self, tokens: Iterable[int]) -> tuple[tuple[int, str], ...]:
        """(id, word) of each of these ids once, in their order."""
        return tuple((token, self.word(token)) for token in dict.fromkeys(tokens))

    def tokens(self, text: str) -> tuple[int, ...]:
        """The one token that reads as this text; where there is none, those it is cut into."""
        text = mended(text)
        in_bytes = "".join(_OF_BYTES[byte] for byte in text.encode())
        with Translated(TokenizerError, "The model's tokenizer fails on this text."):
            cut = self._tokenizer.encode(text, add_special_tokens=False)
            # A tokenizer may never cut off this token alone; it has it by one of these names.
            names = [text, in_bytes, text.replace(" ", _BLANK)]
            named = self._tokenizer.convert_tokens_to_ids(names)
        found = [*(cut if len(cut) == 1 else ()), *(each for each in named if each is not None)]
        return next(((each,) for each in found if self.word(each) == text), tuple(cut))

    def laid_out(self, tokens: Sequence[int]) -> tuple[str, tuple[int, ...]]:
        """The text of a prompt, and where in it each token ends."""
        parts: list[str] = []
        ends: list[int] = []
        held: list[int] = []
        at = 0
        for token in tokens:
            text = self._text(token)
            if text is None or held:
                held.append(token)
                text = self._released(held)
            if text:
                parts.append(text)
                at += len(text)
            ends.append(at)
        if held:
            parts.append(self._decode(held))
            ends[-1] += len(parts[-1])
        return "".join(parts), tuple(ends)

    def _released(self, held: list[int]) -> str:
        """The text of held tokens once it is whole, or is never going to be; then none are held."""
        text = self._decode(held)
        if text.endswith(_REPLACEMENT) and len(held) < _PATIENCE:
            return ""
        held.clear()
        return text

    def _text(self, token: int) -> str | None:
        """What an id adds to a text; None where it is only part of a character."""
        if token not in self._known:
            # Decoded twice in a row: a decoder may strip the space in front of the first.
            once, twice = self._decode([token]), self._decode([token, token])
            text = twice[len(once) :]
            self._known[token] = None if _REPLACEMENT in text else text
        return self._known[token]

    def _spelled(self, token: int) -> str:
        name = self._tokenizer.convert_ids_to_tokens(token)
        if not isinstance(name, str):
            return f"<{token}>"
        if name.startswith("<0x") or not all(character in _BYTES for character in name):
            return name
        return "<" + " ".join(f"{_BYTES[character]:02X}" for character in name) + ">"

    def _decode(self, ids: list[int]) -> str:
        with Translated(TokenizerError, "The model's tokenizer fails on its own ids."):
            return str(self._tokenizer.decode(ids))


class WordBook:
    """The words of one run: each id is told once, where it is first mentioned."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._told: set[int] = set()

    def news(self, tokens: Iterable[int]) -> tuple[tuple[int, str], ...]:
        """(id, word) of those ids that were not mentioned before."""
        fresh = [token for token in dict.fromkeys(tokens) if token not in self._told]
        self._told.update(fresh)
        return self._words.pairs(fresh)
