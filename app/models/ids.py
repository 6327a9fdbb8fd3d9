"""Names of things that are kept: numbers that no other thing has, in order of their making."""

import random
import time

_RANDOM_BITS = 20


class _Ids:
    """Milliseconds, so that later things come later, and chance, so that chats brought in from
    elsewhere do not meet others; never lower than the one before."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self) -> int:
        fresh = (time.time_ns() // 1_000_000) << _RANDOM_BITS | random.getrandbits(_RANDOM_BITS)
        self._last = max(self._last + 1, fresh)
        return self._last


_ids = _Ids()


def new_id() -> int:
    """A number for a new chat, message or folder; fits SQLite's 63 bits, and follows the last."""
    return _ids()
