"""Event records as plain JSON values and back, by the type hints of their dataclasses.

Strict on purpose: a value of the wrong kind is an error, never coerced, so that what is read back
equals what was written.
"""

import dataclasses
import math
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


def spelled(value: Any) -> Any:
    """The value with infinities and NaN as strings, which `RecordDecoder` takes back."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [spelled(item) for item in value]
    return value


class RecordDecoder:
    """Builds event records from plain JSON by type hints; `ValueError` where they disagree."""

    def __init__(self) -> None:
        self.unknown: set[str] = set()
        self._kinds: dict[str, dict[str, Any]] = {}

    def record(self, kind: type[Record], value: object) -> Record:
        """The dataclass `kind` from a JSON object; keys it does not have are noted in `unknown`."""
        given = value if isinstance(value, dict) else None
        if given is None:
            raise ValueError(f"{kind.__name__} is not an object")
        kinds = self._field_kinds(kind)
        self.unknown.update(str(key) for key in given.keys() - kinds.keys())
        parts = {name: self._value(kinds[name], given[name]) for name in kinds if name in given}
        try:
            return kind(**parts)
        except TypeError as error:
            raise ValueError(f"{kind.__name__} lacks a field") from error

    def _field_kinds(self, kind: type[Any]) -> dict[str, Any]:
        name = kind.__name__
        if name not in self._kinds:
            self._kinds[name] = get_type_hints(kind)
        return self._kinds[name]

    def _value(self, kind: Any, value: object) -> Any:
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            return self.record(kind, value)
        if kind is float:
            return _number(value)
        if get_origin(kind) is not None:
            return self._composed(kind, value)
        if type(value) is not kind:
            raise ValueError(f"{value!r} is not of {kind}")
        return value

    def _composed(self, kind: Any, value: object) -> Any:
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            (inner,) = (part for part in parts if part is not NoneType)
            return None if value is None else self._value(inner, value)
        if origin is Literal and value in parts:
            return value
        if origin is tuple and isinstance(value, list):
            return self._tuple(parts, value)
        if origin is dict and isinstance(value, dict):
            return {int(key): self._value(parts[1], item) for key, item in value.items()}
        raise ValueError(f"{value!r} is not of {kind}")

    def _tuple(self, parts: tuple[Any, ...], value: list[Any]) -> tuple[Any, ...]:
        if parts[-1] is Ellipsis:
            return tuple(self._value(parts[0], item) for item in value)
        return tuple(self._value(part, item) for part, item in zip(parts, value, strict=True))


def _number(value: object) -> float:
    if type(value) in (int, float) or value in ("inf", "-inf", "nan"):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError as error:
            raise ValueError("a number is too large") from error
    raise ValueError(f"{value!r} is not a number")
