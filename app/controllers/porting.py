"""Chats out to files and in from them, on a thread of its own; every outcome is one sentence."""

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Literal, TypeVar, cast

from PySide6.QtCore import QObject, Signal

from app.controllers.away import WORDS_SECONDS, Report, away
from app.controllers.chat_files import IsProtected, read_chat_file, write_whole
from app.controllers.failures import FailureReporter
from app.controllers.import_words import import_words
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.file_name import shown_name, stem_of
from app.models.porting.markdown import markdown_parts
from app.models.porting.native import native_parts
from app.models.porting.reading import Found, chats_in
from app.models.porting.sameness import Alike, what_is_said
from app.models.porting.told import PortingError, ToldChat, built, told_in_slices

Result = TypeVar("Result")
ChatFormat = Literal["markdown", "json"]
SUFFIXES: dict[ChatFormat, str] = {"markdown": ".md", "json": ".json"}
# How long the window may be held up at a time.
_TURN_SECONDS = 0.006
# Chats are taken in for so long, with so long in between: the side bar sorts all of them anew.
_TAKING_SECONDS, _BETWEEN_SECONDS = 0.03, 0.3
# Of an import the file is read first, then chats are built of it.
_READ_SHARE, _BUILT_SHARE = 0.6, 0.95


class PortingController(QObject):
    """The only one who exports and imports chats. `load` brings one back, a slice a step.

    `is_protected` tells files that no export may replace, such as `chat_files.store_files` does.
    """

    said = Signal(str)

    def __init__(
        self,
        chats: Chats,
        failures: FailureReporter,
        load: Callable[[Conversation], Generator[None, None, None]],
        parent: QObject | None = None,
        is_protected: IsProtected = lambda _path: False,
    ) -> None:
        super().__init__(parent)
        self._chats, self._failures, self._load = chats, failures, load
        self._is_protected = is_protected

    def export_chat(self, chat: Conversation, kind: ChatFormat, path: Path) -> None:
        """Write one chat."""
        self._failures.start(self._export([chat], kind, path))

    def export_all(self, kind: ChatFormat, path: Path) -> None:
        """Write all chats but those in the trash."""
        self._failures.start(self._export(self._exported, kind, path))

    def import_file(self, path: Path) -> None:
        """Take in all chats of a file."""
        self._failures.start(self._import(path))

    def suggested_name(self, chat: Conversation | None, kind: ChatFormat) -> str:
        """A name for the file, after the chat's title; None is all chats."""
        title = chat.title if chat is not None else self.tr("Draftscope chats")
        return stem_of(title, "chat") + SUFFIXES[kind]

    async def export(self, chats: list[Conversation], kind: ChatFormat, path: Path) -> bool:
        """Write chats to a file; whether it is there."""
        if not chats:
            self.said.emit(self.tr("There are no chats to export."))
            return False
        told, turn = list[ToldChat](), _Turn()
        for chat in chats:
            await turn.finish(self._load(chat))
            folder = self._chats.folder(chat.folder)
            name = folder.name if folder is not None else ""
            told.append(await turn.finish(told_in_slices(chat, name)))
        write = partial(_write, path, kind, told, self._is_protected)
        try:
            await away(write, partial(self._say, self.tr("Exporting")), "porting")
        except PortingError as error:
            self.said.emit(error.sentence)
            return False
        if len(told) == 1:
            self.said.emit(self.tr("Exported as {0}.").format(shown_name(path)))
        else:
            sentence = self.tr("Exported {0:,} chats as {1}.")
            self.said.emit(sentence.format(len(told), shown_name(path)))
        return True

    async def take_in(self, path: Path) -> list[Conversation]:
        """The new chats of a file; those that are here already stay as they are."""
        read, say = partial(_read, path), partial(self._say, self.tr("Importing"))
        try:
            found = await away(read, lambda share: say(share * _READ_SHARE), "porting")
        except PortingError as error:
            self.said.emit(error.sentence)
            return []
        told, known = await self._sorted(found.chats)
        made = await self._built(told, say)
        await self._take(zip(made, told, strict=True))
        only = made + known
        if len(only) == 1 and only[0] in self._chats.items:
            self._chats.open(only[0])
        new, old = ([chat.title for chat in chats] for chats in (made, known))
        num_unread = sum(each.num_unread for each in told)
        name = shown_name(path)
        self.said.emit(import_words(self.tr, name, new, old, found.left_out, num_unread))
        return made

    @property
    def _exported(self) -> list[Conversation]:
        return [
            chat
            for chat in self._chats.items
            if chat.trashed is None and not chat.is_read_only and not chat.is_empty
        ]

    async def _export(self, chats: list[Conversation], kind: ChatFormat, path: Path) -> None:
        await self.export(chats, kind, path)

    async def _import(self, path: Path) -> None:
        await self.take_in(path)

    async def _sorted(self, told: list[ToldChat]) -> tuple[list[ToldChat], list[Conversation]]:
        """What is new, and the chats that the others are."""
        alike, turn = Alike(self._chats.items), _Turn()
        new, known = list[ToldChat](), list[Conversation]()
        # Many chats may have one title and no time: each is looked into only once in vain.
        hashes: dict[int, int] = {}
        for each in told:
            candidates = alike.to(each)
            said = what_is_said(each) if candidates else frozenset()
            for chat in candidates:
                if hashes.get(chat.id, hash(said)) != hash(said):
                    continue
                await turn.finish(self._load(chat))
                here = what_is_said(await turn.finish(told_in_slices(chat)))
                hashes[chat.id] = hash(here)
                if here == said:
                    known.append(chat)
                    break
            else:
                new.append(each)
        return new, known

    async def _built(
        self, told: list[ToldChat], say: Callable[[float], None]
    ) -> list[Conversation]:
        made, turn, num_done, due = list[Conversation](), _Turn(), 0, perf_counter()
        num_messages = sum(len(each.messages) for each in told) + 1
        for each in told:
            made.append(await turn.finish(built(each)))
            num_done += len(each.messages)
            if perf_counter() > due:
                due = perf_counter() + WORDS_SECONDS
                say(_READ_SHARE + (_BUILT_SHARE - _READ_SHARE) * num_done / num_messages)
        return made

    async def _take(self, pairs: Iterable[tuple[Conversation, ToldChat]]) -> None:
        """Some at a time; all of them, even if the app ends meanwhile: no import is half done."""
        waiting = deque(sorted(pairs, key=lambda pair: pair[1].changed))
        try:
            while waiting:
                end = perf_counter() + _TAKING_SECONDS
                while waiting and perf_counter() < end:
                    self._take_one(*waiting.popleft())
                await asyncio.sleep(_BETWEEN_SECONDS if waiting else 0)
        finally:
            while waiting:
                self._take_one(*waiting.popleft())

    def _take_one(self, chat: Conversation, told: ToldChat) -> None:
        if told.folder:
            chat.folder = self._folder(told.folder)
        self._chats.take(chat)

    def _folder(self, name: str) -> int:
        """The folder of this name, made where there is none."""
        for folder in self._chats.folders:
            if folder.name == name:
                return folder.id
        return self._chats.add_folder(name).id

    def _say(self, words: str, share: float) -> None:
        part = self.tr(", {0:.0f} %").format(share * 100) if share else ""
        self.said.emit(f"{words}{part}")


class _Turn:
    """What may be done until the window has to answer again."""

    def __init__(self) -> None:
        self._end = perf_counter() + _TURN_SECONDS

    async def finish(self, work: Generator[None, None, Result]) -> Result:
        """What work in slices returns; the window answers in between."""
        while True:
            if perf_counter() > self._end:
                await asyncio.sleep(0)
                self._end = perf_counter() + _TURN_SECONDS
            try:
                next(work)
            except StopIteration as done:
                return cast(Result, done.value)


def _write(
    path: Path, kind: ChatFormat, told: list[ToldChat], is_protected: IsProtected, report: Report
) -> None:
    parts = markdown_parts if kind == "markdown" else native_parts
    write_whole(path, parts(_watched(told, report)), is_protected)


def _watched(told: list[ToldChat], report: Report) -> Iterator[ToldChat]:
    for number, chat in enumerate(told):
        report(number / len(told))
        yield chat


def _read(path: Path, report: Report) -> Found:
    texts = read_chat_file(path, report)
    whole = Found()
    try:
        for text in texts:
            found = chats_in(text, lambda share: report(0.5 + share / 2))
            whole.chats += found.chats
            whole.left_out += found.left_out
    except PortingError as error:
        raise PortingError(f"{shown_name(path)} was not imported: {error.sentence}") from error
    return whole
