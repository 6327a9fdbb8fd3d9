"""Sleep is kept off while something runs: what is said to the runtime, in which types."""

import ctypes

import pytest

from app.main.awake import Awake


class Function:
    """A function of a library: checks its arguments as ctypes would, and writes down the call."""

    def __init__(self, library, name) -> None:
        self.library, self.name = library, name
        self.restype, self.argtypes = ctypes.c_int, None

    def __call__(self, *arguments):
        assert len(arguments) == len(self.argtypes)
        for kind, argument in zip(self.argtypes, arguments, strict=True):
            kind.from_param(argument)
        return self.library.call(self, arguments)


class Runtime:
    """Objective-C's runtime as far as it is used; handles are numbers beyond 32 bits."""

    def __init__(self) -> None:
        self.names: dict[int, bytes] = {}
        self.said: list[tuple] = []

    def __getitem__(self, name):
        return Function(self, name)

    def handle(self, name: bytes) -> int:
        known = {each: number for number, each in self.names.items()}
        number = known.get(name, 0x1_0000_0000 + len(self.names))
        self.names[number] = name
        return number

    def call(self, function, arguments):
        if function.name in ("objc_getClass", "sel_registerName"):
            assert function.restype is ctypes.c_void_p
            return self.handle(arguments[0])
        to, selector, *rest = arguments
        selector = self.names[selector]
        self.said.append((self.names[to], selector, *(self.names.get(r, r) for r in rest)))
        if function.restype is None:
            return None
        # A handle cut to 32 bits would be another one.
        assert function.restype is ctypes.c_void_p
        made = {b"beginActivityWithOptions:reason:": b"token", b"retain": b"token"}
        return self.handle(made.get(selector, b"a " + selector))


def test_one_activity_while_something_runs():
    runtime = Runtime()
    awake = Awake(runtime)
    awake.follow(object())
    assert awake.is_held
    info = b"a processInfo"
    assert runtime.said == [
        (b"NSProcessInfo", b"processInfo"),
        (b"NSString", b"stringWithUTF8String:", b"A reply is being written"),
        (info, b"beginActivityWithOptions:reason:", 0x00FFFFFF, b"a stringWithUTF8String:"),
        (b"token", b"retain"),
    ]
    runtime.said.clear()
    awake.follow(object())
    assert runtime.said == []
    awake.follow(None)
    assert runtime.said == [
        (b"NSProcessInfo", b"processInfo"),
        (info, b"endActivity:", b"token"),
        (b"token", b"release"),
    ]
    assert not awake.is_held
    awake.end()
    assert len(runtime.said) == 3


def test_elsewhere_nothing_is_said():
    awake = Awake(None)
    awake.begin()
    assert not awake.is_held
    awake.end()


def test_a_refused_activity_is_none(monkeypatch: pytest.MonkeyPatch):
    runtime = Runtime()
    call = runtime.call

    def refuse(function, arguments):
        result = call(function, arguments)
        return None if runtime.said and runtime.said[-1][1].startswith(b"begin") else result

    monkeypatch.setattr(runtime, "call", refuse)
    awake = Awake(runtime)
    awake.begin()
    assert not awake.is_held
