"""Damaged files for every reader: `python -m tests.bench.fuzz [N] [KIND] [FIRST]`, N of each kind.

Every one must end as sound or in a sentence. What does not is kept, with its number, in the folder
that is named at the end; a number tries the same file again.
"""

import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.readers import Case, cases

SEED = 2026
_MOST_KEPT = 20


@dataclass
class Tally:
    """How the files of a kind ended, the slowest, and the failures in full."""

    ends: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)


def fuzz(kind: str, case: Case, num: int, folder: Path, first: int = 0) -> Tally:
    """Try files `first` to `first + num`, each in a folder of its own; failures stay there."""
    tally = Tally()
    for number in range(first, first + num):
        place = folder / f"{kind}-{number}"
        place.mkdir()
        start = time.perf_counter()
        try:
            end = case(random.Random(f"{SEED} {kind} {number}"), place)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted and kept
            end = f"failed: {type(error).__name__}"
            tally.failures.append(f"{kind} {number}\n{traceback.format_exc()}")
            (place / "failure.txt").write_text(tally.failures[-1])
        tally.ends[end] += 1
        tally.slowest = max(tally.slowest, (time.perf_counter() - start, number))
        if not end.startswith("failed") or len(tally.failures) > _MOST_KEPT:
            shutil.rmtree(place)
    return tally


def main() -> int:
    """Try them all, and say how they ended."""
    given = sys.argv[1:]
    num = int(given[0]) if given else 250
    first = int(given[2]) if len(given) > 2 else 0
    kept = Path(tempfile.mkdtemp(prefix="fuzz-"))
    num_failed = 0
    for kind, case in cases(kept / "seed").items():
        if len(given) > 1 and given[1] != kind:
            continue
        start = time.perf_counter()
        tally = fuzz(kind, case, num, kept, first)
        seconds, number = tally.slowest
        ends = ", ".join(f"{count} {end}" for end, count in tally.ends.most_common())
        sys.stdout.write(
            f"{kind}: {ends}; {time.perf_counter() - start:.0f} s,"
            f" the slowest {seconds:.2f} s ({number})\n"
        )
        sys.stdout.flush()
        num_failed += len(tally.failures)
        for failure in tally.failures[:3]:
            sys.stdout.write(f"{failure}\n")
    if num_failed:
        sys.stdout.write(f"{num_failed} failed; they are in {kept}\n")
        return 1
    shutil.rmtree(kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
