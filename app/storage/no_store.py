"""The place that keeps nothing."""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

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

    def first_shown(self, chat: int, choice: int | None) -> int | None:
        """None."""
        return None

    def way_down(self, message: int, most: int) -> list[int]:
        """None."""
        return []

    def branch(self, message: int, most: int) -> list[MessageRecord]:
        """None."""
        return []

    def part(
        self, chat: int, after: int, may_go_on: Callable[[], bool]
    ) -> tuple[list[MessageRecord], int | None]:
        """None."""
        return [], None

    def runs_of(self, messages: Collection[int]) -> list[RunRecord]:
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

    def together(self) -> AbstractContextManager[None]:
        """Nothing is."""
        return nullcontext()

    def save_chat(self, record: ChatRecord) -> None:
        """Forget it."""

    def save_folder(self, record: FolderRecord) -> None:
        """Forget it."""

    def save_message(self, record: MessageRecord) -> None:
        """Forget it."""

    def save_run(self, record: RunRecord) -> None:
        """Forget it."""

    def save_said(
        self, chat: ChatRecord, messages: Iterable[MessageRecord], runs: Iterable[RunRecord]
    ) -> None:
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
