"""Which libraries a compiled file asks for, read from the file: ELF and Mach-O, both of 64 bits."""

import struct
from collections.abc import Iterator
from pathlib import Path

_ELF, _MACH, _FAT = b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"
_ELF_HEAD = struct.Struct("<16x8xQQQ4x6H")  # entry, then where the tables are, how large, how many
_ELF_PART = struct.Struct("<IIQQQQQQ")
_ELF_FACT = struct.Struct("<QQ")
_LOAD, _DYNAMIC = 1, 2
_NEEDED, _NAMES = 1, 5
_MACH_HEAD = struct.Struct("<4s3I4I")
_SEGMENT = 0x19
_LOADED = (0x0C, 0x8000001F)  # a library, and one whose names are passed on
_ARM64 = 0x0100000C


class DamagedError(Exception):
    """A compiled file cannot be what it claims to be; `str()` says why."""


def wanted_libraries(path: Path) -> tuple[str, ...]:
    """The names it was linked with; DamagedError where it is cut short, or no compiled file."""
    data = path.read_bytes()
    try:
        if data.startswith(_ELF):
            return tuple(_elf(data))
        if data.startswith(_FAT):
            data = _slice(data)
        if data.startswith(_MACH):
            return tuple(_mach(data))
    except (struct.error, IndexError, ValueError) as error:
        raise DamagedError("it is cut short") from error
    raise DamagedError("it is no compiled file")


def _elf(data: bytes) -> Iterator[str]:
    _, parts, sections, _, size, count, section, num_sections, _ = _ELF_HEAD.unpack_from(data)
    found = [_ELF_PART.unpack_from(data, parts + at * size) for at in range(count)]
    ends = [offset + length for _, _, offset, _, _, length, _, _ in found]
    _require(data, max([*ends, sections + section * num_sections]))
    facts: list[tuple[int, int]] = []
    for kind, _, offset, _, _, length, _, _ in found:
        if kind == _DYNAMIC:
            facts += _ELF_FACT.iter_unpack(data[offset : offset + length])
    places = [value for tag, value in facts if tag == _NAMES]
    for tag, value in facts:
        if tag == _NEEDED:
            yield _text(data, _place(found, places[0]) + value)


def _place(parts: list[tuple[int, ...]], address: int) -> int:
    """Where in the file an address of memory lies."""
    for kind, _, offset, start, _, length, _, _ in parts:
        if kind == _LOAD and start <= address < start + length:
            return offset + address - start
    raise DamagedError("it contradicts itself")


def _mach(data: bytes) -> Iterator[str]:
    _, _, _, _, count, _, _, _ = _MACH_HEAD.unpack_from(data)
    at = _MACH_HEAD.size
    for _ in range(count):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == _SEGMENT:
            offset, length = struct.unpack_from("<QQ", data, at + 40)
            _require(data, offset + length)
        elif kind in _LOADED:
            (start,) = struct.unpack_from("<I", data, at + 8)
            yield _text(data, at + start)
        at += size


def _slice(data: bytes) -> bytes:
    """What a file for several machines holds for Apple silicon."""
    (count,) = struct.unpack_from(">I", data, 4)
    for at in range(count):
        kind, _, offset, size, _ = struct.unpack_from(">5I", data, 8 + 20 * at)
        if kind == _ARM64:
            _require(data, offset + size)
            return data[offset : offset + size]
    raise DamagedError("it has nothing for Apple silicon")


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def _require(data: bytes, length: int) -> None:
    if len(data) < length:
        raise DamagedError("it is cut short")
