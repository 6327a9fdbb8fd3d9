"""What the app asks of the place where chats are kept."""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
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

    def first_shown(self, chat: int, choice: int | None) -> int | None:
        """The first question that is shown, the newest where the choice is none; None: empty."""

    def way_down(self, message: int, most: int) -> list[int]:
        """A message and what is shown below it, down to the end or so many further."""

    def branch(self, message: int, most: int) -> list[MessageRecord]:
        """A message and all below it, up to so many, parents before their children."""

    def part(
        self, chat: int, after: int, may_go_on: Callable[[], bool]
    ) -> tuple[list[MessageRecord], int | None]:
        """Some of a chat's messages, and the place to go on `after`; None where that was all.

        In the order in which they were first written. One at least, then as many as it may.
        """

    def runs_of(self, messages: Collection[int]) -> list[RunRecord]:
        """The runs of these messages."""

    def trace(self, message: int, number: int) -> bytes | None:
        """A run's trace, as JSON lines."""

    def search(
        self, query: str, limit: int = 50, *, chats: Collection[int] | None = None
    ) -> list[Hit]:
        """Titles, then messages that hold all words of the query, up to the limit of each.

        None of trashed chats.
        """

    def together(self) -> AbstractContextManager[None]:
        """What is saved or deleted in here is on disk whole or not at all."""

    def save_chat(self, record: ChatRecord) -> None:
        """Keep a chat as it is now."""

    def save_folder(self, record: FolderRecord) -> None:
        """Keep a folder as it is now."""

    def save_message(self, record: MessageRecord) -> None:
        """Keep a message as it is now."""

    def save_run(self, record: RunRecord) -> None:
        """Keep a run as it is now."""

    def save_said(
        self, chat: ChatRecord, messages: Iterable[MessageRecord], runs: Iterable[RunRecord]
    ) -> None:
        """Keep a chat and this of what was said in it: on disk whole or not at all.

        Nobody may change the figures of a run any more.
        """

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
