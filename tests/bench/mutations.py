"""Damage to files, by chance and repeatable: of their bytes, and of the JSON that is in them."""

import json
import random
from typing import Any

# As text, since some of it no JSON writer would write.
ODD_VALUES = (
    "null", "true", "[]", "{}", '""', "-1", "0", "0.5", "1e999", "-1e999", "NaN", "Infinity",
    str(2**31), str(2**63), str(2**64), "9" * 400, "9" * 5_000, '"x"', '"\\ud800"', '"\\u0000"',
    '"' + "long " * 5_000 + '"', "[" * 200 + "]" * 200, "[" * 100_000 + "]" * 100_000,
    '{"a":' * 2_000 + "1" + "}" * 2_000, "[1, 2, 3]", '{"0": {"1": []}}', '["a", null, 5]',
    '"../../../etc/passwd"', '"\\n\\r\\u2028"', "1.0", "-0.0",
)  # fmt: skip
_MARK = "\ufffemark\ufffe"


def damaged(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """One to three deeds on the bytes; `other` is a sound file of the same kind."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = chance.choice(_DEEDS)(chance, data, other)
    return data


def damaged_json(chance: random.Random, text: bytes) -> bytes:
    """JSON, or one line of JSON lines, in which a value is another, or a name is gone or new."""
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines)) if _are_lines(lines) else None
    value = json.loads(text if at is None else lines[at])
    for _ in range(chance.choice((1, 1, 2))):
        value = _changed(chance, value)
    changed = json.dumps(value)
    while f'"{json.dumps(_MARK)[1:-1]}"' in changed:
        changed = changed.replace(f'"{json.dumps(_MARK)[1:-1]}"', chance.choice(ODD_VALUES), 1)
    if at is None:
        return changed.encode()
    return b"".join((*lines[:at], changed.encode() + b"\n", *lines[at + 1 :]))


def _are_lines(lines: list[bytes]) -> bool:
    return len(lines) > 1 and all(line.startswith(b"{") for line in lines)


def _changed(chance: random.Random, value: Any) -> Any:
    """The value with something inside it replaced; a scalar goes as a whole."""
    if isinstance(value, dict) and value and chance.random() < 0.95:
        key = chance.choice(list(value))
        deed = chance.random()
        if deed < 0.1:
            return {name: item for name, item in value.items() if name != key}
        if deed < 0.15:
            return value | {key + "x": value[key], "unknown": _MARK}
        return value | {key: _changed(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        deed = chance.random()
        if deed < 0.1:
            return value[:at] + value[at + 1 :]
        if deed < 0.2:
            return value[:at] + [value[at]] * chance.choice((2, 50)) + value[at:]
        return [*value[:at], _changed(chance, value[at]), *value[at + 1 :]]
    if type(value) is int and chance.random() < 0.3:
        return value + chance.choice((-1, 1, -1000, 1000, 2**32, -(2**40)))
    return _MARK


def _flip(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 4, 40))):
        if changed:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _behead(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    return data[chance.randrange(len(data) + 1) :]


def _zero(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(chance, data)
    return data[:start] + bytes([chance.choice((0, 255))]) * (end - start) + data[end:]


def _drop(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(chance, data)
    return data[:start] + data[end:]


def _repeat(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    start, end = _range(chance, data)
    return data[:end] + data[start:]


def _splice(chance: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = _range(chance, other)
    at = chance.randrange(len(data) + 1)
    over = chance.choice((0, end - start))
    return data[:at] + other[start:end] + data[at + over :]


def _noise(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    noise = chance.randbytes(chance.choice((1, 8, 100)))
    return data[:at] + noise + data[at + chance.choice((0, len(noise))) :]


def _number(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """A number of the file's binary parts becomes one at its limits."""
    width = chance.choice((1, 2, 4, 8))
    number = chance.choice((0, 1, 2 ** (width * 8) - 1, 2 ** (width * 8 - 1)))
    at = chance.choice((0, 8, 16, 28, 100, chance.randrange(len(data) + 1)))
    order = "little" if chance.random() < 0.5 else "big"
    return data[:at] + number.to_bytes(width, order) + data[at + width :]


def _range(chance: random.Random, data: bytes) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    length = chance.choice((1, 16, 256, 4096, len(data)))
    return start, min(start + chance.randint(0, length), len(data))


_DEEDS = (_flip, _flip, _cut, _behead, _zero, _drop, _repeat, _splice, _noise, _number)
