"""What a forward costs by its width: how it is timed, and what follows for prefill and pacing."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import mlx.core as mx

from engine.model.cache import Caches
from engine.model_info import Probe

# Where a block costs nearly as much as its tokens one by one, wider ones pay even less.
HOPELESS_SHARE = 0.8
CHUNK_SECONDS = 1.0
SHORTEST_CHUNK, LONGEST_CHUNK = 16, 512


class NoNumbersError(Exception):
    """The model computes NaN, or nothing finite."""


def timed_forward(model: Any, caches: Caches, tokens: Sequence[int]) -> tuple[mx.array, float]:
    """Logits [n, vocabulary] of a forward as a step runs it, and the seconds it took."""
    start = perf_counter()
    logits = model(mx.array([list(tokens)]), cache=caches.entries)[0]
    mx.eval(mx.argmax(logits, axis=-1))
    caches.evaluate()
    return logits, perf_counter() - start


def check_numbers(logits: mx.array) -> None:
    """A padded vocabulary may be masked with infinity; NaN is never meant. `NoNumbersError`."""
    has_nan = mx.any(mx.isnan(logits)).item()
    if has_nan or not mx.any(mx.isfinite(logits)).item():
        raise NoNumbersError


def is_hopeless(width: int, seconds: float, plain_seconds: float) -> bool:
    """Whether a block of this width saves next to nothing, even if all of it is accepted."""
    return width > 1 and seconds > HOPELESS_SHARE * width * plain_seconds


def width_seconds(probe: Probe) -> dict[int, float]:
    """Seconds of a forward by width. A narrower one never truly costs more than a wider one."""
    measured = {each.width: each.seconds for each in probe.widths}
    return {width: min(s for w, s in measured.items() if w >= width) for width in measured}


def prefill_chunk(seconds_by_width: dict[int, float]) -> int:
    """The longest prefill block that a cancel should have to wait for: a power of two.

    Fixed by what was known at load, not by the clock while it runs: chunk edges move last bits, and
    two replies of one loaded model must have the same ones.
    """
    if not seconds_by_width:
        return LONGEST_CHUNK
    width = max(seconds_by_width)
    fitting = int(CHUNK_SECONDS * width / seconds_by_width[width])
    return max(SHORTEST_CHUNK, min(LONGEST_CHUNK, 1 << max(0, fitting.bit_length() - 1)))
