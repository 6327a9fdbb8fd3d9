"""Starts beside one that runs, after a crash, and for the self-test; and Help > Diagnostics."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from app.arguments import parse_arguments
from app.main.session import Session
from app.settings import Settings
from app.storage import Store
from app.views.diagnostics import Diagnostics
from tests.fakes.scripted_worker import ScriptedWorker

ROOT = Path(__file__).parents[2]
TRACE = ROOT / "tests" / "traces" / "local.jsonl"
PROGRAM = """
import sys
from app.controllers.traces import TraceController
from app.main.start import main
from tests.fakes.scripted_worker import ScriptedWorker
opened = TraceController.open_file
def told(self, path):
    print("opened", path.name, flush=True)
    opened(self, path)
TraceController.open_file = told
sys.exit(main(sys.argv[1:], lambda budget: ScriptedWorker()))
"""


@pytest.fixture
def environment():
    """A home of its own, with a short name."""
    with tempfile.TemporaryDirectory(prefix="ds-") as home:
        places = {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("CACHE", "CONFIG", "STATE")}
        yield {**os.environ, **places, "HOME": home, "QT_QPA_PLATFORM": "offscreen"}


def command(*arguments):
    return [sys.executable, "-c", PROGRAM, *map(str, arguments)]


def second(environment, *arguments):
    return subprocess.run(
        command(*arguments),
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_second_start_hands_its_file_to_the_first(environment, tmp_path):
    data = tmp_path / "data"
    first = subprocess.Popen(
        command("--data-dir", data), cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        doors = Path(environment["HOME"]) / "CACHE" / "draftscope" / "doors"
        end = time.monotonic() + 50
        while not (doors.is_dir() and any(doors.iterdir())):
            assert time.monotonic() < end
            time.sleep(0.05)
        done = second(environment, "--data-dir", data, TRACE)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert first.stdout.readline() == "opened local.jsonl\n"
        refused = second(environment, "--data-dir", data, "--prompt", "hi")
        assert refused.returncode == 2
        assert "open already" in refused.stderr
    finally:
        first.terminate()
        first.communicate(timeout=30)
    assert first.returncode == 143
    assert not any(doors.iterdir())


def test_the_self_test_needs_no_window(environment, tmp_path):
    del environment["QT_QPA_PLATFORM"]
    program = (
        "import sys; import app.main.start as start\n"
        "start.self_test = lambda out, folder: out.write(f'tested {folder}\\n') and 3\n"
        "sys.exit(start.main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--self-test", "--data-dir", str(tmp_path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, f"tested {tmp_path}\n"), done.stderr


def test_a_crash_is_said_with_a_way_to_its_report(loop, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("app.main.reporting._open", opened.append)
    arguments = parse_arguments(["--theme", "light", "--data-dir", str(tmp_path)], Settings())
    store = Store.open(tmp_path, lambda problem: None)
    session = Session(arguments, Settings(), ScriptedWorker(), store)
    session.window.show()
    report = tmp_path / "crash-1.txt"
    loop.run_until_complete(session._begin("A notice.", (report,)))
    saying = session.window.middle.saying
    assert saying.sentence.startswith("A notice. Draftscope ended unexpectedly")
    assert saying.action.isVisible()
    saying.action.click()
    assert opened == [report]
    session.window.say("Something else.")
    assert not saying.action.isVisible()
    loop.run_until_complete(session.close())


def test_help_has_diagnostics(make_desk):
    desk = make_desk()
    desk.session.habits.commands.run("diagnostics")
    (sheet,) = desk.window.findChildren(Diagnostics)
    assert "pocket-hybrid-26m" in sheet.text
    sheet.close()


def test_a_session_without_a_store_tests_nothing(make_desk):
    desk = make_desk()
    assert not desk.session.reporting.quiet._waiting.isActive()
    assert desk.session.door._socket is None


def test_python_collects_by_itself_only_where_no_window_does(environment):
    program = (
        "import gc, sys; from app.main import command, start\n"
        "def told(*_, **__): print(gc.isenabled()); sys.stdout.flush(); return 0\n"
        "start.self_test = told; start._run = told\n"
        "command()"
    )

    def said(*arguments):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert said("--self-test") == "True\n"
    assert said() == "False\n"
