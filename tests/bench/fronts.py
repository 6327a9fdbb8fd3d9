"""Decoding under the open window against the terminal: `python -m tests.bench.fronts [WORD ...]`.

Set QT_QPA_PLATFORM=offscreen where there is no screen. Prints, and judges nothing. The words, in
any order: a number of rounds (20), panes (`live`, `step`, `compare`, `settings`, `closed`; live),
runs (`auto`, `plain`, `drafts`; all three).

A round has one reply of each front, and two of the terminal: what the terminal differs from itself
by is what the machine does. All ask one worker, since two that loaded the same model differ by some
percent for as long as the process lives. Under `auto` the engine looks at the clock to choose its
drafts, so two replies of the same tokens may take different forwards; `plain` and `drafts` (of four
tokens) take the same.
"""

import asyncio
import statistics
import sys
from collections.abc import Callable

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.main.start import SWITCH_INTERVAL_SECONDS
from engine import EngineWorker, GenerationRequest, Statistics
from engine.terminal.figures import median_interval
from engine.terminal.session import Session as TerminalSession
from tests.bench.window import Bench, say

PANES = ("live", "step", "compare", "settings", "closed")
RUNS = {"auto": (), "plain": ("--no-speculation",), "drafts": ("--draft-length", "4")}
Front = Callable[[], Statistics]


class Fronts:
    """The ways to ask for one reply, in rounds that begin with another one each time."""

    def __init__(self, bench: Bench, worker: EngineWorker, panes: list[str]) -> None:
        self._bench, self._terminal = bench, TerminalSession(worker)
        self._request: GenerationRequest | None = None
        self._ways: dict[str, Front] = {"terminal": self._ask, "terminal again": self._ask}
        self._ways |= {pane: self._under(pane) for pane in panes}
        self._runs: dict[str, list[Statistics]] = {name: [] for name in self._ways}

    def measure(self, num_rounds: int) -> None:
        """All rounds, behind one reply that warms the model up."""
        self._request = self._bench.reply()[1]
        names = list(self._ways)
        for number in range(num_rounds):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                self._runs[name].append(self._ways[name]())

    def lines(self, run: str) -> list[str]:
        """Each front against the terminal: speeds in tokens a second, forwards of a reply."""
        return [self._line(run, name) for name in self._ways]

    def _line(self, run: str, name: str) -> str:
        forwards = sorted(each.forwards for each in self._runs[name])
        speeds, basis = self._speeds(name), self._speeds("terminal")
        line = (
            f"{run}, {name}: {statistics.median(speeds):.1f} tok/s "
            f"({min(speeds):.1f}-{max(speeds):.1f}), {forwards[0]}-{forwards[-1]} forwards"
        )
        if name == "terminal":
            return line
        ratios = [ours / theirs for ours, theirs in zip(speeds, basis, strict=True)]
        interval = median_interval(ratios)
        shown = f" [{interval[0]:.3f}-{interval[1]:.3f}]" if interval else ""
        return f"{line}, {statistics.median(ratios):.3f}{shown} of the terminal"

    def _speeds(self, name: str) -> list[float]:
        return [each.decode_tps or 0.0 for each in self._runs[name]]

    def _ask(self) -> Statistics:
        assert self._request is not None
        return self._terminal.reply(self._request, is_quiet=True).finished.stats

    def _under(self, pane: str) -> Front:
        def ask() -> Statistics:
            self._bench.look_at(None if pane == "closed" else pane)
            return self._bench.reply()[0]

        return ask


def main() -> None:
    """What was asked for."""
    words = sys.argv[1:]
    num_rounds = next((int(word) for word in words if word.isdecimal()), 20)
    panes = [word for word in PANES if word in words] or ["live"]
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    app = QApplication(["bench"])
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        for run in [word for word in RUNS if word in words] or RUNS:
            worker = EngineWorker()
            bench = Bench(loop, worker, RUNS[run])
            fronts = Fronts(bench, worker, panes)
            fronts.measure(num_rounds)
            for line in fronts.lines(run):
                say(line)
            bench.close()


if __name__ == "__main__":
    main()
