"""`export`: a trace for other programs, as a Chrome trace or as CSV, to a file or to stdout."""

import io
from pathlib import Path

from engine import ExportKind, RequestError, export_trace, read_trace, write_export
from engine.terminal import output
from engine.terminal.arguments import Arguments

STDOUT = "-"


def run(arguments: Arguments) -> int:
    """Export the trace; returns the exit code."""
    kind: ExportKind = "csv" if arguments.csv is not None else "chrome"
    target = arguments.csv if arguments.csv is not None else arguments.chrome
    _require_another_file(arguments.trace_file, target)
    trace = read_trace(arguments.trace_file, on_progress=_progress)
    output.end_progress()
    if trace.warning is not None:
        output.note(trace.warning)
    if target in (None, STDOUT):
        written = io.StringIO()
        write_export(trace, kind, written)
        output.text(written.getvalue())
        return 0
    export_trace(trace, kind, target)
    steps = "1 step" if len(trace.steps) == 1 else f"{len(trace.steps):,} steps"
    output.note(f"{steps} exported to {target}.")
    return 0


def _require_another_file(trace: str | Path, target: str | Path | None) -> None:
    """Raise `RequestError` where the export would take the place of what it is made from."""
    if target is None or target == STDOUT:
        return
    source, aim = Path(trace), Path(target)
    if source.exists() and aim.exists() and source.samefile(aim):
        raise RequestError(f"{target} is the trace itself; export it to another file.")


def _progress(share: float) -> None:
    output.progress(f"Reading the trace, {share:.0%}")
