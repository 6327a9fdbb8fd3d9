"""Reads what was said in chats: all of it, or of a long one its end first and the rest in parts."""

import json
from collections.abc import Callable, Collection

from app.storage import rows
from app.storage.model_store import ModelStore
from app.storage.records import MessageRecord, RunRecord

_MESSAGES = f"SELECT {rows.MESSAGE_COLUMNS} FROM messages WHERE chat = ? ORDER BY created, seq"
_PART = f"SELECT {rows.MESSAGE_COLUMNS}, seq FROM messages WHERE chat = ? AND seq > ? ORDER BY seq"
_RUNS = (
    f"SELECT {rows.RUN_COLUMNS} FROM runs WHERE message IN"
    " (SELECT id FROM messages WHERE chat = ?) ORDER BY message, number"
)
_RUNS_OF = (
    f"SELECT {rows.RUN_COLUMNS} FROM runs WHERE message IN (SELECT value FROM json_each(?))"
    " ORDER BY message, number"
)
_FIRST = (
    "SELECT coalesce((SELECT id FROM messages WHERE id = :choice AND chat = :chat AND {0}),"
    " (SELECT max(id) FROM messages WHERE chat = :chat AND {0}))"
).format("parent IS NULL AND role = 'user'")
# Question, answer, question: what follows in another order is shown nowhere.
_WAY = (
    "WITH RECURSIVE way(id, depth) AS (SELECT ?, 0 UNION ALL SELECT below.id, depth + 1 FROM way"
    " CROSS JOIN messages AS at ON at.id = way.id"
    " CROSS JOIN messages AS below ON below.id = coalesce("
    "(SELECT id FROM messages WHERE id = at.choice AND parent = at.id),"
    " (SELECT max(id) FROM messages WHERE parent = at.id))"
    " WHERE depth < ? AND below.role <> at.role) SELECT id FROM way"
)
_BRANCH = (
    "WITH RECURSIVE below(id) AS (SELECT ? UNION SELECT messages.id FROM messages"
    " JOIN below ON messages.parent = below.id LIMIT ?)"
    f" SELECT {rows.MESSAGE_COLUMNS} FROM messages WHERE id IN (SELECT id FROM below) ORDER BY id"
)


class ChatStore(ModelStore):
    """The part of a store that reads chats' insides; see `Keeping` for what each method does."""

    def messages(self, chat: int) -> list[MessageRecord]:
        """A chat's messages, oldest first."""
        with self._reading() as reader:
            found = reader.execute(_MESSAGES, (chat,)).fetchall()
        return [rows.message_of(row, self._damaged) for row in found]

    def runs(self, chat: int) -> list[RunRecord]:
        """The runs of a chat's messages."""
        with self._reading() as reader:
            found = reader.execute(_RUNS, (chat,)).fetchall()
        return [rows.run_of(row, self._damaged) for row in found]

    def first_shown(self, chat: int, choice: int | None) -> int | None:
        """The first question that is shown, the newest where the choice is none; None: empty."""
        with self._reading() as reader:
            found = reader.execute(_FIRST, {"chat": chat, "choice": choice}).fetchone()[0]
        return None if found is None else int(found)

    def way_down(self, message: int, most: int) -> list[int]:
        """A message and what is shown below it, down to the end or so many further."""
        with self._reading() as reader:
            return [number for (number,) in reader.execute(_WAY, (message, most)).fetchall()]

    def branch(self, message: int, most: int) -> list[MessageRecord]:
        """A message and all below it, up to so many, parents before their children."""
        with self._reading() as reader:
            found = reader.execute(_BRANCH, (message, most)).fetchall()
        return [rows.message_of(row, self._damaged) for row in found]

    def part(
        self, chat: int, after: int, may_go_on: Callable[[], bool]
    ) -> tuple[list[MessageRecord], int | None]:
        """Some of a chat's messages, and the place to go on `after`; None where that was all."""
        found: list[MessageRecord] = []
        with self._reading() as reader:
            for row in reader.execute(_PART, (chat, after)):
                found.append(rows.message_of(row, self._damaged))
                if not may_go_on():
                    return found, int(row[-1])
        return found, None

    def runs_of(self, messages: Collection[int]) -> list[RunRecord]:
        """The runs of these messages."""
        with self._reading() as reader:
            found = reader.execute(_RUNS_OF, (json.dumps(list(messages)),)).fetchall()
        return [rows.run_of(row, self._damaged) for row in found]
