"""What the app asks of the place where chats are kept, and the place that keeps nothing."""

from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from app.storage.pending import Lines
from app.storage.records import (
    ChatRecord,
    DownloadRecord,
    FolderRecord,
    Hit,
    MessageRecord,
    ModelFolderRecord,
    ModelRecord,
    RunRecord,
)


class Keeping(Protocol):
    """Reads answer with what is committed, or raise `StorageError`; writes never wait."""

    @property
    def notices(self) -> tuple[str, ...]:
        """What happened at opening, and damage met in reading since; one sentence each."""

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""

    def chats(self) -> list[ChatRecord]:
        """All chats, the last changed first."""

    def folders(self) -> list[FolderRecord]:
        """All folders, by position."""

    def messages(self, chat: int) -> list[MessageRecord]:
        """A chat's messages, oldest first."""

    def runs(self, chat: int) -> list[RunRecord]:
        """The runs of a chat's messages."""

    def trace(self, message: int, number: int) -> bytes | None:
        """A run's trace, as JSON lines."""

    def search(
        self, query: str, limit: int = 50, *, chats: Collection[int] | None = None
    ) -> list[Hit]:
        """Titles, then messages that hold all words of the query, up to the limit of each.

        None of trashed chats.
        """

    def save_chat(self, record: ChatRecord) -> None:
        """Keep a chat as it is now."""

    def save_folder(self, record: FolderRecord) -> None:
        """Keep a folder as it is now."""

    def save_message(self, record: MessageRecord) -> None:
        """Keep a message as it is now."""

    def save_run(self, record: RunRecord) -> None:
        """Keep a run as it is now."""

    def add_trace(self, message: int, number: int, part: int, lines: Lines) -> None:
        """Keep part of a trace; a callable is called by the writer's thread, and must not fail."""

    def forget_trace(self, message: int, number: int) -> None:
        """Delete a run's trace."""

    def delete_chat(self, chat: int) -> None:
        """Delete a chat for good, with all of it."""

    def delete_message(self, message: int) -> None:
        """Delete a message for good, with all below it."""

    def delete_folder(self, folder: int) -> None:
        """Delete a folder; its chats stay, without one."""

    def model_folders(self) -> list[ModelFolderRecord]:
        """The folders that are looked through for models, by position."""

    def save_model_folder(self, record: ModelFolderRecord) -> None:
        """Keep a folder in the list."""

    def delete_model_folder(self, path: str) -> None:
        """Take a folder out of the list; what lies in it stays."""

    def downloads(self) -> list[DownloadRecord]:
        """The queue of downloads, in its order."""

    def save_download(self, record: DownloadRecord) -> None:
        """Keep a download as it is now."""

    def delete_download(self, download: int) -> None:
        """Take a download out of the queue."""

    def model_records(self) -> list[ModelRecord]:
        """What is remembered of each model, by name."""

    def save_model(self, record: ModelRecord) -> None:
        """Remember this of a model."""

    def flush(self, timeout: float) -> bool:
        """Wait until all handed over so far is committed; whether it is."""

    def close(self, timeout: float = 2.0) -> bool:
        """Write what waits, and end; whether all was written."""


class NoStore:
    """Keeps nothing, for the reason given; the app goes on with what it has in memory."""

    def __init__(self, reason: str) -> None:
        self.notices: tuple[str, ...] = (reason,)
        self.path: Path | None = None

    def chats(self) -> list[ChatRecord]:
        """None."""
        return []

    def folders(self) -> list[FolderRecord]:
        """None."""
        return []

    def messages(self, chat: int) -> list[MessageRecord]:
        """None."""
        return []

    def runs(self, chat: int) -> list[RunRecord]:
        """None."""
        return []

    def trace(self, message: int, number: int) -> bytes | None:
        """None."""
        return None

    def search(
        self, query: str, limit: int = 50, *, chats: Collection[int] | None = None
    ) -> list[Hit]:
        """None."""
        return []

    def save_chat(self, record: ChatRecord) -> None:
        """Forget it."""

    def save_folder(self, record: FolderRecord) -> None:
        """Forget it."""

    def save_message(self, record: MessageRecord) -> None:
        """Forget it."""

    def save_run(self, record: RunRecord) -> None:
        """Forget it."""

    def add_trace(self, message: int, number: int, part: int, lines: Lines) -> None:
        """Forget it, uncalled."""

    def forget_trace(self, message: int, number: int) -> None:
        """There is none."""

    def delete_chat(self, chat: int) -> None:
        """There is none."""

    def delete_message(self, message: int) -> None:
        """There is none."""

    def delete_folder(self, folder: int) -> None:
        """There is none."""

    def model_folders(self) -> list[ModelFolderRecord]:
        """None."""
        return []

    def save_model_folder(self, record: ModelFolderRecord) -> None:
        """Forget it."""

    def delete_model_folder(self, path: str) -> None:
        """There is none."""

    def downloads(self) -> list[DownloadRecord]:
        """None."""
        return []

    def save_download(self, record: DownloadRecord) -> None:
        """Forget it."""

    def delete_download(self, download: int) -> None:
        """There is none."""

    def model_records(self) -> list[ModelRecord]:
        """None."""
        return []

    def save_model(self, record: ModelRecord) -> None:
        """Forget it."""

    def flush(self, timeout: float) -> bool:
        """Nothing waits."""
        return True

    def close(self, timeout: float = 2.0) -> bool:
        """Nothing waits."""
        return True
