"""Text that any view can show: no characters that stand for nothing, or turn or break it."""

import re

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# They reverse what is read from there on, an address of a link too: shown as a mark instead.
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_TURN_MARK = "\u21c4"
_BREAKS = re.compile("[\x85\u2028\u2029]")


def clean(text: str) -> str:
    """The text with halves of characters joined, and what cannot be shown replaced."""
    if text.isascii() and text.isprintable():
        return text
    text = _BREAKS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _TURNS.sub(_TURN_MARK, text)
    if _UNFIT.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = _UNFIT.sub("\ufffd", text)
    return text


def on_one_line(text: str) -> str:
    """The clean text with its lines one behind the other."""
    return " ".join(clean(text).split("\n"))
