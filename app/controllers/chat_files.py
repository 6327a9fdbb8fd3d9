"""Chats in files: reading within a limit, out of a ZIP too, and writing whole or not at all."""

import codecs
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import IO

from app.controllers.away import Report
from app.models.file_name import shown_name
from app.models.porting.told import PortingError
from engine import open_whole

MAX_BYTES = 500_000_000
# A ZIP that holds so much more than it weighs is made to fill memory.
_HARMLESS_BYTES, _MOST_TIMES = 50_000_000, 200
_BLOCK = 1 << 20
# The file of chats has others beside it, whose names begin alike; then the lock.
_STORE_FILES = ("chats.db", "draftscope.lock")
IsProtected = Callable[[Path], bool]


def read_chat_file(path: Path, report: Report) -> list[str]:
    """The text of a file of chats, or of those in a ZIP; `PortingError` in a whole sentence."""
    name = shown_name(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise PortingError(f"{name} is a folder; choose the file in it that holds chats.")
        if not stat.S_ISREG(mode):
            # To open a pipe would wait for whoever writes to it.
            raise PortingError(f"{name} is no ordinary file; choose the file of the export.")
        with path.open("rb") as file:
            if file.read(4) == b"PK\x03\x04":
                return _zipped(path, report)
            file.seek(0)
            return [_text(file, os.fstat(file.fileno()).st_size, name, report)]
    except FileNotFoundError:
        raise PortingError(f"{name} is not there any more.") from None
    except OSError as error:
        reason = error.strerror or "it cannot be reached"
        raise PortingError(f"{name} could not be read: {reason}.") from error
    except UnicodeDecodeError:
        raise PortingError(f"{name} holds no text, so no chats.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise PortingError(
            f"{name} is a ZIP that cannot be opened; download it once more."
        ) from None


def store_files(folder: Path) -> IsProtected:
    """Tells the files in which a data folder's chats are kept, which no export may replace."""
    home = Path(os.path.realpath(folder))

    def is_protected(path: Path) -> bool:
        target = Path(os.path.realpath(path))
        # The disks of some systems take names in capitals for the same.
        is_named_so = target.name.casefold().startswith(_STORE_FILES)
        return is_named_so and _is_same(target.parent, home)

    return is_protected


def write_whole(
    path: Path, parts: Iterable[str], is_protected: IsProtected = lambda _path: False
) -> None:
    """Write it whole or not at all, where a link leads; `PortingError` in a whole sentence."""
    target = Path(os.path.realpath(path))
    _check_target(path, target, is_protected)
    try:
        with open_whole(target) as file:
            for part in parts:
                file.write(part)
    except OSError as error:
        reason = error.strerror or "it cannot be reached"
        raise PortingError(f"{shown_name(path)} could not be written: {reason}.") from error


def _check_target(path: Path, target: Path, is_protected: IsProtected) -> None:
    """Renaming would put a file in place of whatever is there."""
    name = shown_name(path)
    if is_protected(target):
        raise PortingError(
            f"{name} is a file in which Draftscope keeps chats; choose another name."
        )
    try:
        mode = target.lstat().st_mode
    except OSError:
        # Nothing is there, or nothing can be: then writing says why.
        return
    if stat.S_ISDIR(mode):
        raise PortingError(f"{name} is a folder; choose a name for a file.")
    if not stat.S_ISREG(mode):
        raise PortingError(f"{name} is no ordinary file; choose another name.")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other


def _zipped(path: Path, report: Report) -> list[str]:
    name = shown_name(path)
    with zipfile.ZipFile(path) as archive:
        held = sorted(archive.infolist(), key=lambda each: each.filename)
        chats = [each for each in held if _holds_chats(each.filename)]
        if not chats:
            raise PortingError(f"There is no conversations.json in {name}.")
        size = sum(each.file_size for each in chats)
        if size > MAX_BYTES:
            raise _too_large(name)
        # What is said of the packed size is not believed beyond that of the file.
        packed = min(sum(each.compress_size for each in chats), path.stat().st_size)
        if size > _HARMLESS_BYTES and size > _MOST_TIMES * packed:
            raise PortingError(
                f"{name} would unpack to far more than an export holds; download it once more."
            )
        texts: list[str] = []
        for each in chats:
            with archive.open(each) as file:
                texts.append(_text(file, each.file_size, name, report))
        return texts


def _holds_chats(name: str) -> bool:
    """Large exports have them in several numbered files."""
    stem, _, suffix = PurePosixPath(name).name.partition(".")
    word, _, number = stem.partition("-")
    return suffix == "json" and word == "conversations" and (not number or number.isdecimal())


def _text(file: IO[bytes], size: int, name: str, report: Report) -> str:
    """All of it, in blocks; what a size claims is not believed."""
    if size > MAX_BYTES:
        raise _too_large(name)
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    blocks: list[str] = []
    num_bytes = 0
    while block := file.read(_BLOCK):
        num_bytes += len(block)
        if num_bytes > MAX_BYTES:
            raise _too_large(name)
        blocks.append(decoder.decode(block))
        report(num_bytes / max(size, num_bytes) / 2)
    blocks.append(decoder.decode(b"", True))
    return "".join(blocks)


def _too_large(name: str) -> PortingError:
    limit = MAX_BYTES // 1_000_000
    return PortingError(f"{name} holds more than {limit} MB; files up to that can be imported.")
