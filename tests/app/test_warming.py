"""What the charts need is loaded beside the window, which goes on meanwhile, and may end."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The real start, over a scripted worker; `drive` does what a person does, and closes the window.
PROGRAM = """
import asyncio, json, sys, threading
from app.main import start
from app.main.session import Session
from app.views.inspector.chart import LIBRARY_COMING
from tests.fakes.scripted_worker import ScriptedWorker, saying

class Finder:
    # Notes who imports what; `hold` may make an import wait.
    def __init__(self):
        self.found, self.hold = [], lambda name: None
    def find_spec(self, name, *_):
        self.found.append((threading.current_thread().name, name))
        if threading.current_thread().name == "warming":
            self.hold(name)
    def of_main(self):
        return [name for thread, name in self.found if thread == "MainThread"]

finder = Finder()
sys.meta_path.insert(0, finder)
out = {{}}

class Driven(Session):
    async def run(self, *given):
        driving = asyncio.ensure_future(self.driven())
        status = await super().run(*given)
        await driving
        return status
    async def driven(self):
        try:
            await drive(self)
        finally:
            self.window.close()

async def until(is_true):
    while not is_true():
        await asyncio.sleep(0.01)

{drive}

start.Session = Driven
status = start.main(sys.argv[1:], lambda given: ScriptedWorker(saying(TEXT)))
print(json.dumps(out))
sys.exit(status)
"""
MARKDOWN = "Look:\n\n```scala\nval x = 1\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n$$x^2$$\n"


def driven(tmp_path: Path, drive: str, text: str = "so it is") -> dict:
    """What the driver put into `out`; the process has to end well, and quietly."""
    program = f"TEXT = {text!r}\n" + PROGRAM.format(drive=drive)
    places = {f"XDG_{name}_HOME": f"{tmp_path}/{name}" for name in ("CACHE", "CONFIG", "STATE")}
    environment = {**os.environ, **places, "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", program, "--data-dir", f"{tmp_path}/data", "--size", "1440x900"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=55, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not [x for x in done.stderr.splitlines() if "This plugin does not" not in x]
    return json.loads(done.stdout.splitlines()[-1])


EVERYTHING = """
async def drive(session):
    window = session.window
    await until(LIBRARY_COMING.is_set)
    before = len(finder.of_main())
    await until(lambda: not LIBRARY_COMING.is_set())
    out["meanwhile"] = finder.of_main()[before:]
    out["loaded"] = "pyqtgraph" in sys.modules
    out["warming"] = [name for thread, name in finder.found if thread == "warming"]
    before = len(finder.of_main())
    await until(lambda: session.model.can_answer)
    session.controller.send("go")
    await until(lambda: session.controller.is_busy)
    await until(lambda: not session.controller.is_busy)
    for pane in ("live", "step", "compare", "settings", "live"):
        window.show_pane(pane)
        await asyncio.sleep(0.2)
    for command in ("palette", "preferences", "search", "models", "get_models", "about",
                    "shortcuts", "diagnostics", "theme_dark", "bigger"):
        out[command] = session.habits.commands.run(command)
        await asyncio.sleep(0.1)
    file = __import__("pathlib").Path(sys.argv[2]).parent / "some.py"
    file.write_text("x = 1", encoding="utf-8")
    await session.attacher.attach(session.chats.current, [file])
    exported = file.with_name("out.json")
    await session.porting.export(session.chats.items, "json", exported)
    await session.porting.take_in(exported)
    await asyncio.sleep(0.5)
    from app.views.inspector.chart import Chart
    charts = window.findChildren(Chart)
    out["drawn"] = [chart._view is not None for chart in charts]
    late = finder.of_main()[before:]
    # The window "About" reads the licences of packages, for which Python's library has a few more.
    out["late"] = [x for x in late if x.partition(".")[0] not in sys.stdlib_module_names]
"""


def test_nothing_is_imported_by_the_window_once_it_is_warm(tmp_path: Path) -> None:
    out = driven(tmp_path, EVERYTHING, MARKDOWN)
    assert out["loaded"]
    assert {"numpy", "pyqtgraph"} <= set(out["warming"])
    assert not [name for name in out["warming"] if name.startswith("PySide6")]
    # Qt's own modules are for the window's thread.
    assert [name for name in out["meanwhile"] if not name.startswith("PySide6.Qt")] == []
    assert out["late"] == []
    assert out["drawn"]
    assert all(out["drawn"])
    assert all(out[command] for command in ("palette", "preferences", "models"))


SLOW = """
import sqlite3
from app.views.inspector.chart import Chart
going_on = threading.Event()

def saved():
    with sqlite3.connect(sys.argv[2] + "/chats.db") as file:
        rows = file.execute("SELECT * FROM drafts").fetchall()
    file.close()
    return any("wordlike" in str(value) for row in rows for value in row)

async def drive(session):
    finder.hold = lambda name: going_on.wait(40) if name == "numpy" else None
    session.window.composer.edit.insertPlainText("wordlike")
    await until(lambda: any(name == "numpy" for _, name in finder.found))
    charts = [chart for chart in session.window.findChildren(Chart) if chart.isVisible()]
    await until(saved)
    out["empty"] = [chart._view is None for chart in charts]
    out["is_coming"] = LIBRARY_COMING.is_set()
    going_on.set()
    await until(lambda: all(chart._view is not None for chart in charts))
"""


def test_a_word_is_saved_and_charts_wait_while_an_import_takes_for_ever(tmp_path: Path) -> None:
    out = driven(tmp_path, SLOW)
    assert out["is_coming"]
    assert out["empty"]
    assert all(out["empty"])


QUITTING = """
async def drive(session):
    await asyncio.sleep({seconds})
    out["was_coming"] = LIBRARY_COMING.is_set()
"""


@pytest.mark.parametrize("number", range(int(os.environ.get("DRAFTSCOPE_QUITS", "3"))))
def test_the_window_may_close_at_any_moment_of_it(tmp_path: Path, number: int) -> None:
    seconds = random.Random(number).uniform(0.03, 1.0)
    driven(tmp_path, QUITTING.format(seconds=seconds))


def test_a_library_that_is_missing_does_not_end_the_window(tmp_path: Path) -> None:
    drive = """
async def drive(session):
    def missing(name):
        raise ImportError(name)
    session.window.sides.set_wants_inspector(False)
    finder.hold = missing
    await until(LIBRARY_COMING.is_set)
    await until(lambda: not LIBRARY_COMING.is_set())
    out["ended"] = True
"""
    program = f"import logging\nlogging.disable()\n{drive}"
    assert driven(tmp_path, program)["ended"]


def test_no_class_of_qt_is_left_for_another_thread_to_make(tmp_path: Path) -> None:
    program = """
import json, sys
import app.main.start
from app.main.warming import qt_classes
def unmade():
    modules = [sys.modules[name] for name in sorted(sys.modules) if name.startswith("PySide6.Qt")]
    return [each for module in modules for each in dir(module) if each not in vars(module)]
before = unmade()
slices = sum(1 for _ in qt_classes())
print(json.dumps([len(before), unmade(), slices]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, capture_output=True, text=True, timeout=55, check=True,
    )  # fmt: skip
    num_before, after, num_slices = json.loads(done.stdout)
    assert num_before > 100
    assert after == []
    assert num_slices > 1


def test_a_picture_of_a_trace_needs_none_of_it(tmp_path: Path) -> None:
    program = """
import sys
from app.main import session
def refuse():
    raise AssertionError("warmed up")
session.warm_up = refuse
from app.main.start import main
sys.exit(main(sys.argv[1:]))
"""
    picture = tmp_path / "out.png"
    trace = ROOT / "tests" / "traces" / "local.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", program, str(trace), "--screenshot", str(picture)],
        cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)},
        capture_output=True, text=True, timeout=55, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert picture.exists()
