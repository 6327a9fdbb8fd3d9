"""The Python modules inside the program: PyInstaller packs them, and hides them from a search."""

import marshal
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

# Where the packed part ends: magic, its length, place and length of its list, Python, library.
_COOKIE = struct.Struct("!8sIIII64s")
_MAGIC = b"MEI\x0c\x0b\x0a\x0b\x0e"
# An entry of that list: its own length, place, packed and unpacked length, packed or not, kind.
_ENTRY = struct.Struct("!IIIIBc")
_MODULES = b"z"
# The modules: magic, Python's own, place of their list.
_HEAD = struct.Struct("!4s4si")
_HEAD_MAGIC = b"PYZ\0"


class ArchiveError(Exception):
    """The program holds no modules that could be read; `str()` says why."""


def packed_modules(program: Path) -> Iterator[tuple[str, bytes]]:
    """Each module's name and code, unpacked."""
    data = program.read_bytes()
    try:
        start = _modules_start(data)
        magic, _, place = _HEAD.unpack_from(data, start)
        if magic != _HEAD_MAGIC:
            raise ArchiveError("its modules are not where it says")
        for name, (_, offset, length) in marshal.loads(data[start + place :]):
            code = data[start + offset : start + offset + length]
            # A package without a file of its own has no code.
            yield name, zlib.decompress(code) if length else b""
    except (struct.error, zlib.error, EOFError, ValueError, TypeError) as error:
        raise ArchiveError(f"its modules cannot be read ({error})") from error


def _modules_start(data: bytes) -> int:
    """Where the packed modules begin in the program."""
    end = data.rfind(_MAGIC)
    if end < 0:
        raise ArchiveError("nothing is packed into it")
    _, length, place, size, _, _ = _COOKIE.unpack_from(data, end)
    start = end + _COOKIE.size - length
    at = start + place
    while at < start + place + size:
        entry, offset, _, _, _, kind = _ENTRY.unpack_from(data, at)
        if kind == _MODULES:
            return start + offset
        at += max(entry, _ENTRY.size)
    raise ArchiveError("no modules are packed into it")
