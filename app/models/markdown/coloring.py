"""What each stretch of code is, as Pygments reads it, line by line and only as far as asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

Shade = Literal["keyword", "string", "number", "comment", "name", "builtin"]
_MAX_LENGTH = 300_000
_MAX_LINE = 2_000
_SHADES: tuple[tuple[_TokenType, Shade], ...] = (
    (Comment, "comment"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (String, "string"),
    (Number, "number"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Tag, "name"),
    (Name.Decorator, "builtin"),
    (Name.Builtin, "builtin"),
    (Name.Attribute, "builtin"),
)


@dataclass(frozen=True, slots=True)
class ColoredLine:
    """The stretches of a line that have a shade: start, length, shade."""

    stretches: tuple[tuple[int, int, Shade], ...]


@cache
def _languages() -> frozenset[str]:
    """The names that Pygments itself knows; asking it for another would search the disk."""
    return frozenset(alias for each in get_all_lexers(plugins=False) for alias in each[1])


def lexer_for(language: str) -> Lexer | None:
    """The lexer of a language; None where it is not known."""
    if language not in _languages():
        return None
    return get_lexer_by_name(language, stripnl=False, stripall=False, ensurenl=False)


def is_colored(language: str, text: str) -> bool:
    """Whether code of this language and size is coloured at all."""
    if len(text) > _MAX_LENGTH or language not in _languages():
        return False
    return max(map(len, text.split("\n"))) <= _MAX_LINE


def colored_lines(language: str, text: str) -> Iterator[ColoredLine]:
    """One value for each line, as they are read."""
    lexer = lexer_for(language)
    if lexer is None:
        return
    stretches: list[tuple[int, int, Shade]] = []
    column = 0
    # Some know the end of a comment by the end of its line only.
    for kind, value in lexer.get_tokens(text + "\n"):
        shade = _shade(kind)
        for number, part in enumerate(value.split("\n")):
            if number:
                yield ColoredLine(tuple(stretches))
                stretches, column = [], 0
            if part and shade is not None:
                stretches.append((column, len(part), shade))
            column += len(part)


@cache
def _shade(kind: _TokenType) -> Shade | None:
    return next((shade for parent, shade in _SHADES if kind in parent), None)
