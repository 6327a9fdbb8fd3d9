"""How one array of a recurrent layer's cache is made again for the first m tokens of a block.

A layer is a tuple of slots, one for each array in its `ArraysCache`, in order. A slot names what
must be heard during the block (`site`) and turns what was heard into the array (`rebuild`). Every
assumption is looked at before it is used: how often a function was called, that the state it was
given is the very array the cache held before, how many rows it was given. What does not fit raises
`Misfit`, whose text is a clause.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.nn.layers.convolution import Conv1d

from engine.model.local.recording import Call, Site


class Misfit(Exception):  # noqa: N818 (a finding about mlx-lm; who asked makes an error of it)
    """mlx-lm's layer did not do what its adapter is made for."""


@dataclass(frozen=True, slots=True)
class LayerBlock:
    """One layer's part of one block: the cache's arrays before it, and the calls heard in it."""

    layer: Module
    width: int
    before: tuple[mx.array | None, ...]
    calls: list[Call]

    def calls_of(self, site: Site, number: int) -> list[Call]:
        """The calls of one site, of which there must be `number`."""
        found = [call for call in self.calls if call.site == site]
        if len(found) != number:
            raise Misfit(f"{site.name} was called {len(found)} times in a layer, not {number}")
        return found


class Slot(Protocol):
    """One array of a recurrent layer's cache."""

    def site(self, layer: Module) -> Site:
        """What must be heard during the block."""
        ...

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        """The array at `index` of the cache after the first `num_tokens` (1..width)."""
        ...


def module_site(layer: Module, name: str) -> Site:
    """A function of the module that defines the layer's class, or a method: `Class.method`."""
    owner: Any = sys.modules[type(layer).__module__]
    class_name, _, function = name.rpartition(".")
    return Site(vars(owner).get(class_name, owner) if class_name else owner, function)


def argument(call: Call, name: str) -> Any:
    """An argument that must have been given."""
    if name not in call.arguments:
        raise Misfit(f"{call.site.name} was called without {name}")
    return call.arguments[name]


def rows_of(call: Call, name: str, axis: int, width: int) -> mx.array:
    """An argument that must hold one row a token along `axis`."""
    rows: mx.array = argument(call, name)
    if rows.ndim <= axis or rows.shape[axis] != width:
        raise Misfit(f"{call.site.name} was given {name} of shape {rows.shape}")
    return rows


def rows_between(rows: mx.array, axis: int, start: int, stop: int) -> mx.array:
    """Rows `start` to `stop` along `axis`."""
    return rows[(*[slice(None)] * axis, slice(start, stop))]


def check_state(call: Call, name: str, before: mx.array | None) -> None:
    """That `name` was the very array the cache held."""
    if call.arguments.get(name) is not before:
        raise Misfit(f"{call.site.name} was not given the {name} its cache held")


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A state that one call folds the whole block into; run again on its first rows.

    `rows` are the arguments with one row a token, by their axis of tokens; `masks` too, where they
    were given. `state` is the argument with the state before; the state after is item 1 of what
    comes back. `absent` arguments belong to padded batches and must not have been given.
    """

    function: str
    rows: Mapping[str, int]
    state: str = "state"
    masks: Mapping[str, int] = field(default_factory=dict)
    absent: tuple[str, ...] = ()

    def site(self, layer: Module) -> Site:
        return module_site(layer, self.function)

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        (call,) = block.calls_of(self.site(block.layer), 1)
        padded = [name for name in self.absent if call.arguments.get(name) is not None]
        if padded:
            raise Misfit(f"{call.site.name} was given {padded[0]}, as for a padded batch")
        masks = {k: axis for k, axis in self.masks.items() if call.arguments.get(k) is not None}
        kept = {
            name: rows_between(rows_of(call, name, axis, block.width), axis, 0, num_tokens)
            for name, axis in {**self.rows, **masks}.items()
        }
        check_state(call, self.state, block.before[index])
        state: mx.array = call.again(kept)[1]
        return state


_CONV = Site(Conv1d, "__call__")


@dataclass(frozen=True, slots=True)
class ConvWindow:
    """The last rows a convolution ran over: those before the block, then one a token.

    `conv` is the dotted path of the convolution within the layer.
    """

    conv: str

    def site(self, layer: Module) -> Site:
        return _CONV

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        conv: Any = block.layer
        for name in self.conv.split("."):
            conv = conv.get(name, {})
        calls = [call for call in block.calls if call.site == _CONV]
        calls = [call for call in calls if argument(call, "self") is conv]
        if len(calls) != 1:
            raise Misfit(f"the convolution {self.conv} ran {len(calls)} times in a layer")
        rows = argument(calls[0], "x")
        num_kept = rows.shape[1] - block.width
        before = block.before[index]
        if num_kept < 0 or (before is not None and before.shape[1] != num_kept):
            raise Misfit(f"the convolution {self.conv} ran over {rows.shape[1]} rows")
        # Contiguous, so that the cache does not hold on to the whole block's rows.
        return mx.contiguous(rows_between(rows, 1, num_tokens, num_tokens + num_kept))


@dataclass(frozen=True, slots=True)
class SeenRow:
    """The last row of what a function of the layer was given, kept for the next token.

    It is call `which` of the `number` made in a layer; the row kept before came in as `state`.
    """

    function: str
    rows: str
    axis: int
    which: int
    number: int
    state: str = "state"

    def site(self, layer: Module) -> Site:
        return module_site(layer, self.function)

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        call = block.calls_of(self.site(block.layer), self.number)[self.which]
        check_state(call, self.state, block.before[index])
        rows = rows_of(call, self.rows, self.axis, block.width)
        return mx.contiguous(rows_between(rows, self.axis, num_tokens - 1, num_tokens))
