"""What a forward costs by its width, measured on the loaded weights on this machine."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import mlx.core as mx

from engine.model.cache import Caches

WIDTHS = (1, 2, 4, 8, 16)
CONTEXT_LENGTH = 64
REPEATS = 2
# Where a block costs nearly as much as its tokens one by one, wider ones need not be measured.
HOPELESS_SHARE = 0.8
CHUNK_SECONDS = 1.0
SHORTEST_CHUNK, LONGEST_CHUNK = 16, 512


class NoNumbersError(Exception):
    """The model computes NaN, or nothing finite."""


def measure_width_seconds(
    model: Any, entries: list[Any], is_cancelled: Callable[[], bool] = lambda: False
) -> dict[int, float]:
    """Seconds of a forward by width, the best of a few, behind a short context.

    `entries` are fresh caches and are used up. Best-of because only interruptions add time.
    Raises `NoNumbersError` for a model that gives none.
    """
    caches = Caches(entries)
    _check_numbers(model(mx.zeros((1, CONTEXT_LENGTH), mx.int32), cache=caches.entries))
    caches.evaluate()
    seconds: dict[int, float] = {}
    for width in WIDTHS:
        if is_cancelled():
            break
        _timed_forward(model, caches, width)
        seconds[width] = min(_timed_forward(model, caches, width) for _ in range(REPEATS))
        if width > 1 and seconds[width] > HOPELESS_SHARE * width * seconds[1]:
            break
    # A narrower forward never truly costs more than a wider one.
    return {width: min(s for w, s in seconds.items() if w >= width) for width in seconds}


def prefill_chunk(seconds_by_width: dict[int, float]) -> int:
    """The longest prefill block that a cancel should have to wait for: a power of two.

    Fixed by what was measured at load, not by the clock while it runs: chunk edges move last bits,
    and two replies of one loaded model must have the same ones.
    """
    if not seconds_by_width:
        return LONGEST_CHUNK
    width = max(seconds_by_width)
    fitting = int(CHUNK_SECONDS * width / seconds_by_width[width])
    return max(SHORTEST_CHUNK, min(LONGEST_CHUNK, 1 << max(0, fitting.bit_length() - 1)))


def _check_numbers(logits: mx.array) -> None:
    """A padded vocabulary may be masked with infinity; NaN is never meant."""
    has_nan = mx.any(mx.isnan(logits)).item()
    if has_nan or not mx.any(mx.isfinite(logits)).item():
        raise NoNumbersError


def _timed_forward(model: Any, caches: Caches, width: int) -> float:
    start = perf_counter()
    logits = model(mx.zeros((1, width), mx.int32), cache=caches.entries)
    mx.eval(mx.argmax(logits[0], axis=-1))
    caches.evaluate()
    return perf_counter() - start
