"""The self-test as a command: one line a check, and an exit status."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TextIO

from app.selftest.check import Check
from app.selftest.places import place_checks, trace_check
from app.selftest.reach import reach_checks
from app.selftest.reply import Talk, Worker
from app.selftest.rollbacks import engine_checks
from app.selftest.window import window_check
from app.storage import data_folder
from engine import VERSION, EngineWorker


def self_test(
    out: TextIO,
    folder: Path | None = None,
    make_worker: Callable[[], Worker] = EngineWorker,
    check_window: Callable[[Path, Path], Check] = window_check,
) -> int:
    """Check everything and write a line for each; 0 where all is well, else 1.

    Nothing of the person's is read or changed: of `folder`, where data lies, only whether it can
    be written is tried.
    """
    start = time.monotonic()
    num_checks = num_failed = 0
    out.write(f"Draftscope {VERSION}\n")
    for check in _checks(folder or data_folder(), make_worker, check_window):
        num_checks += 1
        num_failed += not check.is_ok
        out.write(f"{check.line}\n")
        out.flush()
    seconds = time.monotonic() - start
    failed = f"{num_failed} failed" if num_failed else "all is well"
    out.write(f"{num_checks} checks in {seconds:.1f} s: {failed}\n")
    return 1 if num_failed else 0


def _checks(
    data: Path, make_worker: Callable[[], Worker], check_window: Callable[[Path, Path], Check]
) -> Iterator[Check]:
    try:
        with tempfile.TemporaryDirectory(prefix="draftscope-self-test-") as name:
            temporary = Path(name)
            trace = temporary / "reply.jsonl"
            yield from place_checks(data, temporary)
            yield from reach_checks()
            with closing(make_worker()) as worker:
                yield from engine_checks(Talk(worker), trace)
            if trace.exists():
                yield trace_check(trace)
                yield check_window(trace, temporary)
            else:
                yield Check(False, "window", "not tried: there is no trace to open in it")
    except OSError as error:
        yield Check(False, "temporary folder", error.strerror or "the system refuses it")
