"""Tooltips of more than a few words: Qt breaks no line of a plain one, and some are sentences."""

import textwrap

_COLUMNS = 64


def wrapped(words: str) -> str:
    """The words in lines that are quick to read; what must not be torn stays together."""
    return "\n".join(textwrap.wrap(words, _COLUMNS, break_long_words=False))
