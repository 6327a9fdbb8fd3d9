"""Which file each reply's trace is written to, where the command line asked for traces."""

from pathlib import Path


class TraceNames:
    """`first` is the file that was asked for; None where none was."""

    def __init__(self) -> None:
        self.first: Path | None = None
        self._num = 0

    def next(self) -> Path | None:
        """The file that was asked for, then new numbered ones beside it."""
        if self.first is None:
            return None
        self._num += 1
        if self._num == 1:
            return self.first
        while (path := self._numbered(self.first)).exists():
            self._num += 1
        return path

    def _numbered(self, first: Path) -> Path:
        return first.with_stem(f"{first.stem}-{self._num}")
