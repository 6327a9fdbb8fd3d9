"""Chats as they are kept on disk, and back: models to records, records to models; nothing else."""

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any, get_args

from app.models.chat_settings import plain_settings, settings_from
from app.models.chats import Folder
from app.models.choices import Choices
from app.models.conversation import Conversation
from app.models.exchange import Exchange, Variant
from app.models.markdown.thinking import split_thinking
from app.models.question import Attachment, AttachmentKind, Question
from app.models.reply import Piece, Reply
from app.storage import ChatRecord, FolderRecord, MessageRecord, RunRecord, Segment
from engine import Failed, Statistics, StopReason

_TEXT = ("text", "thinking")
_FIGURES = {each.name for each in fields(Statistics)}
# A text is shown by helpings of pieces, so a long one must not be a single one.
_PIECE = 4_000
CUT_OFF = "Draftscope ended while this reply was written."


def chat_record(chat: Conversation) -> ChatRecord:
    """A chat without what was said in it."""
    return ChatRecord(
        id=chat.id,
        title=chat.title,
        is_named=chat.is_named,
        created=chat.created,
        changed=chat.changed,
        is_pinned=chat.is_pinned,
        is_archived=chat.is_archived,
        trashed=chat.trashed,
        folder=chat.folder,
        model=chat.model,
        settings=_settings(chat),
        draft=chat.draft.text,
        draft_attachments=tuple(map(_attachment_segment, chat.draft.attachments)),
        choice=chat.choice,
    )


def _settings(chat: Conversation) -> dict[str, Any]:
    """How it asks, and the edits that were begun in it."""
    settings = plain_settings(chat.settings) | {"speculation": dict(chat.overrides)}
    if chat.edits:
        settings["edits"] = {str(exchange): text for exchange, text in chat.edits.items()}
    return settings


def folder_record(folder: Folder) -> FolderRecord:
    """A folder."""
    return FolderRecord(folder.id, folder.name, folder.position)


def question_record(chat: Conversation, exchange: Exchange) -> MessageRecord:
    """What was asked."""
    question = exchange.question
    text = (Segment("text", question.text),) if question.text else ()
    return MessageRecord(
        id=exchange.id,
        chat=chat.id,
        parent=exchange.parent.id if exchange.parent is not None else None,
        role="user",
        created=exchange.created,
        model="",
        choice=exchange.variant.id,
        segments=(*text, *map(_attachment_segment, question.attachments)),
    )


def answer_record(chat: Conversation, exchange: Exchange, variant: Variant) -> MessageRecord:
    """What was answered, as far as it has come; its texts joined are the reply's text."""
    following = variant.followers.current
    return MessageRecord(
        id=variant.id,
        chat=chat.id,
        parent=exchange.id,
        role="assistant",
        created=variant.created,
        model=variant.model,
        choice=following.id if following is not None else None,
        segments=tuple(_reply_segments(variant.reply)),
    )


def run_record(variant: Variant) -> RunRecord:
    """How an answer came to be, in numbers."""
    reply = variant.reply
    statistics, config = reply.statistics, reply.config
    return RunRecord(
        message=variant.id,
        number=0,
        text_length=len(reply.text),
        finish=reply.stop,
        statistics=asdict(statistics) if statistics is not None else None,
        config=asdict(config) if config is not None else None,
        facts={"opens_thinking": reply.opens_thinking},
    )


def chat_from(record: ChatRecord) -> Conversation:
    """A chat as it was kept, without what was said in it."""
    chat = Conversation(id=record.id)
    chat.title = record.title or chat.title
    chat.is_named = record.is_named
    chat.created, chat.changed = record.created, record.changed
    chat.is_pinned, chat.is_archived = record.is_pinned, record.is_archived
    chat.trashed, chat.folder, chat.model = record.trashed, record.folder, record.model
    chat.settings = settings_from(record.settings)
    speculation = record.settings.get("speculation")
    chat.overrides = dict(speculation) if isinstance(speculation, dict) else {}
    edits = record.settings.get("edits")
    chat.edits = {
        int(exchange): text
        for exchange, text in (edits.items() if isinstance(edits, dict) else ())
        if exchange.isdecimal() and isinstance(text, str)
    }
    attachments = tuple(_attachment(each) for each in record.draft_attachments)
    chat.draft = Question(record.draft, attachments)
    chat.is_loaded, chat.stored_choice = not record.num_messages, record.choice
    # A question and its answer.
    chat.num_stored = (record.num_messages + 1) // 2
    chat.num_shown = (record.num_messages - record.num_hidden + 1) // 2
    return chat


def exchange_from(
    record: MessageRecord, parent: Variant | None, beside: Choices[Exchange]
) -> Exchange:
    """A question without answers, beside the other edits of it."""
    exchange = Exchange(_question(record.segments), id=record.id, created=record.created)
    exchange.variants = Choices()
    exchange.parent, exchange.siblings = parent, beside
    beside.add(exchange)
    return exchange


def variant_from(record: MessageRecord, run: RunRecord | None) -> Variant:
    """An answer, without what was asked after it."""
    variant = Variant(_reply(record.segments, run), id=record.id, created=record.created)
    variant.model, variant.is_stored = record.model, run is not None
    return variant


def unanswered() -> Variant:
    """What stands where a question's answer is not there."""
    return Variant(_reply((), None))


def _reply(segments: tuple[Segment, ...], run: RunRecord | None) -> Reply:
    """A reply of which the text is known, and the numbers, but not the tokens."""
    reply = Reply()
    text = "".join(each.text for each in segments if each.kind in _TEXT)
    error = next((each.text for each in segments if each.kind == "error"), "")
    reply.phase = "finished"
    for start in range(0, len(text), _PIECE):
        reply.pieces.append(Piece(text[start : start + _PIECE], 0, (), 0))
    if error:
        reply.phase, reply.failure = "failed", Failed(0, error, "")
    if run is not None:
        reply.opens_thinking = run.facts.get("opens_thinking") is True
        reply.final = _statistics(run.statistics)
        reply.stop = next((each for each in get_args(StopReason) if each == run.finish), None)
    if reply.stop is None and not error:
        # Nobody stopped it. Without a reason it is kept again, and told alike at later starts.
        reply.notices.append(CUT_OFF)
    return reply


def _statistics(values: dict[str, Any] | None) -> Statistics | None:
    """Numbers as they were kept; None where this version has others."""
    if values is None or values.keys() != _FIGURES:
        return None
    histogram = values.get("histogram")
    if not isinstance(histogram, dict):
        return None
    lengths = {int(length): count for length, count in histogram.items()}
    return Statistics(**{**values, "histogram": lengths})


def _question(segments: tuple[Segment, ...]) -> Question:
    text = "".join(each.text for each in segments if each.kind == "text")
    return Question(
        text, tuple(_attachment(each) for each in segments if each.kind == "attachment")
    )


def _attachment_segment(attachment: Attachment) -> Segment:
    """The kind and the language stand before the name, which may hold anything but a line break."""
    name = f"{attachment.kind}\n{attachment.language}\n{attachment.name}"
    return Segment("attachment", attachment.text, name)


def _attachment(segment: Segment) -> Attachment:
    kind, _, rest = segment.name.partition("\n")
    language, _, name = rest.partition("\n")
    known: AttachmentKind = next(
        (each for each in get_args(AttachmentKind) if each == kind), "text"
    )
    return Attachment(name or segment.name, segment.text, known, language)


def _reply_segments(reply: Reply) -> Iterable[Segment]:
    """Joined, the texts are the reply's: what marks thinking stays with it."""
    text = reply.text
    at, kind = 0, None
    for part in split_thinking(text, reply.opens_thinking):
        if part.start > at and kind is not None:
            yield Segment("text" if kind == "text" else "thinking", text[at : part.start])
            at = part.start
        kind = part.kind
    if text:
        yield Segment("thinking" if kind == "thinking" else "text", text[at:])
    if reply.failure is not None:
        yield Segment("error", reply.failure.sentence)
