"""What looking for models costs: `python -m tests.bench.library [FOLDERS]`.

Prints, and judges nothing: the first look and later ones, and how long the window's thread waits
meanwhile, told by a timer of 5 ms.
"""

import os
import shutil
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from app.controllers.library import LibraryController
from app.controllers.model_folders import demo_places
from app.models.downloads import Downloads
from app.models.library import Library
from app.storage import NoStore


def fill(folder: Path, count: int) -> None:
    """Copies of the demo model, their weights linked."""
    demo = next(iter(demo_places())).path
    for number in range(count):
        copy = folder / f"maker {number % 9}" / f"model {number}"
        copy.mkdir(parents=True)
        for file in demo.iterdir():
            if file.suffix == ".safetensors":
                (copy / file.name).symlink_to(file)
            elif file.is_file():
                shutil.copyfile(file, copy / file.name)


class Watched:
    """One library, and how long the loop stood still."""

    def __init__(self, app: QCoreApplication, cache: Path) -> None:
        self._app, self.root = app, QObject()
        self.library = Library(self.root)
        self.controller = LibraryController(
            self.library, Downloads(self.root), NoStore(""), self.root, cache=cache
        )
        self._ticks: list[float] = []
        self._timer = QTimer(self.root)
        self._timer.setInterval(5)
        self._timer.timeout.connect(lambda: self._ticks.append(time.perf_counter()))

    def measure(self, what: str) -> None:
        """Until all is looked through."""
        self._ticks.clear()
        self._timer.start()
        began, cpu = time.perf_counter(), time.thread_time()
        while self.controller._timer.isActive() or self.library.is_scanning:
            self._app.processEvents()
            time.sleep(0.001)
        took, own = time.perf_counter() - began, time.thread_time() - cpu
        self._timer.stop()
        gap = max((after - before for before, after in pairwise(self._ticks)), default=0.0)
        sys.stdout.write(
            f"{what}: {len(self.library.models)} models in {took:.2f} s, window's thread {own:.2f} "
            f"s, longest gap {gap * 1000:.0f} ms\n"
        )


def main(count: int) -> None:
    """A first look, three that find nothing new, and one after a change."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QCoreApplication([])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "models"
        fill(folder, count)
        watched = Watched(app, Path(name) / "no cache")
        watched.controller.start()
        watched.measure("empty")
        watched.controller.add_folder(str(folder))
        watched.measure("first look")
        for _ in range(3):
            watched.controller.rescan()
            watched.measure("nothing new")
        next(folder.rglob("config.json")).touch()
        watched.controller.rescan()
        watched.measure("one changed")
        watched.controller.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
