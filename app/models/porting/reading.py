"""A file's text as chats, whichever of the known forms it has; or a sentence where it has none."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.models.porting.chatgpt import is_chatgpt, told_from_chatgpt
from app.models.porting.native import FORMAT, check_header, told_from
from app.models.porting.streaming import pieces
from app.models.porting.told import PortingError, ToldChat
from app.models.porting.values import text as text_of

# How much of the file has been understood, from 0 to 1.
Report = Callable[[float], None]
_FOREIGN = "it holds neither chats of Draftscope nor of ChatGPT."
_DAMAGED = "it is damaged, or no JSON."
_NOT_ONE = (ValueError, RecursionError, OverflowError)


@dataclass(slots=True)
class Found:
    """The chats of a file, and the titles of what in it is none; "" where one has no title."""

    chats: list[ToldChat] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    # What is wrong with the first that was left out, unless it is only empty.
    fault: str = ""

    def take(self, value: object, told: Callable[[object], ToldChat | None]) -> None:
        """Add an entry as the chat it is, or as one that was left out."""
        chat = None
        try:
            chat = told(value)
        except PortingError as error:
            self.fault = self.fault or error.sentence
        except _NOT_ONE:
            self.fault = self.fault or _DAMAGED
        if chat is not None:
            self.chats.append(chat)
        else:
            title = value.get("title") if isinstance(value, dict) else ""
            self.left_out.append(" ".join(text_of(title).split()))


def chats_in(text: str, report: Report = lambda _share: None) -> Found:
    """What a file holds; `PortingError` says why it is nothing, from the word "it" on."""
    found = Found()
    header: dict[str, object] = {}
    try:
        for key, value, at in pieces(text, "chats"):
            report(at / len(text))
            if key:
                header[key] = value
                if header.get("format") == FORMAT:
                    check_header("version", header.get("version", 1))
            elif header.get("format") == FORMAT:
                found.take(value, told_from)
            elif not header:
                found.take(value, _from_chatgpt)
            else:
                raise PortingError(_FOREIGN)
    except _NOT_ONE as error:
        raise PortingError(_DAMAGED) from error
    if is_chatgpt(header):
        found.take(header, _from_chatgpt)
    elif header and header.get("format") != FORMAT:
        raise PortingError(_FOREIGN)
    if found.fault and not found.chats:
        raise PortingError(found.fault)
    return found


def _from_chatgpt(value: object) -> ToldChat | None:
    """The chat, unless nothing is said in it: that export has those, too."""
    if not (isinstance(value, dict) and is_chatgpt(value)):
        raise PortingError(_FOREIGN)
    told = told_from_chatgpt(value)
    return told if told.messages else None
