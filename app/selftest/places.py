"""Checks of what is written and read: a chat, settings, a trace, and the folder of data."""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from app.selftest.check import Check, CheckError
from app.settings import Settings, read_settings, write_settings
from app.storage import ChatRecord, MessageRecord, Segment, StorageError, Store
from engine import DEMO, EngineError, read_trace

_WORD = "needle"
_CHAT = ChatRecord(
    id=1, title="Self-test", is_named=True, created=1.0, changed=2.0, is_pinned=False,
    is_archived=False, trashed=None, folder=None, model=DEMO, settings={}, draft="",
    draft_attachments=(), choice=None,
)  # fmt: skip
_MESSAGE = MessageRecord(2, 1, None, "user", 1.0, DEMO, None, (Segment("text", f"a {_WORD} 針"),))


def place_checks(data: Path, temporary: Path) -> Iterator[Check]:
    """Chats and settings are tried in a temporary folder; of `data` only that it can be written."""
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("chats", partial(_chat, temporary / "chats")),
        ("settings", partial(_settings, temporary / "settings.json")),
        ("data folder", partial(_folder, data)),
    )
    for name, check in checks:
        yield _checked(name, check)


def trace_check(path: Path) -> Check:
    """Whether the trace that was written a moment ago is read back whole."""
    return _checked("trace", partial(_trace, path))


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(True, name, check())
    except (CheckError, StorageError, EngineError) as error:
        return Check(False, name, str(error))
    except OSError as error:
        return Check(False, name, error.strerror or "the system refuses it")


def _chat(folder: Path) -> str:
    problems: list[str | None] = []
    store = Store.open(folder, problems.append)
    store.save_chat(_CHAT)
    store.save_message(_MESSAGE)
    if not store.close(10):
        raise CheckError(f"not written ({problems[-1] if problems else 'it took too long'})")
    store = Store.open(folder, problems.append)
    try:
        messages, hits = store.messages(1), store.search(_WORD)
    finally:
        store.close()
    if messages != [_MESSAGE]:
        raise CheckError("what was written is not what is read")
    if [hit.message for hit in hits] != [_MESSAGE.id]:
        raise CheckError("search does not find what was written")
    return "written, read and found"


def _settings(path: Path) -> str:
    written = Settings(theme="dark", text_size=17)
    sentence = write_settings(path, written)
    if sentence is not None:
        raise CheckError(sentence)
    read, sentence = read_settings(path)
    if sentence is not None or read != written:
        raise CheckError(sentence or "what was written is not what is read")
    return "written and read"


def _trace(path: Path) -> str:
    trace = read_trace(path)
    if trace.warning is not None or trace.finished is None:
        raise CheckError(trace.warning or "it has no end")
    return f"written and read, {len(trace.steps)} steps"


def _folder(folder: Path) -> str:
    """Write a file there and take it away; a folder that is not there yet is not made."""
    if not folder.exists():
        above = next(parent for parent in folder.parents if parent.exists())
        if not above.is_dir():
            raise CheckError(f"{folder} cannot be made: {above} is a file; move it away")
        if not os.access(above, os.W_OK):
            raise CheckError(f"{folder} cannot be made: allow writing to {above}")
        return f"{folder} can be made"
    probe = folder / f".self-test-{secrets.token_hex(8)}"
    try:
        with probe.open("xb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        reason = (error.strerror or "the system refuses it").lower()
        raise CheckError(f"{folder} cannot be written ({reason})") from error
    finally:
        probe.unlink(missing_ok=True)
    return f"{folder} can be written, {shutil.disk_usage(folder).free / 1e9:.1f} GB are free"
