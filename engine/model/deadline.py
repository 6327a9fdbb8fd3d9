"""A time limit for code that a model folder brings along: chat templates, which are programs."""

import contextlib
import sys
from collections.abc import Iterator
from time import perf_counter
from types import FrameType
from typing import Any

_TEMPLATE_FILE = "<template>"  # jinja's name for the code it makes of a template


class DeadlineError(Exception):
    """The time is over and the code was still running."""


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `DeadlineError` inside the block, in this thread, once `seconds` have passed.

    Looks at the clock at every call, and at every line of a template. One long operation in C
    is not interrupted. A debugger's or a coverage tool's own trace is put back afterwards.
    """
    end = perf_counter() + seconds

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        if perf_counter() > end:
            raise DeadlineError
        return trace if frame.f_code.co_filename == _TEMPLATE_FILE else None

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(previous)
