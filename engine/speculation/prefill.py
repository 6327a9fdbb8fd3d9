"""The prompt into the caches: in chunks, and halting where a snapshot is wanted."""

from collections.abc import Callable, Iterator, Sequence

import mlx.core as mx

from engine.model.timeline import Timeline
from engine.speculation.verify import Target, forward


def fill(
    target: Target,
    timeline: Timeline,
    tokens: Sequence[int],
    chunk: int,
    find_boundaries: Callable[[], Sequence[int]],
    is_cancelled: Callable[[], bool],
) -> Iterator[int]:
    """Run what the caches lack of `tokens`, at most `chunk` at a time.

    Yields how many they hold, at first and after every forward. The places `find_boundaries` names
    (asked only if there is something to run, and snapshots are taken) end a block, as the end does.
    """
    caches = timeline.caches
    yield caches.length
    is_halting = timeline.is_recording and caches.length < len(tokens)
    places = find_boundaries() if is_halting else ()
    while caches.length < len(tokens) and not is_cancelled():
        stop = min((place for place in places if place > caches.length), default=len(tokens))
        block = tokens[caches.length : min(caches.length + chunk, stop)]
        forward(target, caches, mx.array(list(block)))
        caches.evaluate()
        if caches.length == stop:
            timeline.mark(is_boundary=True)
        timeline.mark_on_the_way()
        mx.clear_cache()
        yield caches.length
    if caches.length == len(tokens):
        timeline.mark(is_boundary=True)
