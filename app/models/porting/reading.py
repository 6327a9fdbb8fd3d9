"""A file's text as chats, whichever of the known forms it has; all of it, or a sentence."""

from collections.abc import Callable

from app.models.porting.chatgpt import is_chatgpt, told_from_chatgpt
from app.models.porting.native import FORMAT, check_header, told_from
from app.models.porting.streaming import pieces
from app.models.porting.told import PortingError, ToldChat

# How much of the file has been understood, from 0 to 1.
Report = Callable[[float], None]
_FOREIGN = "it holds neither chats of Draftscope nor of ChatGPT."


def chats_in(text: str, report: Report = lambda _share: None) -> list[ToldChat]:
    """The chats of a file; `PortingError` says what is wrong with it, from the word "it" on."""
    found: list[ToldChat] = []
    header: dict[str, object] = {}
    try:
        for key, value, at in pieces(text, "chats"):
            report(at / len(text))
            if key:
                header[key] = value
                if header.get("format") == FORMAT:
                    check_header("version", header.get("version", 1))
            elif header.get("format") == FORMAT:
                found.append(told_from(value))
            elif not header and is_chatgpt(value):
                found += _spoken(told_from_chatgpt(value))
            else:
                raise PortingError(_FOREIGN)
    except (ValueError, RecursionError, OverflowError) as error:
        raise PortingError("it is damaged, or no JSON.") from error
    if is_chatgpt(header):
        found = _spoken(told_from_chatgpt(header))
    elif header and header.get("format") != FORMAT:
        raise PortingError(_FOREIGN)
    return found


def _spoken(told: ToldChat) -> list[ToldChat]:
    """The chat, unless nothing is said in it: that export has those, too."""
    return [told] if told.messages else []
