"""Reads the files a person attaches, on a thread, and hands their text to the chat they are for."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, Signal

from app.controllers.attachment_files import ReadingStopped, read_attachment
from app.controllers.failures import FailureReporter
from app.models.attaching import AttachmentError
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.file_name import shown_name
from app.models.ids import new_id
from app.models.question import Attachment

MAX_FILES = 20
POLL_SECONDS = 0.1
_MOST_SENTENCES = 3


@dataclass(slots=True)
class _Reading:
    """A file on its way into a chat's next question."""

    chat: Conversation
    path: Path
    key: int = field(default_factory=new_id)
    page: tuple[int, int] | None = None
    stopped: Event = field(default_factory=Event)

    @property
    def words(self) -> str:
        """How far it is."""
        if self.page is None:
            return "reading…"
        return f"reading page {self.page[0]:,} of {self.page[1]:,}"


class Attacher(QObject):
    """`attached` is for the chat that is open; another chat's draft is written here.

    `readings_changed` has (key, name, words) of each file of the open chat that is being read.
    """

    attached = Signal(object)
    readings_changed = Signal(object)
    said = Signal(str)

    def __init__(
        self, chats: Chats, failures: FailureReporter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._chats, self._failures = chats, failures
        self._readings: list[_Reading] = []
        chats.current_changed.connect(self._publish)

    def read(self, paths: Sequence[Path]) -> None:
        """Attach files to what is asked next in the open chat."""
        self._failures.start(self.attach(self._chats.current, paths))

    def cancel(self, key: int) -> None:
        """Read this file no further."""
        for reading in self._readings:
            if reading.key == key:
                reading.stopped.set()

    def close(self) -> None:
        """Read nothing any more."""
        for reading in self._readings:
            reading.stopped.set()

    async def attach(self, chat: Conversation, paths: Sequence[Path]) -> None:
        """Read files one after the other; what could not be attached is said at the end."""
        readings = [_Reading(chat, path) for path in paths[:MAX_FILES]]
        sentences: list[str] = []
        if len(paths) > MAX_FILES:
            sentences.append(
                self.tr("Only the first {0} files were attached; attach fewer at a time.").format(
                    MAX_FILES
                )
            )
        self._readings += readings
        self._publish()
        executor = ThreadPoolExecutor(1, "attaching")
        try:
            for reading in readings:
                sentence = await self._take(executor, reading)
                self._readings.remove(reading)
                self._publish()
                if sentence and sentence not in sentences:
                    sentences.append(sentence)
        finally:
            for reading in readings:
                reading.stopped.set()
            self._readings = [each for each in self._readings if each not in readings]
            executor.shutdown(wait=False)
        if sentences:
            self.said.emit(_joined(sentences))

    async def _take(self, executor: ThreadPoolExecutor, reading: _Reading) -> str:
        """Read one file and hand it on; a sentence where there is something to say about it."""
        if reading.stopped.is_set():
            return ""
        future = asyncio.wrap_future(executor.submit(_outcome, reading))
        shown = reading.words
        while not (await asyncio.wait({future}, timeout=POLL_SECONDS))[0]:
            if reading.words != shown:
                shown = reading.words
                self._publish()
        attachment, sentence = future.result()
        if attachment is not None and not reading.stopped.is_set():
            self._hand_on(reading.chat, attachment)
        return sentence

    def _hand_on(self, chat: Conversation, attachment: Attachment) -> None:
        if chat is self._chats.current:
            self.attached.emit(attachment)
        else:
            draft = chat.draft
            chat.set_draft(replace(draft, attachments=(*draft.attachments, attachment)))

    def _publish(self) -> None:
        current = self._chats.current
        self.readings_changed.emit(
            tuple(
                (each.key, shown_name(each.path), each.words)
                for each in self._readings
                if each.chat is current
            )
        )


def _outcome(reading: _Reading) -> tuple[Attachment | None, str]:
    """What reading comes to, on its thread: an attachment, a sentence, both or neither."""

    def report(page: int, total: int) -> None:
        reading.page = (page, total)

    try:
        return read_attachment(reading.path, report, reading.stopped.is_set)
    except AttachmentError as error:
        return None, str(error)
    except ReadingStopped:
        return None, ""


def _joined(sentences: list[str]) -> str:
    shown = sentences[:_MOST_SENTENCES]
    rest = len(sentences) - len(shown)
    if rest:
        shown.append(f"{rest:,} more could not be attached as they are.")
    return " ".join(shown)
