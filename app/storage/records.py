"""What is kept, as plain values: folders, chats, messages, runs, and what a search finds."""

from dataclasses import dataclass
from typing import Any, Literal

SegmentKind = Literal["text", "thinking", "error", "attachment"]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a message; `name` is an attachment's, `seconds` how long was thought."""

    kind: SegmentKind
    text: str
    name: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class FolderRecord:
    """A folder of chats; `position` orders folders among themselves."""

    id: int
    name: str
    position: float


@dataclass(frozen=True, slots=True)
class ChatRecord:
    """A chat without its messages; `choice` is the chosen first message.

    `num_messages`, and of them the `num_hidden` that are not shown, are counted when it is read,
    and not written.
    """

    id: int
    title: str
    is_named: bool
    created: float
    changed: float
    is_pinned: bool
    is_archived: bool
    trashed: float | None
    folder: int | None
    model: str
    settings: dict[str, Any]
    draft: str
    draft_attachments: tuple[Segment, ...]
    choice: int | None
    num_messages: int = 0
    num_hidden: int = 0


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """One message of a chat's tree; `choice` is the chosen child."""

    id: int
    chat: int
    parent: int | None
    role: Role
    created: float
    model: str
    choice: int | None
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One generation; a reply that was stopped and continued has several, by `number`."""

    message: int
    number: int
    text_length: int
    finish: str | None
    statistics: dict[str, Any] | None
    config: dict[str, Any] | None
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a search found; without a message it is the chat's title.

    `ranges` are the stretches of `snippet` that match.
    """

    chat: int
    message: int | None
    title: str
    snippet: str
    ranges: tuple[tuple[int, int], ...]
    changed: float


@dataclass(frozen=True, slots=True)
class ModelFolderRecord:
    """A folder that is looked through for models; `path` is absolute."""

    path: str
    position: float


DownloadStage = Literal["waiting", "paused", "failed", "done"]


@dataclass(frozen=True, slots=True)
class DownloadRecord:
    """A model being fetched; one that was under way when it was written is `waiting`.

    `sentence` says why it failed, `fault` names the failure, `details` are for a report. `loads` is
    whether it is to be loaded when it is here.
    """

    id: int
    repo: str
    commit: str
    stage: DownloadStage
    position: float
    total_bytes: int
    done_bytes: int
    sentence: str
    loads: bool
    fault: str = ""
    details: str = ""


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What is remembered of a model by its name: what it is used with, and when it last was."""

    name: str
    used: float | None
    settings: dict[str, Any]
