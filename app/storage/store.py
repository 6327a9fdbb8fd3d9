"""The file where chats are kept: read by whoever asks, written by a thread of its own."""

import sqlite3
import threading
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from platformdirs import user_data_path

from app.storage import rows
from app.storage.chat_store import ChatStore
from app.storage.connection import reading
from app.storage.kept_file import KeptFile
from app.storage.lock import FolderLock
from app.storage.opening import NAME, opened
from app.storage.pending import Lines, Part, Pending
from app.storage.problems import StorageError, is_index_damage, reason
from app.storage.records import ChatRecord, FolderRecord, Hit, MessageRecord, RunRecord
from app.storage.schema import MIGRATIONS, Migration
from app.storage.search import search
from app.storage.terms import VOCABULARY
from app.storage.turns import hidden_messages
from app.storage.writer import OnBegunAnew, OnProblem, Writer

_CHATS = (
    f"SELECT {rows.CHAT_COLUMNS}, drafts.text, drafts.attachments,"
    " (SELECT count(*) FROM messages WHERE messages.chat = chats.id) FROM chats"
    " LEFT JOIN drafts ON drafts.chat = chats.id ORDER BY changed DESC, chats.seq DESC"
).replace("SELECT id", "SELECT chats.id")
_TRACE = "SELECT data FROM traces WHERE message = ? AND number = ? ORDER BY part"


def data_folder() -> Path:
    """Where the user's data lies."""
    return user_data_path("draftscope", appauthor=False)


class Store(ChatStore):
    """Keeps chats in a folder of this process alone; see `Keeping` for what each method does."""

    def __init__(
        self,
        folder: Path,
        on_problem: OnProblem,
        migrations: Sequence[Migration],
        on_begun_anew: OnBegunAnew,
    ) -> None:
        self.path, self._migrations = folder / NAME, migrations
        self._lock = FolderLock(folder)
        self._reads = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        try:
            connection, notices = opened(folder, migrations)
        except StorageError:
            self._lock.release()
            raise
        self._notices = list(notices)
        file = KeptFile(connection, self.path, self._begin_anew)
        self._writer = Writer(file, on_problem, on_begun_anew)
        self._was_written: bool | None = None

    @classmethod
    def open(
        cls,
        folder: Path,
        on_problem: OnProblem,
        migrations: Sequence[Migration] = MIGRATIONS,
        on_begun_anew: OnBegunAnew = lambda _sentence: None,
    ) -> "Store":
        """Open or make the folder's file; `StorageError` says in a sentence why that fails.

        `on_problem` is called on the writer's thread: with a sentence when changes cannot be
        written, and with None when they can again. `on_begun_anew` is called there, too, with a
        sentence, when the file was gone and another has taken its place: nothing of what was
        saved before has to be in it, so whatever is still known is to be saved again.
        """
        return cls(folder, on_problem, migrations, on_begun_anew)

    @property
    def notices(self) -> tuple[str, ...]:
        """What happened at opening, and damage met in reading since; one sentence each."""
        return tuple(self._notices)

    def chats(self) -> list[ChatRecord]:
        """All chats, the last changed first."""
        with self._reading() as reader:
            found = reader.execute(_CHATS).fetchall()
            hidden = hidden_messages(reader)
        chats = (rows.chat_of(row, self._damaged) for row in found)
        return [replace(chat, num_hidden=hidden.get(chat.id, 0)) for chat in chats]

    def folders(self) -> list[FolderRecord]:
        """All folders, by position."""
        question = "SELECT id, name, position FROM folders ORDER BY position, seq"
        with self._reading() as reader:
            return [rows.folder_of(row) for row in reader.execute(question).fetchall()]

    def trace(self, message: int, number: int) -> bytes | None:
        """A run's trace, as JSON lines."""
        with self._reading() as reader:
            parts = reader.execute(_TRACE, (message, number)).fetchall()
        try:
            return b"".join(zlib.decompress(data) for (data,) in parts) if parts else None
        except (zlib.error, TypeError):
            self._damaged("trace of a reply")
            return None

    def search(
        self, query: str, limit: int = 50, *, chats: Collection[int] | None = None
    ) -> list[Hit]:
        """Titles, then messages that hold all words of the query; none of trashed chats."""
        with self._reading() as reader:
            return search(reader, query, limit, chats)

    def together(self) -> AbstractContextManager[None]:
        """What is saved or deleted in here is on disk whole or not at all."""
        return self._writer.together()

    def save_chat(self, record: ChatRecord) -> None:
        """Keep a chat as it is now."""
        kept = replace(record, settings=rows.plain(record.settings))
        self._writer.hand_over(lambda pending: pending.chats.update({kept.id: kept}))

    def save_folder(self, record: FolderRecord) -> None:
        """Keep a folder as it is now."""
        self._writer.hand_over(lambda pending: pending.folders.update({record.id: record}))

    def save_message(self, record: MessageRecord) -> None:
        """Keep a message as it is now."""
        self._writer.hand_over(lambda pending: pending.messages.update({record.id: record}))

    def save_run(self, record: RunRecord) -> None:
        """Keep a run as it is now."""
        kept = replace(
            record,
            statistics=None if record.statistics is None else rows.plain(record.statistics),
            config=None if record.config is None else rows.plain(record.config),
            facts=rows.plain(record.facts),
        )
        key = record.message, record.number
        self._writer.hand_over(lambda pending: pending.runs.update({key: kept}))

    def save_said(
        self, chat: ChatRecord, messages: Iterable[MessageRecord], runs: Iterable[RunRecord]
    ) -> None:
        """Keep a chat and this of what was said in it: on disk whole or not at all.

        Nobody may change the figures of a run any more.
        """
        kept = replace(chat, settings=rows.plain(chat.settings))
        batch = Pending(
            chats={kept.id: kept},
            messages={each.id: each for each in messages},
            runs={(each.message, each.number): each for each in runs},
        )
        self._writer.hand_over(lambda pending: pending.absorb(batch))

    def add_trace(self, message: int, number: int, part: int, lines: Lines) -> None:
        """Keep part of a trace; a callable is called by the writer's thread, and must not fail."""
        key = message, number, part
        self._writer.hand_over(lambda pending: pending.parts.update({key: Part(lines)}))

    def forget_trace(self, message: int, number: int) -> None:
        """Delete a run's trace."""
        self._writer.hand_over(lambda pending: pending.forget_trace(message, number))

    def delete_chat(self, chat: int) -> None:
        """Delete a chat for good, with all of it."""
        self._writer.hand_over(lambda pending: pending.delete_chat(chat))

    def delete_message(self, message: int) -> None:
        """Delete a message for good, with all below it."""
        self._writer.hand_over(lambda pending: pending.delete_message(message))

    def delete_folder(self, folder: int) -> None:
        """Delete a folder; its chats stay, without one."""
        self._writer.hand_over(lambda pending: pending.delete_folder(folder))

    def flush(self, timeout: float) -> bool:
        """Wait until all handed over so far is committed, and what was deleted is gone from disk.

        Whether it is committed; cleaning that takes longer goes on after it.
        """
        return self._writer.flush(timeout)

    def close(self, timeout: float = 2.0) -> bool:
        """Write what waits, and end; whether all was written. A second call does nothing."""
        if self._was_written is None:
            with self._reads:
                if self._reader is not None:
                    self._reader.close()
            self._was_written = self._writer.close(timeout)
            self._lock.release()
        return self._was_written

    def _begin_anew(self) -> sqlite3.Connection:
        """The writing connection of a new file; called by the writer's thread."""
        if not self._lock.is_there:
            old, self._lock = self._lock, FolderLock(self.path.parent)
            old.release()
        with self._reads:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
            connection, notices = opened(self.path.parent, self._migrations)
        self._notices += notices
        return connection

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The reading connection, opened when it is first needed."""
        try:
            with self._reads:
                if self._reader is None:
                    self._reader = reading(self.path, VOCABULARY)
                yield self._reader
        except sqlite3.Error as error:
            if is_index_damage(error):
                self._writer.renew_index()
                raise StorageError(
                    "The search index is damaged; it is made anew now, so search again in a while."
                ) from error
            raise StorageError(f"Chats cannot be read: {reason(error)}.") from error

    def _damaged(self, what: str) -> None:
        notice = f"The {what} is damaged and was read as far as possible."
        if notice not in self._notices:
            self._notices.append(notice)
