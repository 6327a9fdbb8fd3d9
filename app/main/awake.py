"""Keeps a Mac from putting the app to sleep while a reply is written; elsewhere nothing.

macOS slows down the timers of an app whose window is covered ("App Nap"), and sleeps when nobody
types. An activity, begun and ended over the Objective-C runtime, says that work is going on.
"""

import ctypes
import platform
from collections.abc import Callable
from typing import Any, Protocol

# NSActivityUserInitiated: no App Nap, and no sleep while nobody types.
_USER_INITIATED = 0x00FFFFFF
_REASON = b"A reply is being written"
_OBJC = "/usr/lib/libobjc.A.dylib"
_ID = ctypes.c_void_p


class Library(Protocol):
    """What `ctypes.CDLL` does: a fresh function at every asking, so that each has its own types."""

    def __getitem__(self, name: str, /) -> Any: ...


class Awake:
    """One activity at most; made with the runtime of Objective-C, or with nothing."""

    def __init__(self, library: Library | None) -> None:
        self._library = library
        self._activity: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether sleep is kept off now."""
        return self._activity is not None

    def follow(self, owner: object | None) -> None:
        """Something runs, or nothing does."""
        if owner is not None:
            self.begin()
        else:
            self.end()

    def begin(self) -> None:
        """Keep sleep off from here on."""
        if self._library is None or self._activity is not None:
            return
        info = self._process_info()
        make_text = self._send(_ID, ctypes.c_char_p)
        reason = make_text(self._class(b"NSString"), self._name(b"stringWithUTF8String:"), _REASON)
        start = self._send(_ID, ctypes.c_uint64, _ID)
        name = self._name(b"beginActivityWithOptions:reason:")
        token = start(info, name, _USER_INITIATED, reason)
        if token:
            # It belongs to the pool of this turn of the loop; it has to outlive it.
            self._activity = self._send(_ID)(token, self._name(b"retain"))

    def end(self) -> None:
        """Let it sleep again."""
        token, self._activity = self._activity, None
        if token is None:
            return
        self._send(None, _ID)(self._process_info(), self._name(b"endActivity:"), token)
        self._send(None)(token, self._name(b"release"))

    def _process_info(self) -> int | None:
        found: int | None = self._send(_ID)(
            self._class(b"NSProcessInfo"), self._name(b"processInfo")
        )
        return found

    def _class(self, name: bytes) -> int | None:
        found: int | None = self._function("objc_getClass", _ID, ctypes.c_char_p)(name)
        return found

    def _name(self, name: bytes) -> int | None:
        found: int | None = self._function("sel_registerName", _ID, ctypes.c_char_p)(name)
        return found

    def _send(self, result: Any, *arguments: Any) -> Callable[..., Any]:
        """A message's function in its own types: on Apple's chips a variadic call goes astray."""
        return self._function("objc_msgSend", result, _ID, _ID, *arguments)

    def _function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        assert self._library is not None
        function: Any = self._library[name]
        function.restype, function.argtypes = result, list(arguments)
        made: Callable[..., Any] = function
        return made


def awake() -> Awake:
    """What this system has of it."""
    if platform.system() != "Darwin":
        return Awake(None)
    try:
        return Awake(ctypes.CDLL(_OBJC))
    except OSError:
        return Awake(None)
