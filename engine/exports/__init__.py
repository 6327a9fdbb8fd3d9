"""A trace for other programs: as a Chrome trace, which profilers open, and as a CSV table.

Both are made from the records alone, so whoever has the trace can compute every figure again.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TextIO

from engine.exports.chrome import chrome_trace
from engine.exports.table import csv_rows, write_csv
from engine.trace import Trace, refusal
from engine.whole_file import open_whole

ExportKind = Literal["chrome", "csv"]
EXPORT_KINDS: tuple[ExportKind, ...] = ("chrome", "csv")

__all__ = ["EXPORT_KINDS", "ExportKind", "chrome_trace", "csv_rows", "export_trace", "write_export"]


def write_export(trace: Trace, kind: ExportKind, out: TextIO) -> None:
    """Write a trace in another format to an open text file."""
    _WRITERS[kind](trace, out)


def export_trace(trace: Trace, kind: ExportKind, path: Path | str) -> None:
    """Write a trace in another format, whole or not at all; `TraceError` if it cannot be."""
    try:
        with open_whole(Path(path)) as out:
            write_export(trace, kind, out)
    except (OSError, ValueError) as error:
        raise refusal(path, error, "export") from error


def _write_chrome(trace: Trace, out: TextIO) -> None:
    out.write(json.dumps(chrome_trace(trace), allow_nan=False) + "\n")


_WRITERS: dict[ExportKind, Callable[[Trace, TextIO], None]] = {
    "chrome": _write_chrome,
    "csv": write_csv,
}
