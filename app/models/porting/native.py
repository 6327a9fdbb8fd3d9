"""Draftscope's own form: JSON that holds all of a chat but how its tokens came to be.

    {"format": "draftscope-chats", "version": 1, "chats": [{...}, ...]}

Whoever adds a name keeps the version: what is not known is passed over.
"""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields, replace
from typing import Any, get_args, get_type_hints

from app.models.chat_settings import plain_settings, settings_from
from app.models.porting.told import PortingError, ToldChat, ToldMessage
from app.models.porting.values import asked, dated, moment, optional, text
from app.models.question import Attachment, AttachmentKind, Question
from engine import Statistics, StopReason

FORMAT, VERSION = "draftscope-chats", 1
# Messages are written one by one, and what is written has a time.
_UNWRITTEN = ("messages", "is_dated", "num_unread")
# What is found out once: a file may have ten thousands of them.
_FIGURES = get_type_hints(Statistics)


def native_parts(chats: Iterable[ToldChat]) -> Iterator[str]:
    """The file, a message at a time: the interpreter is not held for longer than one takes."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "chats": ['
    for number, chat in enumerate(chats):
        yield ",\n" if number else "\n"
        yield f'{_json(_plain(chat)).removesuffix("}")}, "messages": ['
        for place, message in enumerate(chat.messages):
            yield f"{', ' if place else ''}{_json(_plain_message(message))}"
        yield "]}"
    yield "\n]}\n"


def check_header(key: str, value: Any) -> None:
    """Refuse a file of a newer version."""
    if key == "version" and (type(value) is not int or value > VERSION):
        raise PortingError("a newer Draftscope wrote it; update this one to import it.")


def told_from(values: object) -> ToldChat:
    """A chat out of the file; `PortingError` where its tree does not hold."""
    if not isinstance(values, dict):
        raise PortingError("one of its chats is no object.")
    settings = settings_from(optional(values, "settings", {}))
    given = asked(values, "messages", list)
    messages = _messages(given)
    _check(messages)
    created, is_dated = dated(values.get("created"))
    return ToldChat(
        title=" ".join(text(asked(values, "title", str)).split()),
        created=created,
        changed=moment(values.get("changed"), created),
        is_named=optional(values, "is_named", True),
        is_pinned=optional(values, "is_pinned", False),
        is_archived=optional(values, "is_archived", False),
        folder=text(values.get("folder")),
        model=text(values.get("model")),
        settings=replace(settings, system=text(settings.system)),
        overrides=optional(values, "speculation", {}),
        draft=_question(optional(values, "draft", {})),
        choice=_number(values.get("choice")),
        messages=messages,
        is_dated=is_dated,
        num_unread=len(given) - len(messages),
    )


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, allow_nan=False)


def _plain(chat: ToldChat) -> dict[str, Any]:
    """A chat without its messages; never empty, for it has a title."""
    names = [each.name for each in fields(chat) if each.name not in _UNWRITTEN]
    values = {name: getattr(chat, name) for name in names}
    values["settings"] = plain_settings(chat.settings)
    values["speculation"] = values.pop("overrides")
    values["draft"] = _plain_question(chat.draft) if not chat.draft.is_empty else {}
    return {name: value for name, value in values.items() if value not in ("", {}, None)} | {
        "title": chat.title
    }


def _plain_message(message: ToldMessage) -> dict[str, Any]:
    """What is usual is left out."""
    values = {each.name: getattr(message, each.name) for each in fields(message)}
    values |= {"attachments": list(map(asdict, message.attachments))}
    if message.statistics is not None:
        values["statistics"] = asdict(message.statistics)
    kept = {name: value for name, value in values.items() if value not in ("", [], None, False)}
    return {**kept, "text": message.text, "parent": message.parent}


def _plain_question(question: Question) -> dict[str, Any]:
    return {"text": question.text, "attachments": list(map(asdict, question.attachments))}


def _question(values: dict[str, Any]) -> Question:
    nothing: list[object] = []
    attachments = optional(values, "attachments", nothing)
    return Question(text(values.get("text")), tuple(map(_attachment, attachments)))


def _messages(values: list[object]) -> tuple[ToldMessage, ...]:
    """Those that can be read; an odd one is left out with all that hangs on it."""
    kept: list[ToldMessage] = []
    known: set[int | None] = {None}
    fault: PortingError | None = None
    for each in values:
        try:
            message = _message(each)
        except PortingError as error:
            fault = fault or error
            continue
        # Without an odd one before it, what hangs on nothing is a broken tree: see `_check`.
        if fault is None or message.parent in known:
            known.add(message.id)
            kept.append(message)
    if fault is not None and not kept:
        raise fault
    return tuple(kept)


def _message(values: object) -> ToldMessage:
    if not isinstance(values, dict):
        raise PortingError("one of its messages is no object.")
    role = values.get("role")
    if role not in ("user", "assistant"):
        raise PortingError("one of its messages is neither a question nor an answer.")
    question = _question(values)
    return ToldMessage(
        id=asked(values, "id", int),
        parent=_number(values.get("parent")),
        role=role,
        text=question.text,
        created=moment(values.get("created"), time.time()),
        choice=_number(values.get("choice")),
        model=text(values.get("model")),
        attachments=question.attachments,
        opens_thinking=optional(values, "opens_thinking", False),
        stop=next((each for each in get_args(StopReason) if each == values.get("stop")), None),
        failure=text(values.get("failure")),
        statistics=_statistics(values.get("statistics")),
    )


def _attachment(values: object) -> Attachment:
    if not isinstance(values, dict):
        raise PortingError("one of its attachments is no object.")
    kinds = get_args(AttachmentKind)
    kind: AttachmentKind = next((each for each in kinds if each == values.get("kind")), "text")
    words = (text(values.get(name)) for name in ("name", "text", "language"))
    name, content, language = words
    return Attachment(" ".join(name.split()), content, kind, " ".join(language.split()))


def _statistics(values: object) -> Statistics | None:
    """Numbers as they were written; None where this version has others."""
    if not isinstance(values, dict) or values.keys() != _FIGURES.keys():
        return None
    found = dict(values)
    histogram = found["histogram"]
    if not isinstance(histogram, dict):
        return None
    lengths = {int(name): count for name, count in histogram.items() if name.isdecimal()}
    if not all(type(count) is int for count in lengths.values()):
        return None
    found["histogram"] = lengths
    for name, hint in _FIGURES.items():
        allowed = get_args(hint) or (hint,)
        if name != "histogram" and type(found[name]) not in (*allowed, *_also(allowed)):
            return None
    return Statistics(**found)


def _also(allowed: tuple[type, ...]) -> tuple[type, ...]:
    return (int,) if float in allowed else ()


def _number(value: object) -> int | None:
    return value if type(value) is int else None


def _check(messages: tuple[ToldMessage, ...]) -> None:
    """Every message stands once, behind its parent, and questions and answers alternate."""
    roles: dict[int, str] = {}
    for message in messages:
        if message.id in roles:
            raise PortingError("two of its messages have one number.")
        above = roles.get(message.parent) if message.parent is not None else None
        is_first = message.parent is None and message.role == "user"
        if not is_first and (above is None or above == message.role):
            raise PortingError("one of its messages hangs on none that comes before it.")
        roles[message.id] = message.role
