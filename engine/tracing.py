"""The trace of a reply while it runs, if one was asked for: a full disk must not cost the reply."""

from contextlib import suppress
from pathlib import Path
from typing import Self

from engine.errors import TraceError
from engine.events import Event
from engine.trace import TraceWriter


class Tracing:
    """Writes the events of one reply to `path`; nowhere if that is None."""

    def __init__(self, path: Path | None) -> None:
        self._writer = TraceWriter(path) if path is not None else None

    def write(self, event: Event) -> str | None:
        """Write the event; a sentence when the trace ends here because it cannot be written."""
        if self._writer is None:
            return None
        try:
            self._writer.write(event)
        except TraceError as error:
            self.close()
            return f"The rest of the trace is lost: {error.sentence}"
        return None

    def close(self) -> None:
        """Close the file; a failure to close was already said by `write`."""
        if self._writer is not None:
            with suppress(TraceError):
                self._writer.close()
            self._writer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
