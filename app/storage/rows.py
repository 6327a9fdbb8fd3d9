"""How records become rows of the tables, and rows records, damaged ones included."""

import json
import time
from collections.abc import Callable, Iterable
from typing import Any, cast, get_args

from app.storage.records import (
    ChatRecord,
    DownloadRecord,
    DownloadStage,
    FolderRecord,
    MessageRecord,
    ModelFolderRecord,
    ModelRecord,
    Role,
    RunRecord,
    Segment,
    SegmentKind,
)

Row = tuple[Any, ...]
# Told once per damaged row, with the name of what was damaged.
Damaged = Callable[[str], None]

CHAT_COLUMNS = (
    "id, title, is_named, created, changed, is_pinned, is_archived, trashed, folder, model,"
    " settings, choice"
)
MESSAGE_COLUMNS = "id, chat, parent, role, created, model, choice, segments"
RUN_COLUMNS = "message, number, text_length, finish, statistics, config, facts"
MODEL_FOLDER_COLUMNS = "path, position"
DOWNLOAD_COLUMNS = (
    "id, repo, revision, stage, position, total, done, sentence, loads, fault, details"
)
MODEL_COLUMNS = "name, used, settings"

_KINDS = get_args(SegmentKind)
_ROLES = get_args(Role)
_STAGES = get_args(DownloadStage)


def sound(text: str) -> str:
    """The text as UTF-8 can hold it: half a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def json_of(value: object) -> str:
    """As JSON text; what JSON has no word for is kept as its text."""
    return sound(json.dumps(value, ensure_ascii=False, default=str))


def plain(value: dict[str, Any]) -> dict[str, Any]:
    """A copy as JSON will give it back; raises, where the mistake was made, if there is none."""
    copied: dict[str, Any] = json.loads(json.dumps(value, default=str))
    return copied


# What is larger is no time and no place in a list.
_LARGEST = 2.0**63


def chat_row(record: ChatRecord) -> Row:
    """The values of CHAT_COLUMNS."""
    return (
        record.id,
        sound(record.title),
        int(record.is_named),
        record.created,
        record.changed,
        int(record.is_pinned),
        int(record.is_archived),
        record.trashed,
        record.folder,
        sound(record.model),
        json_of(record.settings),
        record.choice,
    )


def message_row(record: MessageRecord) -> Row:
    """The values of MESSAGE_COLUMNS."""
    return (
        record.id,
        record.chat,
        record.parent,
        record.role,
        record.created,
        sound(record.model),
        record.choice,
        segments_json(record.segments),
    )


def run_row(record: RunRecord) -> Row:
    """The values of RUN_COLUMNS."""
    return (
        record.message,
        record.number,
        record.text_length,
        None if record.finish is None else sound(record.finish),
        None if record.statistics is None else json_of(record.statistics),
        None if record.config is None else json_of(record.config),
        json_of(record.facts),
    )


def download_row(record: DownloadRecord) -> Row:
    """The values of DOWNLOAD_COLUMNS."""
    return (
        record.id,
        sound(record.repo),
        sound(record.commit),
        record.stage,
        record.position,
        record.total_bytes,
        record.done_bytes,
        sound(record.sentence),
        int(record.loads),
        sound(record.fault),
        sound(record.details),
    )


def download_of(row: Row) -> DownloadRecord:
    """From DOWNLOAD_COLUMNS; one whose stage makes no sense waits for the person."""
    stage = cast(DownloadStage, row[3] if row[3] in _STAGES else "paused")
    return DownloadRecord(
        row[0], text_of(row[1]), text_of(row[2]), stage, real_of(row[4]), _number(row[5]) or 0,
        _number(row[6]) or 0, text_of(row[7]), bool(row[8]), text_of(row[9]), text_of(row[10]),
    )  # fmt: skip


def model_folder_of(row: Row) -> ModelFolderRecord:
    """From MODEL_FOLDER_COLUMNS."""
    return ModelFolderRecord(text_of(row[0]), real_of(row[1]))


def model_of(row: Row, damaged: Damaged) -> ModelRecord:
    """From MODEL_COLUMNS."""
    used = None if row[1] is None else real_of(row[1]) or None
    return ModelRecord(text_of(row[0]), used, _object(row[2], damaged, "settings of a model"))


def folder_of(row: Row) -> FolderRecord:
    """From id, name, position."""
    return FolderRecord(row[0], text_of(row[1]), real_of(row[2]))


def chat_of(row: Row, damaged: Damaged) -> ChatRecord:
    """From CHAT_COLUMNS, the draft's text and attachments (None if absent), number of messages."""
    return ChatRecord(
        id=row[0],
        title=text_of(row[1]),
        is_named=bool(row[2]),
        created=real_of(row[3]),
        changed=real_of(row[4]),
        is_pinned=bool(row[5]),
        is_archived=bool(row[6]),
        # A time that cannot be read must not seem long ago: the trash would be emptied of it.
        trashed=None if row[7] is None else real_of(row[7]) or time.time(),
        folder=_number(row[8]),
        model=text_of(row[9]),
        settings=_object(row[10], damaged, "settings of a chat"),
        draft=text_of(row[12]),
        draft_attachments=() if row[13] is None else segments_of(row[13], damaged),
        choice=_number(row[11]),
        num_messages=row[14],
    )


def message_of(row: Row, damaged: Damaged) -> MessageRecord:
    """From MESSAGE_COLUMNS."""
    # What begins a chat can only be a question.
    usual = "assistant" if row[2] is not None else "user"
    role = cast(Role, row[3] if row[3] in _ROLES else usual)
    segments = segments_of(row[7], damaged)
    return MessageRecord(
        row[0],
        row[1],
        _number(row[2]),
        role,
        real_of(row[4]),
        text_of(row[5]),
        _number(row[6]),
        segments,
    )


def run_of(row: Row, damaged: Damaged) -> RunRecord:
    """From RUN_COLUMNS."""
    what = "figures of a reply"
    statistics = None if row[4] is None else _object(row[4], damaged, what)
    config = None if row[5] is None else _object(row[5], damaged, what)
    facts = _object(row[6], damaged, what)
    finish = None if row[3] is None else text_of(row[3])
    return RunRecord(row[0], row[1], _number(row[2]) or 0, finish, statistics, config, facts)


def segments_json(segments: Iterable[Segment]) -> str:
    """A list of [kind, text], [kind, text, name] or [kind, text, name, seconds]."""
    return json_of([_short(segment) for segment in segments])


def segments_of(text: str, damaged: Damaged) -> tuple[Segment, ...]:
    """The segments; a text that is no list of them becomes one segment as it is."""
    try:
        return tuple(_segment(item) for item in json.loads(text))
    except (ValueError, TypeError, IndexError, RecursionError):
        damaged("text of a message")
        return (Segment("text", text_of(text)),)


def _short(segment: Segment) -> list[Any]:
    whole = [segment.kind, segment.text, segment.name, segment.seconds]
    if segment.seconds is not None:
        return whole
    return whole[:3] if segment.name else whole[:2]


def _segment(item: list[Any]) -> Segment:
    missing: list[Any] = ["", None]
    kind, text, name, seconds = item + missing[len(item) - 2 :]
    if kind not in _KINDS or not isinstance(text, str) or not isinstance(name, str):
        raise ValueError("no segment")
    return Segment(kind, text, name, None if seconds is None else real_of(seconds))


def text_of(value: object) -> str:
    """A text, whatever a column holds that was written by something else."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def real_of(value: object) -> float:
    """A number that can be compared and counted with; 0 for all else."""
    return float(value) if isinstance(value, int | float) and abs(value) <= _LARGEST else 0.0


def _number(value: object) -> int | None:
    """The number of something else; None for all else."""
    return value if type(value) is int else None


def _object(text: str, damaged: Damaged, what: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    damaged(what)
    return {}
