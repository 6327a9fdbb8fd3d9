"""A watch over one verify forward: what it heard leaves the caches after any of its tokens.

Made before a block, entered around its forward and nothing else, and asked at most once afterwards
to keep the first m tokens. It holds what it heard until then; a block that is kept whole needs no
asking, and the watch is simply dropped.
"""

from types import TracebackType
from typing import Self

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache

from engine.errors import RollbackError
from engine.model.cache import Caches
from engine.model.local.attention import keeper
from engine.model.local.layers import slots_of
from engine.model.local.recording import Recording, Sites
from engine.model.local.slots import LayerBlock, Misfit


class BlockWatch:
    """One block's captured inputs, good for one `keep`."""

    def __init__(self, caches: Caches, width: int, sites: Sites) -> None:
        self._caches = caches
        self._start = caches.length
        self._width = width
        self._recurrent = [leaf for leaf in caches.leaves if type(leaf) is ArraysCache]
        self._before = [tuple(leaf.cache) for leaf in self._recurrent]
        self._keepers = [
            keeper(leaf, width) for leaf in caches.leaves if type(leaf) is not ArraysCache
        ]
        # Of a single token all or nothing is kept, and nothing has to be heard for either.
        is_heard = bool(self._recurrent) and width > 1
        self._recording = Recording(sites, self._recurrent) if is_heard else None
        self._is_used = False

    def __enter__(self) -> Self:
        if self._recording is not None:
            self._recording.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._recording is not None:
            self._recording.__exit__(kind, error, trace)

    def keep(self, num_tokens: int) -> None:
        """Leave every cache as after the first `num_tokens` (0..width) of the block.

        Raises RollbackError where a cache or a layer did something unforeseen; the caches are then
        in an unknown state.
        """
        if self._is_used:
            raise RollbackError("A block was to be rolled back twice.")
        if not 0 <= num_tokens <= self._width:
            raise RollbackError(f"A block of {self._width} tokens has no first {num_tokens}.")
        if num_tokens < self._width:
            try:
                rebuilt = self.rebuilt(num_tokens)
            except Misfit as misfit:
                raise RollbackError(f"A recurrent state was not rebuilt: {misfit}.") from misfit
            for leaf, arrays in zip(self._recurrent, rebuilt, strict=True):
                leaf.cache = list(arrays)
            for keep in self._keepers:
                keep(num_tokens)
        self._caches.settle(self._start + num_tokens)
        self._is_used, self._recording, self._before = True, None, []

    def rebuilt(self, num_tokens: int) -> list[tuple[mx.array | None, ...]]:
        """The arrays of each recurrent cache after the first `num_tokens`, in layer order.

        Made again for a whole block too. Changes nothing; raises Misfit.
        """
        if num_tokens == 0:
            return list(self._before)
        pairs = zip(self._recurrent, self._before, strict=True)
        return [self._layer_rebuilt(leaf, before, num_tokens) for leaf, before in pairs]

    def _layer_rebuilt(
        self, leaf: ArraysCache, before: tuple[mx.array | None, ...], num_tokens: int
    ) -> tuple[mx.array, ...]:
        heard = self._recording.of(leaf) if self._recording is not None else []
        if len(heard) != 1:
            raise Misfit(f"a recurrent cache was given to {len(heard)} layers that are known")
        layer = heard[0].layer
        slots = slots_of(layer) or ()
        if len(slots) != len(before):
            raise Misfit(f"a {type(layer).__name__} keeps {len(before)} arrays, not {len(slots)}")
        if leaf.lengths is not None or leaf.left_padding is not None:
            raise Misfit("the batch is padded")
        block = LayerBlock(layer, self._width, before, heard[0].calls)
        return tuple(slot.rebuild(block, i, num_tokens) for i, slot in enumerate(slots))
