"""What one node of ChatGPT's export says, as text to read: parts, tools, code, images, thoughts."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.models.markdown.fences import fence_around
from app.models.porting.values import moment, text
from engine import StopReason

# The text that a model is told of a person's settings, and remarks on how long it thought.
_UNSPOKEN = ("user_editable_context", "model_editable_context", "reasoning_recap")
# Where a source is cited: characters that no font has, around words for a program.
_MARK = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_MARKS = f"(?:{_MARK.pattern})+"
_UNSHOWN = re.compile(rf"^{_MARKS} ?| ?{_MARKS}(?=[\s.,;:!?)]|\Z)|{_MARKS}", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Said:
    """Who said what and when; no text where it is nothing for a person."""

    role: str
    text: str
    created: float
    model: str = ""
    stop: StopReason = "eos"


def said_by(message: object, usual_time: float) -> Said:
    """What a node's message says."""
    if not isinstance(message, dict):
        return Said("system", "", usual_time)
    author, about = _object(message, "author"), _object(message, "metadata")
    content = _object(message, "content")
    created = moment(message.get("create_time"), usual_time)
    role = text(author.get("role")) or "system"
    kind = text(content.get("content_type"))
    if about.get("is_visually_hidden_from_conversation") is True or kind in _UNSPOKEN:
        return Said("system", "", created)
    words = "\n\n".join(part for part in _parts(kind, content) if part.strip())
    if role == "user":
        return Said(role, "\n\n".join((words, *_attached(about))).strip(), created)
    words = _UNSHOWN.sub("", _MARK.sub(_in_place, words))
    if role == "tool" and words:
        words = f"**{text(author.get('name')) or 'Tool'}**\n\n{words}"
    finish = text(_object(about, "finish_details").get("type"))
    stops: dict[str, StopReason] = {"interrupted": "cancelled", "max_tokens": "max_tokens"}
    model = text(about.get("model_slug")) if role == "assistant" else ""
    return Said(role, words.strip(), created, model, stops.get(finish, "eos"))


def _parts(kind: str, content: dict[str, Any]) -> Iterator[str]:
    if kind in _KINDS:
        yield from _KINDS[kind](content)
        return
    for part in _list(content, "parts"):
        yield _part(part)
    for name in ("text", "result"):
        yield text(content.get(name))


def _code(content: dict[str, Any]) -> Iterator[str]:
    language = text(content.get("language"))
    yield _fenced(text(content.get("text")), "" if language == "unknown" else language)


def _output(content: dict[str, Any]) -> Iterator[str]:
    yield _fenced(text(content.get("text")))


def _thoughts(content: dict[str, Any]) -> Iterator[str]:
    thoughts = [each for each in _list(content, "thoughts") if isinstance(each, dict)]
    words = [
        "\n\n".join(filter(None, (text(each.get("summary")), text(each.get("content")))))
        for each in thoughts
    ]
    inner = "\n\n".join(filter(None, words)).replace("</think>", "")
    if inner:
        yield f"<think>\n{inner}\n</think>"


def _quote(content: dict[str, Any]) -> Iterator[str]:
    title, address = text(content.get("title")), text(content.get("url"))
    yield "\n".join(f"> {line}" for line in (title, address) if line)
    yield "\n".join(f"> {line}" for line in text(content.get("text")).splitlines())


_KINDS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "code": _code,
    "execution_output": _output,
    "thoughts": _thoughts,
    "tether_quote": _quote,
}


def _part(part: object) -> str:
    """A part is text, or something that can only be named here."""
    if isinstance(part, str):
        return text(part)
    if not isinstance(part, dict):
        return ""
    kind = text(part.get("content_type"))
    if kind == "audio_transcription":
        return text(part.get("text"))
    if kind.startswith("image"):
        size = [part.get(name) for name in ("width", "height")]
        known = all(type(each) is int for each in size)
        return f"[Image, {size[0]} × {size[1]}]" if known else "[Image]"
    if "audio" in kind or "video" in kind:
        return "[Recording]"
    return text(part.get("text")) or "[Something that cannot be shown as text]"


def _in_place(mark: re.Match[str]) -> str:
    """What a person saw where the mark is; all of the mark where that was no word of the text."""
    kind, _, rest = mark[1].partition("\ue202")
    if kind == "url":
        return rest.partition("\ue202")[0]
    if kind != "entity":
        return mark[0]
    try:
        match json.loads(rest):
            case [_, str(name), *_]:
                return text(name)
    except (ValueError, RecursionError):
        pass
    return mark[0]


def _attached(about: dict[str, Any]) -> Iterator[str]:
    for each in _list(about, "attachments"):
        name = text(each.get("name")) if isinstance(each, dict) else ""
        if name:
            yield f"[File: {name}]"


def _fenced(code: str, language: str = "") -> str:
    if not code.strip():
        return ""
    fence = fence_around(code)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"


def _object(values: dict[str, Any], name: str) -> dict[str, Any]:
    value = values.get(name)
    return value if isinstance(value, dict) else {}


def _list(values: dict[str, Any], name: str) -> list[Any]:
    value = values.get(name)
    return value if isinstance(value, list) else []
