"""What waits to be written: the latest of each record, and what is to be deleted before."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app.storage.records import (
    ChatRecord,
    DownloadRecord,
    FolderRecord,
    MessageRecord,
    ModelFolderRecord,
    ModelRecord,
    RunRecord,
)

Lines = Callable[[], bytes] | bytes


class Part:
    """A part of a trace, asked for and compressed when it is first written."""

    def __init__(self, lines: Lines) -> None:
        self._lines: Lines | None = lines
        self._data = b""

    def data(self) -> bytes:
        """The compressed bytes; the writer's thread pays for them."""
        if self._lines is not None:
            lines = self._lines if isinstance(self._lines, bytes) else self._lines()
            self._data, self._lines = zlib.compress(lines), None
        return self._data


@dataclass(slots=True)
class Pending:
    """A batch: its deletes are done first, then its saves, what others depend on first."""

    deleted_chats: dict[int, None] = field(default_factory=dict)
    deleted_messages: dict[int, None] = field(default_factory=dict)
    deleted_folders: dict[int, None] = field(default_factory=dict)
    forgotten: dict[tuple[int, int], None] = field(default_factory=dict)
    deleted_model_folders: dict[str, None] = field(default_factory=dict)
    deleted_downloads: dict[int, None] = field(default_factory=dict)
    folders: dict[int, FolderRecord] = field(default_factory=dict)
    chats: dict[int, ChatRecord] = field(default_factory=dict)
    messages: dict[int, MessageRecord] = field(default_factory=dict)
    runs: dict[tuple[int, int], RunRecord] = field(default_factory=dict)
    parts: dict[tuple[int, int, int], Part] = field(default_factory=dict)
    model_folders: dict[str, ModelFolderRecord] = field(default_factory=dict)
    downloads: dict[int, DownloadRecord] = field(default_factory=dict)
    models: dict[str, ModelRecord] = field(default_factory=dict)

    def delete_folder(self, folder: int) -> None:
        """Its chats stay."""
        self.folders.pop(folder, None)
        self.deleted_folders[folder] = None

    def delete_chat(self, chat: int) -> None:
        """With what waits for it."""
        self.chats.pop(chat, None)
        self._drop({m.id for m in self.messages.values() if m.chat == chat})
        self.deleted_chats[chat] = None

    def delete_message(self, message: int) -> None:
        """With what waits below it."""
        below, size = {message}, 0
        while size < len(below):
            size = len(below)
            below |= {m.id for m in self.messages.values() if m.parent in below}
        self._drop(below)
        self.deleted_messages[message] = None

    def forget_trace(self, message: int, number: int) -> None:
        """All parts of one run's trace."""
        for key in [key for key in self.parts if key[:2] == (message, number)]:
            del self.parts[key]
        self.forgotten[message, number] = None

    def delete_model_folder(self, path: str) -> None:
        """From the list only."""
        self.model_folders.pop(path, None)
        self.deleted_model_folders[path] = None

    def delete_download(self, download: int) -> None:
        """From the list only."""
        self.downloads.pop(download, None)
        self.deleted_downloads[download] = None

    def absorb(self, newer: "Pending") -> None:
        """Add what came later; where both have something to say the later holds."""
        for folder in newer.deleted_folders:
            self.delete_folder(folder)
        for chat in newer.deleted_chats:
            self.delete_chat(chat)
        for message in newer.deleted_messages:
            self.delete_message(message)
        for message, number in newer.forgotten:
            self.forget_trace(message, number)
        for path in newer.deleted_model_folders:
            self.delete_model_folder(path)
        for download in newer.deleted_downloads:
            self.delete_download(download)
        self.folders.update(newer.folders)
        self.chats.update(newer.chats)
        self.messages.update(newer.messages)
        self.runs.update(newer.runs)
        self.parts.update(newer.parts)
        self.model_folders.update(newer.model_folders)
        self.downloads.update(newer.downloads)
        self.models.update(newer.models)

    def ordered_messages(self) -> Iterator[MessageRecord]:
        """Parents before their children."""
        done: set[int] = set()
        for message in self.messages.values():
            line: list[MessageRecord] = []
            above: MessageRecord | None = message
            while above is not None and above.id not in done:
                done.add(above.id)
                line.append(above)
                above = None if above.parent is None else self.messages.get(above.parent)
            yield from reversed(line)

    def _drop(self, messages: set[int]) -> None:
        for message in messages:
            self.messages.pop(message, None)
        for run in [key for key in self.runs if key[0] in messages]:
            del self.runs[run]
        for part in [key for key in self.parts if key[0] in messages]:
            del self.parts[part]
