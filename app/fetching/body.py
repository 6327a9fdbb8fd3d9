"""The bytes of a response as they come, with a word now and then while nothing comes."""

import select
import ssl
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from app.fetching.connection import SetbackError, plain_errors
from app.fetching.halt import Halt
from app.fetching.outside import number_in

_SLICE_SECONDS = 0.1


class Body:
    """Reads a response; `tick` is called while it waits, and silence ends in a SetbackError.

    A read that blocks cannot be interrupted, so the socket is asked first whether there is
    something. Where there is no knowing (no length, no socket), each read is an errand.
    """

    def __init__(
        self, response: Any, halt: Halt, stall_seconds: float, tick: Callable[[], None]
    ) -> None:
        self._response, self._halt = response, halt
        self._stall_seconds, self._tick = stall_seconds, tick

    def __iter__(self) -> Iterator[bytes]:
        with plain_errors():
            chunks = iter(self._response.iter_bytes())
            length = number_in(self._response.headers.get("content-length", ""))
        socket = self._socket()
        # The first read may be served from what came with the headers.
        read = partial(self._read, chunks)
        chunk = self._halt.run(read, tick=self._tick)
        come = 0
        while chunk:
            come += len(chunk)
            yield chunk
            if length is not None and length <= come:
                return
            if socket is None or length is None:
                chunk = self._halt.run(read, tick=self._tick)
            else:
                self._await(socket)
                chunk = self._read(chunks)

    def _socket(self) -> Any:
        stream = self._response.extensions.get("network_stream")
        return None if stream is None else stream.get_extra_info("socket")

    def _read(self, chunks: Iterator[bytes]) -> bytes:
        with plain_errors():
            return next(chunks, b"")

    def _await(self, socket: Any) -> None:
        if isinstance(socket, ssl.SSLSocket) and socket.pending():
            self._halt.check()
            return
        poll = select.poll()
        poll.register(socket, select.POLLIN)
        deadline = time.monotonic() + self._stall_seconds
        while not poll.poll(_SLICE_SECONDS * 1000):
            self._halt.check()
            self._tick()
            if time.monotonic() >= deadline:
                raise SetbackError("stalled", "Nothing came from the hub for a while.")
        self._halt.check()
