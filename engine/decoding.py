"""Event records back from plain JSON values, by the type hints of their dataclasses.

Strict on purpose: a value of the wrong kind is an error, never coerced, so that what is read back
equals what was written. Each kind's decoder is put together once, since a long trace has millions
of values. Only for files of a newer version there are stand-ins for names that came up since.
"""

import dataclasses
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
Decode = Callable[[Any], Any]
_ECHO = 40


class Decoder:
    """Builds event records from plain JSON; `ValueError` where the two disagree.

    `unknown` collects keys that the records do not have. With `stand_ins` (by kind of Literal) an
    unknown name becomes the one given there, or None where that is allowed; `replaced` says which.
    """

    def __init__(self, stand_ins: Mapping[Any, str] | None = None) -> None:
        self.unknown: set[str] = set()
        self.replaced: set[str] = set()
        self._stand_ins = stand_ins
        self._decoders: dict[Any, Decode] = {}

    def record(self, kind: type[Record], value: object) -> Record:
        """The dataclass `kind` from a JSON object."""
        result: Record = self._of(kind)(value)
        return result

    def _of(self, kind: Any) -> Decode:
        if kind not in self._decoders:
            self._decoders[kind] = self._made(kind)
        return self._decoders[kind]

    def _made(self, kind: Any) -> Decode:
        origin, parts = get_origin(kind), get_args(kind)
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            return self._object(kind)
        if origin in (Union, UnionType):
            (inner,) = (part for part in parts if part is not NoneType)
            return self._optional(inner)
        if origin is Literal:
            return self._choice(kind, is_optional=False)
        if origin is tuple:
            return self._row(parts[0]) if parts[-1] is Ellipsis else self._fixed(parts)
        if origin is dict:
            return self._counts(self._of(parts[1]))
        return _number if kind is float else _exact(kind)

    def _object(self, kind: type[Any]) -> Decode:
        fields = {name: self._of(hint) for name, hint in get_type_hints(kind).items()}

        def decode(value: Any) -> Any:
            if type(value) is not dict:
                raise ValueError(f"{kind.__name__} is not an object")
            parts = {name: read(value[name]) for name, read in fields.items() if name in value}
            if len(parts) != len(value):
                self.unknown.update(name[:_ECHO] for name in value.keys() - parts.keys())
            try:
                return kind(**parts)
            except TypeError as error:
                raise ValueError(f"{kind.__name__} lacks a field") from error

        return decode

    def _optional(self, kind: Any) -> Decode:
        is_choice = get_origin(kind) is Literal
        read = self._choice(kind, is_optional=True) if is_choice else self._of(kind)
        return lambda value: None if value is None else read(value)

    def _choice(self, kind: Any, *, is_optional: bool) -> Decode:
        names = frozenset(get_args(kind))

        def decode(value: Any) -> Any:
            if type(value) is not str:
                raise ValueError("a name is not a text")
            return value if value in names else self._stand_in(kind, value, is_optional)

        return decode

    def _stand_in(self, kind: Any, value: str, is_optional: bool) -> str | None:
        name = None if self._stand_ins is None else self._stand_ins.get(kind)
        if self._stand_ins is None or (name is None and not is_optional):
            raise ValueError(f"the name {value[:_ECHO]!r} is not known")
        read_as = "left out" if is_optional else f"read as {name}"
        self.replaced.add(f"{value[:_ECHO]!r} ({read_as})")
        return None if is_optional else name

    def _row(self, kind: Any) -> Decode:
        read, alike = self._of(kind), {kind}

        def decode(value: Any) -> tuple[Any, ...]:
            if type(value) is not list:
                raise ValueError("a list is not a list")
            if kind in (int, float, str) and set(map(type, value)) <= alike:
                return tuple(value)
            return tuple(map(read, value))

        return decode

    def _fixed(self, kinds: tuple[Any, ...]) -> Decode:
        reads = tuple(self._of(kind) for kind in kinds)

        def decode(value: Any) -> tuple[Any, ...]:
            if type(value) is not list or len(value) != len(reads):
                raise ValueError(f"a list does not have {len(reads)} items")
            return tuple([read(item) for read, item in zip(reads, value, strict=True)])

        return decode

    def _counts(self, read: Decode) -> Decode:
        def decode(value: Any) -> dict[int, Any]:
            if type(value) is not dict:
                raise ValueError("counts are not an object")
            return {int(key): read(item) for key, item in value.items()}

        return decode


def _exact(kind: type[Any]) -> Decode:
    def decode(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"a value is not of {kind.__name__}")
        return value

    return decode


def _number(value: Any) -> float:
    if type(value) is float:
        return value
    if type(value) is int or value in ("inf", "-inf", "nan"):
        return float(value)
    raise ValueError("a value is not a number")
