"""What the sheet costs with thousands of models: `python -m tests.bench.library_sheet [N]`.

Prints, and judges nothing: how long it takes to open, the longest turns of the loop while a look
goes on, and what a filter, one changed model and another amount of free memory cost.
"""

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.controllers.library import LibraryController
from app.models.downloads import Downloads
from app.models.hub_search import HubSearch
from app.models.library import Library, ModelHabits
from app.models.model_state import ModelState
from app.storage import NoStore
from app.theme import Theme
from app.views.library.intents import LibraryIntents
from app.views.library.parts import LibraryParts
from app.views.library.sheet import ModelsSheet
from app.views.stylesheet import style_sheet
from tests.app.library_views.made import attention, hybrid
from tests.bench.library import fill

GB = 1_000_000_000


class Bench:
    """A window, and a sheet over a library."""

    def __init__(self) -> None:
        self.app = QApplication([])
        self.window = QMainWindow()
        self.theme = Theme("light", self.window)
        self.window.resize(1000, 760)
        self.window.setStyleSheet(style_sheet(self.theme.palette))
        self.window.show()
        self.parts = LibraryParts(
            Library(self.window), Downloads(), HubSearch(), ModelState(), LibraryIntents()
        )
        self.parts.library.set_free_bytes(20 * GB)

    def open(self) -> ModelsSheet:
        """Until it is painted."""
        sheet = ModelsSheet(self.parts, self.theme, self.window)
        sheet.show_at("here")
        sheet.open()
        self.app.processEvents()
        sheet.grab()
        return sheet

    def close(self, sheet: ModelsSheet) -> None:
        """It is gone."""
        sheet.close()
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()

    def timed(self, what: str, act: Callable[[], object], rounds: int = 3) -> None:
        """Until all that follows of it is done, and painted."""
        took = []
        for _ in range(rounds):
            began = time.perf_counter()
            act()
            self.app.processEvents()
            took.append((time.perf_counter() - began) * 1000)
        sys.stdout.write(f"{what}: {', '.join(f'{each:.0f}' for each in took)} ms\n")

    def turns(self, what: str, is_over: Callable[[], bool], beside: Callable[[], None]) -> None:
        """The longest turns until it is over; `beside` is done between any two."""
        took: list[float] = []
        works: list[float] = []
        while not is_over():
            began, own = time.perf_counter(), time.thread_time()
            self.app.processEvents()
            took.append((time.perf_counter() - began) * 1000)
            works.append((time.thread_time() - own) * 1000)
            beside()
            time.sleep(0.002)
        for of, all_of in (("", took), (", of work of its own", works)):
            shown = ", ".join(f"{each:.0f}" for each in sorted(all_of)[-8:])
            sys.stdout.write(f"{what}{of}: {len(took)} turns, the longest {shown} ms\n")


def settled(bench: Bench, count: int) -> None:
    """A library that stands still."""
    library = bench.parts.library
    library.set_models([(hybrid, attention)[n % 2](n) for n in range(count)])
    for _ in range(3):
        began = time.perf_counter()
        sheet = bench.open()
        sys.stdout.write(f"open: {(time.perf_counter() - began) * 1000:.0f} ms\n")
        bench.close(sheet)
    sheet = bench.open()
    models = list(library.models)

    def change() -> None:
        place = len(models) // 2
        used = (models[place].habits.used or 0) + 1
        models[place] = replace(models[place], habits=ModelHabits(used=used))
        library.set_models(models)

    def come_and_go() -> None:
        moved = models.pop(len(models) // 3)
        library.set_models(models)
        models.insert(3, moved)
        library.set_models(models)

    def free() -> None:
        library.set_free_bytes((library.free_bytes or 0) + 1)

    def filtered(text: str) -> None:
        sheet.here.rows.filter = text
        sheet.here._follow()

    bench.timed("one changed", change)
    bench.timed("one gone and come", come_and_go)
    bench.timed("free memory", free)
    bench.timed("filter", lambda: filtered("llama 12"), 2)
    bench.timed("no filter", lambda: filtered(""), 2)
    bench.close(sheet)
    library.set_models([])


def scanned(bench: Bench, count: int) -> None:
    """A library that is found while the sheet is open."""
    library = bench.parts.library
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / f"models {n}" for n in range(-(-count // 1000))]
        for folder in folders:
            fill(folder, 1000)
        shelf = LibraryController(
            library, bench.parts.downloads, NoStore(""), bench.window, cache=Path(name) / "none"
        )
        shelf.start()
        library.set_folders(str(folder) for folder in folders)
        shelf.rescan()
        sheet = bench.open()
        bar = sheet.here.list.verticalScrollBar()

        def scroll() -> None:
            bar.setValue((bar.value() + 40) % max(bar.maximum(), 1))

        bench.turns("first look", lambda: not library.is_scanning, scroll)
        shelf.rescan()
        bench.turns("a look that finds nothing new", lambda: not library.is_scanning, scroll)
        sys.stdout.write(f"{len(library.models)} models\n")
        shelf.close()
        bench.close(sheet)


def main(count: int) -> None:
    """Both."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    gc.disable()  # as the app does
    bench = Bench()
    settled(bench, count)
    scanned(bench, count)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
