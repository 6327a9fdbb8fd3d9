"""Compiled files of a few bytes, and a program with modules packed into it."""

import marshal
import struct
import zlib
from collections.abc import Mapping, Sequence


def elf(wanted: Sequence[str] = ()) -> bytes:
    """A library of Linux that asks for others."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in wanted)
    at, start = 1, 64 + 2 * 56
    facts = struct.pack("<QQ", 5, start)
    for name in wanted:
        facts += struct.pack("<QQ", 1, at)
        at += len(name) + 1
    facts += bytes(16)
    size = start + len(names) + len(facts)
    head = (
        b"\x7fELF\2\1\1"
        + bytes(9)
        + struct.pack("<HHIQQQI6H", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    )
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, size, size, 4096)
    dynamic = struct.pack(
        "<IIQQQQQQ", 2, 6, start + len(names), start + len(names), 0, len(facts), len(facts), 8
    )
    return head + load + dynamic + names + facts


def mach(wanted: Sequence[str] = ()) -> bytes:
    """A library of a Mac that asks for others."""
    commands = b""
    for name in wanted:
        text = name.encode() + b"\0"
        text += bytes(-len(text) % 8)
        commands += struct.pack("<6I", 0x0C, 24 + len(text), 24, 0, 0, 0) + text
    size = 32 + 72 + len(commands) + 16
    segment = struct.pack("<II16sQQQQIIII", 0x19, 72, b"__TEXT", 0, size, 0, size, 5, 5, 0, 0)
    count, length = 1 + len(wanted), 72 + len(commands)
    head = struct.pack("<4s3I4I", b"\xcf\xfa\xed\xfe", 0x0100000C, 0, 6, count, length, 0, 0)
    return head + segment + commands + bytes(16)


def fat(thin: bytes, machine: int = 0x0100000C) -> bytes:
    """A library of a Mac for several machines, one of them this."""
    head = struct.pack(">II", 0xCAFEBABE, 1) + struct.pack(">5I", machine, 0, 64, len(thin), 0)
    return head.ljust(64, b"\0") + thin


def program(modules: Mapping[str, bytes]) -> bytes:
    """What a person starts, with modules packed into it."""
    packed, listed, at = b"", [], 12
    for name, code in modules.items():
        data = zlib.compress(code)
        listed.append((name, (0, at, len(data))))
        packed += data
        at += len(data)
    archive = b"PYZ\0\0\0\0\0" + struct.pack("!i", at) + packed + marshal.dumps(listed)
    name = b"PYZ.pyz".ljust(14, b"\0")
    entry = struct.pack("!IIIIBc", 18 + len(name), 0, len(archive), len(archive), 0, b"z") + name
    length = len(archive) + len(entry) + 88
    cookie = struct.pack(
        "!8sIIII64s", b"MEI\x0c\x0b\x0a\x0b\x0e", length, len(archive), len(entry), 313, b"lib"
    )
    return elf() + archive + entry + cookie
