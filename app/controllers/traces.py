"""Opens traces as chats to look at, and saves what is shown: as a trace, a Chrome trace or CSV.

Reading and writing a long run takes seconds of plain Python, so both happen on a thread; every
outcome is one sentence.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.controllers.away import Report, Result, away
from app.controllers.failures import FailureReporter
from app.models.branching import branched
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.file_name import shown_name, stem_of
from app.models.markdown.clean import on_one_line
from app.models.model_file import model_file_refusal
from app.models.playback import Playback
from app.models.quiet import SYSTEM_PROMPT
from app.models.reply import Reply
from app.models.trace_chat import exchanges_of, system_of, trace_of
from app.models.trace_format import SUFFIXES, Format
from engine import EngineError, Trace, TraceError, export_trace, read_trace, write_trace

MAX_TRACE_BYTES = 256_000_000
_SYSTEM_LENGTH = 400
_MOST_SENTENCES = 3


class TraceController(QObject):
    """The only one who opens traces and writes them from the window."""

    said = Signal(str)

    def __init__(
        self, chats: Chats, failures: FailureReporter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._chats, self._failures = chats, failures
        # Only the trace that is shown can be set to play.
        self._shown = chats.current
        # What became of the files that are being opened together, where there is something to say.
        self._num_opening, self._told = 0, dict[str, bool]()
        chats.current_changed.connect(self._pause_left)

    def open_file(self, path: Path) -> None:
        """Open a trace in a chat of its own."""
        self._failures.start(self._open(path))

    def save_file(self, chat: Conversation, reply: Reply, path: Path, kind: Format) -> None:
        """Save a reply of a chat, as far as it has come."""
        self._failures.start(self._save(chat, reply, path, kind))

    def suggested_name(self, chat: Conversation, kind: Format) -> str:
        """A name for the file, after the chat's title."""
        title = chat.title.removesuffix(SUFFIXES["trace"])
        return stem_of(title, "reply") + SUFFIXES[kind]

    async def open(self, path: Path) -> Conversation | None:
        """Read a trace and show it; None, and a sentence, where that cannot be.

        One that is open is shown as it is; where its file is another one now, this takes its place.
        """
        self._num_opening += 1
        try:
            return self._open_already(path) or await self._open_anew(path)
        except EngineError as error:
            self._tell(error.sentence)
            return None
        finally:
            self._num_opening -= 1
            if not self._num_opening:
                self._told.clear()

    async def save(self, chat: Conversation, reply: Reply, path: Path, kind: Format) -> bool:
        """Write a reply to a file; whether it is there. The sentence says which way it went."""
        playback = chat.playback
        opened = playback.trace if playback is not None and reply is playback.reply else None
        if opened is None and reply.started is None:
            self.said.emit(self.tr("There is nothing to save before the reply has begun."))
            return False
        if opened is not None and opened.warning and kind == "trace" and _is_same(chat, path):
            self.said.emit(
                self.tr("{0} was not read whole; save under another name to lose nothing.").format(
                    shown_name(path)
                )
            )
            return False
        held = branched(reply)
        try:
            await self._away(
                lambda _: _write(opened or trace_of(held), path, kind), self.tr("Saving")
            )
        except EngineError as error:
            self.said.emit(error.sentence)
            return False
        self.said.emit(self.tr("Saved as {0}.").format(shown_name(path)))
        return True

    def close(self) -> None:
        """Play nothing any more; what is being read is left with its task."""
        for chat in self._chats.items:
            if chat.playback is not None:
                chat.playback.close()

    async def _open(self, path: Path) -> None:
        await self.open(path)

    async def _save(self, chat: Conversation, reply: Reply, path: Path, kind: Format) -> None:
        await self.save(chat, reply, path, kind)

    def _open_already(self, path: Path) -> Conversation | None:
        """Show the trace of this file, if it is open and the file is as it was."""
        chat = self._opened_from(path)
        if chat is None or chat.stamp != _stamp(path):
            return None
        self._chats.open(chat)
        self._tell(self.tr("{0} is open already.").format(chat.title), is_refusal=False)
        return chat

    async def _open_anew(self, path: Path) -> Conversation:
        stamp = _stamp(path)
        trace = await self._away(
            lambda report: self._read(path, report), self.tr("Reading the trace")
        )
        # The same file may have been opened twice at once.
        shown = self._open_already(path)
        if shown is not None:
            return shown
        before = self._opened_from(path)
        chat = self._chat(trace, self._title(path, before))
        chat.source, chat.stamp = path, stamp
        self._chats.add(chat)
        if before is not None:
            self._chats.remove(before)
        self._tell("")
        return chat

    def _opened_from(self, path: Path) -> Conversation | None:
        return next((chat for chat in self._chats.items if _is_same(chat, path)), None)

    def _title(self, path: Path, before: Conversation | None) -> str:
        """The file's name, behind as many of its folders as tell it from other traces."""
        taken = {each.title for each in self._chats.items if each is not before}
        parts = [shown_name(Path(part)) for part in path.absolute().parts]
        names = ("/".join(parts[-count:]) for count in range(1, len(parts)))
        return next((name for name in names if name not in taken), parts[-1])

    def _tell(self, sentence: str, *, is_refusal: bool = True) -> None:
        """Say this, and what has to be said of the other files that are opened with this one."""
        # A sentence of the reader has the name as it is.
        if sentence:
            self._told[on_one_line(sentence)] = is_refusal
        shown = list(self._told)[:_MOST_SENTENCES]
        rest = sum(list(self._told.values())[_MOST_SENTENCES:])
        if rest:
            one = self.tr("1 more file was not opened.")
            shown.append(
                one if rest == 1 else self.tr("{0} more files were not opened.").format(rest)
            )
        self.said.emit(" ".join(shown))

    def _chat(self, trace: Trace, title: str) -> Conversation:
        chat = Conversation(self._chats)
        exchanges = exchanges_of(trace.started)
        notices = [trace.warning] if trace.warning is not None else []
        system = system_of(trace.started)
        if system:
            cut = system if len(system) <= _SYSTEM_LENGTH else system[:_SYSTEM_LENGTH] + "…"
            sentence = SYSTEM_PROMPT.format(cut)
            first = exchanges[0].reply.notices if len(exchanges) > 1 else notices
            first.append(sentence)
        chat.play(title, exchanges, Playback(trace, tuple(notices), chat))
        return chat

    def _read(self, path: Path, report: Report) -> Trace:
        refusal = model_file_refusal(path.name)
        if refusal:
            raise TraceError(refusal)
        size = _size(path)
        if size > MAX_TRACE_BYTES:
            limit = MAX_TRACE_BYTES // 1_000_000
            raise TraceError(
                self.tr("{0} has {1:,} MB; traces up to {2} MB can be opened.").format(
                    path.name, size // 1_000_000, limit
                )
            )
        return read_trace(path, report)

    async def _away(self, work: Callable[[Report], Result], words: str) -> Result:
        """Do it on a thread, and say how far it is where it takes long."""

        def say(share: float) -> None:
            part = self.tr(", {0:.0f} %").format(share * 100) if share else ""
            self.said.emit(f"{words}{part}")

        return await away(work, say, "traces")

    def _pause_left(self, current: Conversation) -> None:
        left, self._shown = self._shown, current
        if left.playback is not None:
            left.playback.pause()


def _is_same(chat: Conversation, path: Path) -> bool:
    """Whether this is the file that the chat was opened from."""
    source = chat.source
    return source is not None and source.exists() and path.exists() and path.samefile(source)


def _stamp(path: Path) -> tuple[int, ...]:
    """What a file is known by until it is written again; nothing where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _size(path: Path) -> int:
    """The file's size; 0 where it has none, which reading it explains."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def _write(trace: Trace | None, path: Path, kind: Format) -> None:
    assert trace is not None
    if kind == "trace":
        write_trace(path, trace.started, trace.steps, trace.finished, trace.asides)
    else:
        export_trace(trace, kind, path)
