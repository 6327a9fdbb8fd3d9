"""Brings back what was said in chats: of a long one the end first, then the rest in slices.

Until all of it is there a chat is not `is_loaded`, and its path begins in the middle; at its end
anything can be done meanwhile. What needs all of it waits (`whole`), or has it made (`finishing`).
"""

import asyncio
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from app.controllers.kept_tree import Tree, end_from
from app.models.conversation import Conversation
from app.models.exchange import Variant
from app.storage import Keeping, MessageRecord, RunRecord, StorageError

# Turns that are read at once, and turns of the end that is shown first: as many as suit.
FEW, _ENDS = 20, (12, 3, 1)
# Messages that such an end may have, with all that was said beside what is shown of it.
_MOST_MESSAGES = 200
_STEPS = 1_000
# How long is read at a time, how long the window may be held up, and when a chat is opened.
_PART_SECONDS, _TURN_SECONDS, _FIRST_SECONDS = 0.003, 0.006, 0.02


@dataclass(frozen=True, slots=True)
class _End:
    """What is there of a chat: all below an answer. `choice` is what was shown of it on disk."""

    joint: Variant
    choice: int | None


class Filling(QObject):
    """`came`: the first of a chat is there; `failed` has a sentence.

    `moved` is said of a chat and its first exchange, where another one is shown than on disk,
    and `filled` of a long one that is all there.
    """

    came = Signal(object)
    moved = Signal(object, object)
    filled = Signal(object)
    failed = Signal(str)

    def __init__(self, store: Keeping, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        # The one that was opened last is the last.
        self._coming: dict[Conversation, Iterator[None]] = {}
        self._ends: dict[Conversation, _End] = {}
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._go_on)

    def open(self, chat: Conversation) -> None:
        """Bring back what is shown first, at once if that is quick; the rest comes by itself."""
        if chat.is_loaded:
            return
        if chat.num_stored <= FEW:
            self.load(chat)
            return
        is_coming = chat in self._coming
        work = self._coming.pop(chat) if is_coming else self._bring(chat, is_end_first=True)
        self._coming[chat] = work
        end = perf_counter() + _FIRST_SECONDS
        while chat in self._coming and not chat.exchanges and perf_counter() < end:
            self._advance(chat)
        self._turn.start()

    def load(self, chat: Conversation) -> None:
        """Bring back all of it now."""
        for _ in self.finishing(chat):
            pass

    def finishing(self, chat: Conversation) -> Generator[None, None, None]:
        """The same in slices, at the pace of who asks."""
        if not chat.is_loaded and chat not in self._coming:
            self._coming[chat] = self._bring(chat, is_end_first=False)
        while chat in self._coming:
            self._advance(chat)
            yield

    async def whole(self, chat: Conversation) -> bool:
        """Wait until all of a chat that was opened is there; whether it is."""
        if not chat.is_loaded:
            self.open(chat)
        while chat in self._coming:
            await asyncio.sleep(0)
        return chat.is_loaded

    def forget(self, chat: Conversation) -> None:
        """It is gone."""
        self._coming.pop(chat, None)
        self._ends.pop(chat, None)

    def settle(self) -> None:
        """What is there is all there will be: the file is gone."""
        self._turn.stop()
        self._coming.clear()
        for chat, end in self._ends.items():
            for exchange in end.joint.followers:
                exchange.parent = None
            chat.is_loaded = True
        self._ends.clear()

    def close(self) -> None:
        """Read nothing any more."""
        self._turn.stop()
        self._coming.clear()

    def _go_on(self) -> None:
        end = perf_counter() + _TURN_SECONDS
        while self._coming:
            self._advance(next(reversed(self._coming)))
            if perf_counter() > end:
                break
        if self._coming:
            self._turn.start()

    def _advance(self, chat: Conversation) -> None:
        try:
            if next(self._coming[chat], chat) is chat:
                self._coming.pop(chat, None)
        except StorageError as error:
            self._coming.pop(chat, None)
            self.failed.emit(str(error))

    def _bring(self, chat: Conversation, *, is_end_first: bool) -> Iterator[None]:
        if is_end_first and chat not in self._ends:
            yield from self._bring_end(chat)
        end = self._ends.get(chat)
        messages, runs = yield from self._read(chat)
        tree = Tree(chat.stored_choice, end.joint if end is not None else None)
        yield from tree.growing(messages, runs)
        if not tree.is_joined:
            raise StorageError("The beginning of this chat cannot be read; open it once more.")
        self._ends.pop(chat, None)
        chat.fill(tree.roots)
        if end is None:
            self.came.emit(chat)
            return
        first = end.joint.followers.current
        if first is not None and first.id != end.choice:
            self.moved.emit(chat, first)
        self.filled.emit(chat)

    def _bring_end(self, chat: Conversation) -> Iterator[None]:
        """Fill a chat with the end of what is shown; with nothing where that is not easily had."""
        way = yield from self._way(chat)
        num_turns = (len(way) + 1) // 2
        for num in _ENDS:
            # Questions and answers take turns.
            place = 2 * (num_turns - num) - 1
            if place < 0:
                continue
            messages = self._store.branch(way[place], _MOST_MESSAGES + 1)
            if len(messages) > _MOST_MESSAGES:
                continue
            runs = self._store.runs_of([each.id for each in messages])
            joint = end_from(messages, {run.message: run for run in runs})
            shown = joint.followers.current
            self._ends[chat] = _End(joint, shown.id if shown is not None else None)
            chat.fill(joint.followers)
            # What was said before it still comes.
            chat.is_loaded = False
            self.came.emit(chat)
            yield
            return

    def _way(self, chat: Conversation) -> Generator[None, None, list[int]]:
        """The messages that are shown, from the first question to the end."""
        first = self._store.first_shown(chat.id, chat.stored_choice)
        way = [first] if first is not None else []
        while way and len(way) <= 2 * chat.num_stored:
            found = self._store.way_down(way[-1], _STEPS)
            way += found[1:]
            yield
            if len(found) <= _STEPS:
                break
        return way

    def _read(
        self, chat: Conversation
    ) -> Generator[None, None, tuple[list[MessageRecord], dict[int, RunRecord]]]:
        """All messages of a chat, parents before their children, and their runs."""
        messages: list[MessageRecord] = []
        runs: dict[int, RunRecord] = {}
        place: int | None = 0
        while place is not None:
            end = perf_counter() + _PART_SECONDS
            found, place = self._store.part(chat.id, place, lambda: perf_counter() < end)  # noqa: B023
            yield
            told = self._store.runs_of([each.id for each in found if each.role == "assistant"])
            runs |= {run.message: run for run in told}
            messages += found
            yield
        # Numbers grow with time.
        messages.sort(key=lambda each: each.id)
        return messages, runs
