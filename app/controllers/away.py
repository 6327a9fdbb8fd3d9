"""Work on a thread of its own, with a sentence now and then on how far it is."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

WORDS_SECONDS = 0.25
Result = TypeVar("Result")
# Told how much is done, from 0 to 1; ends the work where nobody waits for it any more.
Report = Callable[[float], None]


class StoppedError(Exception):
    """Nobody waits for the work any more."""


async def away(work: Callable[[Report], Result], say: Callable[[float], None], name: str) -> Result:
    """Do it on a thread; `say` is told the share that is done, where it takes long."""
    share, stopped = 0.0, Event()

    def report(done: float) -> None:
        nonlocal share
        share = done
        if stopped.is_set():
            raise StoppedError

    executor = ThreadPoolExecutor(1, name)
    future = asyncio.wrap_future(executor.submit(work, report))
    try:
        while not (await asyncio.wait({future}, timeout=WORDS_SECONDS))[0]:
            say(share)
        return future.result()
    finally:
        stopped.set()
        future.cancel()
        executor.shutdown(wait=False)
