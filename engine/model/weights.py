"""Reads a model's weights into memory, in small groups, between which loading can be ended."""

from collections.abc import Iterator
from time import perf_counter

import mlx.core as mx
from mlx.nn.layers.base import Module

from engine.errors import WeightsError
from engine.model.describe import weight_arrays
from engine.model.faults import Translated
from engine.model.model_folder import ModelFolder

# A group grows while it is read quickly and shrinks where the disk is slow.
_FIRST_GROUP, _LARGEST_GROUP = 16 * 2**20, 256 * 2**20
_QUICK_SECONDS, _SLOW_SECONDS = 0.02, 0.05


def read_weights(model: Module, folder: ModelFolder) -> Iterator[tuple[int, int]]:
    """The bytes that are read so far, 0 at first, and all there are."""
    arrays = weight_arrays(model)
    total = sum(array.nbytes for array in arrays)
    done, most = 0, _FIRST_GROUP
    yield done, total
    sentence = f"The weights of {folder.name} cannot be read; is there enough memory?"
    while arrays:
        group = [arrays.pop()]
        size = group[0].nbytes
        while arrays and size + arrays[-1].nbytes <= most:
            group.append(arrays.pop())
            size += group[-1].nbytes
        began = perf_counter()
        with Translated(WeightsError, sentence):
            mx.eval(group)
        spent = perf_counter() - began
        if spent > _SLOW_SECONDS:
            most //= 2
        elif spent < _QUICK_SECONDS:
            most = min(most * 2, _LARGEST_GROUP)
        done += size
        yield done, total
