"""Records to keep, with little to say."""

from dataclasses import replace
from typing import Any

from app.storage import ChatRecord, MessageRecord, RunRecord, Segment

CHAT = ChatRecord(
    id=1,
    title="Title",
    is_named=False,
    created=1.0,
    changed=1.0,
    is_pinned=False,
    is_archived=False,
    trashed=None,
    folder=None,
    model="demo",
    settings={},
    draft="",
    draft_attachments=(),
    choice=None,
)


def chat(number: int, **changes: Any) -> ChatRecord:
    """A chat; the later the higher its number."""
    return replace(CHAT, id=number, changed=float(number), **changes)


def message(
    number: int, of: int, text: str, parent: int | None = None, **changes: Any
) -> MessageRecord:
    """A message of one text."""
    role = "user" if parent is None else "assistant"
    segments = (Segment("text", text),)
    record = MessageRecord(number, of, parent, role, float(number), "demo", None, segments)
    return replace(record, **changes)


def run(of: int, number: int = 0) -> RunRecord:
    """A run with one of each."""
    return RunRecord(of, number, 12, "stop", {"tokens": 3}, None, {"reused": 1})
