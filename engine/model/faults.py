"""Faults of the libraries that read a model folder, turned into this engine's sentences."""

from contextlib import suppress
from types import FrameType, TracebackType

from engine.errors import ModelError

# A panic in Rust code; its class cannot be imported and is no `Exception`.
_PANIC = "PanicException"

# What mlx, mlx-lm, transformers and jinja raise when a file's content surprises them.
_CONTENT_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Translated:
    """Context manager: a content fault inside it leaves as `kind` with `sentence`.

    The Rust tokenizers raise bare `Exception` for a file they cannot read; that exact type counts,
    and so does a panic of theirs.
    """

    def __init__(self, kind: type[ModelError], sentence: str) -> None:
        self._kind = kind
        self._sentence = sentence

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        fault_type: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if fault_type is None:
            return
        is_rust = fault_type is Exception or fault_type.__name__ == _PANIC
        if is_rust or issubclass(fault_type, _CONTENT_FAULTS):
            details = f"{fault_type.__name__}: {fault}"
            raise self._kind(self._sentence, details) from fault


def empty_frames(fault: BaseException) -> None:
    """Take `fault` its traceback, and the frames of that what they hold, as far as they have ended.

    Jinja keeps what it raises in frames that the traceback leads to: a cycle that would hold all
    callers' frames, and in them the model and its caches, until somebody collects garbage.
    """
    trace = fault.__traceback__
    while trace is not None:
        frame: FrameType | None = trace.tb_frame
        with suppress(RuntimeError):  # the first one that still runs, and so do its callers
            while frame is not None:
                frame.clear()
                frame = frame.f_back
        trace = trace.tb_next
    fault.__traceback__ = None
