"""A chat as Markdown to read: what is shown of it, with who said it."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from app.models.markdown.fences import Fence, fence_around, opened_by
from app.models.markdown.thinking import split_thinking
from app.models.porting.told import ToldChat, ToldMessage, shown_path
from app.models.question import Attachment


def markdown_parts(chats: Iterable[ToldChat]) -> Iterator[str]:
    """The file, a message at a time; chats are set off by a line."""
    for number, chat in enumerate(chats):
        if number:
            yield "\n---\n\n"
        yield from _chat(chat)


def _chat(chat: ToldChat) -> Iterator[str]:
    yield f"# {_line(chat.title)}\n\n"
    yield f"*{' · '.join(filter(None, (_line(chat.model), _date(chat.created))))}*\n"
    if chat.settings.system:
        yield f"\n## System prompt\n\n{_closed(chat.settings.system)}\n"
    siblings: dict[int | None, int] = {}
    for message in chat.messages:
        siblings[message.parent] = siblings.get(message.parent, 0) + 1
    for message in shown_path(chat):
        yield _message(message, siblings[message.parent])


def _message(message: ToldMessage, num_siblings: int) -> str:
    who = "You" if message.role == "user" else _line(message.model) or "Model"
    also = f" *(one of {num_siblings} versions)*" if num_siblings > 1 else ""
    parts = [f"\n## {who}{also}"]
    if message.role == "user":
        parts += [_closed(message.text), *map(_attachment, message.attachments)]
    else:
        for part in split_thinking(message.text, message.opens_thinking):
            inner = _closed(part.text)
            if inner:
                parts.append(_folded(inner) if part.kind == "thinking" else inner)
    if message.failure:
        parts.append(f"> {_line(message.failure)}")
    elif message.role == "assistant" and message.stop in (None, "cancelled", "max_tokens"):
        parts.append("*(The reply ends here without an end.)*")
    return "\n\n".join(part for part in parts if part) + "\n"


def _folded(thinking: str) -> str:
    inner = thinking.replace("</details", "&lt;/details")
    return f"<details>\n<summary>Thinking</summary>\n\n{inner}\n\n</details>"


def _attachment(attachment: Attachment) -> str:
    fence = fence_around(attachment.text)
    name = _line(attachment.name) or "Pasted text"
    content = attachment.text.rstrip("\n")
    return f"**{name}**\n\n{fence}{attachment.language}\n{content}\n{fence}"


def _closed(text: str) -> str:
    """The text without blank edges; a fence that it leaves open would swallow what follows."""
    text = text.strip("\n").rstrip()
    # A lone leading space is a tokenizer's; more of them indent code.
    if text.startswith(" ") and not text.startswith("  "):
        text = text[1:]
    fence: Fence | None = None
    for line in text.split("\n"):
        fence = opened_by(line) if fence is None else fence.after(line)
    while fence is not None:
        line = fence.sign * max(fence.inner[-1] if fence.inner else 0, fence.count)
        text, fence = f"{text}\n{line}", fence.after(line)
    return text


def _line(text: str) -> str:
    return " ".join(text.split())


def _date(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return ""
