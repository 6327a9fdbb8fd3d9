"""The settings of a model's configuration, read as strictly as sizes must be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_LARGEST = 2**31
_MOST_LAYERS = 4096


class Unclear(Exception):  # noqa: N818 (an outcome: the caller then says that it is not known)
    """A size cannot be told from this configuration."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A section of config.json and the bytes a cached number has in memory."""

    section: Mapping[str, Any]
    width: int

    def count(self, *names: str, default: int | None = None) -> int:
        """The first of `names` that is set, a whole number above 0."""
        for name in names:
            value = self.section.get(name)
            if value is not None:
                return _count(name, value)
        if default is None:
            raise Unclear(f"{names[0]} is not said")
        return default

    def has(self, name: str) -> bool:
        """Whether `name` is set, to anything but null."""
        return self.section.get(name) is not None

    def listed(self, *names: str) -> list[Any] | None:
        """The first of `names` that is a list; None where none is."""
        found = (self.section.get(name) for name in names)
        return next((list(value) for value in found if isinstance(value, (list, tuple))), None)

    def below(self, name: str) -> "Settings":
        """The settings in the section `name`."""
        section = self.section.get(name)
        if not isinstance(section, Mapping):
            raise Unclear(f"{name} is no section")
        return Settings(section, self.width)

    @property
    def num_layers(self) -> int:
        return self._layer_count("num_hidden_layers", "n_layer", "n_layers", "num_layers")

    def _layer_count(self, *names: str) -> int:
        number = self.count(*names)
        if number > _MOST_LAYERS:
            raise Unclear(f"{number} layers")
        return number

    @property
    def heads(self) -> int:
        return self.count("num_attention_heads", "n_head", "n_heads", "num_heads")

    @property
    def kv_heads(self) -> int:
        """As many as queries have, where nothing else is said."""
        return self.count("num_key_value_heads", "n_kv_heads", "num_kv_heads", default=self.heads)

    @property
    def hidden(self) -> int:
        return self.count("hidden_size", "n_embd", "d_model", "hidden_dim")

    @property
    def shared_dim(self) -> int:
        """The width of a head in models that share the hidden size out among their heads."""
        return self.hidden // self.heads

    @property
    def head_dim(self) -> int:
        """The width of a head as it is set, or else shared out."""
        return self.count("head_dim") if self.has("head_dim") else self.shared_dim


def _count(name: str, value: object) -> int:
    if type(value) is not int or not 0 < value < _LARGEST:
        raise Unclear(f"{name} is {value!r:.80}")
    return value
