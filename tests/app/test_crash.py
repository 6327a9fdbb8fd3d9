"""Crash reports: gone after a clean end, kept after a crash, and without a word of content."""

import faulthandler
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from app.main.crash import MOST_REPORTS, CrashReport, crash_sentence, reports, watched

ROOT = Path(__file__).parents[2]
SECRET = "a secret word"
RUN = """
import sys, os, ctypes, logging, threading, time
from pathlib import Path
from app.main.crash import watched
with watched(Path(sys.argv[1])) as found:
    print(len(found), flush=True)
    secret = "a secret word"
    {body}
"""


def run(folder, body="pass"):
    """A run of its own; its exit status, and how many crashes it was told of."""
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(body=body), str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return done.returncode, int(done.stdout.split()[0])


def texts(folder) -> list[str]:
    return [path.read_text() for path in reports(folder)]


@pytest.fixture
def pytest_s_own():
    """The fault handler of the test run, given back."""
    was = faulthandler.is_enabled()
    yield
    if was:
        faulthandler.enable(sys.__stderr__)


def test_a_clean_end_leaves_nothing(tmp_path):
    assert run(tmp_path) == (0, 0)
    assert run(tmp_path) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["draftscope.log"]


def test_a_crash_is_found_at_the_next_start_once(tmp_path):
    status, found = run(tmp_path, "os.abort()")
    assert (status, found) == (-signal.SIGABRT, 0)
    assert reports(tmp_path) == ()
    assert run(tmp_path) == (0, 1)
    (text,) = texts(tmp_path)
    assert "Fatal Python error: Aborted" in text
    assert text.startswith("Draftscope ")
    assert SECRET not in text
    assert run(tmp_path) == (0, 0)
    assert len(reports(tmp_path)) == 1
    assert "the run before ended in a crash" in (tmp_path / "draftscope.log").read_text()


def test_a_bad_access_is_a_crash_too(tmp_path):
    assert run(tmp_path, "ctypes.string_at(1)")[0] != 0
    assert run(tmp_path) == (0, 1)
    assert "Segmentation fault" in texts(tmp_path)[0]


def test_an_end_by_force_is_none(tmp_path):
    assert run(tmp_path, "os.kill(os.getpid(), 9)")[0] == -signal.SIGKILL
    assert run(tmp_path) == (0, 0)
    assert reports(tmp_path) == ()
    assert not list(tmp_path.glob("running-*"))


def test_an_exception_that_ends_the_app_is_kept_without_its_message(tmp_path):
    assert run(tmp_path, "raise ValueError(secret)")[0] == 1
    (text,) = texts(tmp_path)
    assert "ValueError at" in text
    assert SECRET not in text
    # It was on standard error, and is no news.
    assert run(tmp_path) == (0, 0)


def test_errors_that_were_reported_are_kept_at_the_end(tmp_path):
    body = "thread = threading.Thread(target=lambda: 1 / 0); thread.start(); thread.join()"
    assert run(tmp_path, body) == (0, 0)
    (text,) = texts(tmp_path)
    assert "ZeroDivisionError at" in text


def test_the_newest_five_are_kept(tmp_path):
    for number in range(MOST_REPORTS + 3):
        (tmp_path / f"crash-20260101-00000{number}.txt").write_text("x")
    assert run(tmp_path, "os.abort()")[0] == -signal.SIGABRT
    assert run(tmp_path) == (0, 1)
    kept = [path.name for path in reports(tmp_path)]
    assert len(kept) == MOST_REPORTS
    assert "crash-20260101-000007.txt" in kept
    assert "crash-20260101-000003.txt" not in kept


def test_a_run_that_goes_on_is_left_alone(tmp_path):
    command = [sys.executable, "-c", RUN.format(body="time.sleep(60)"), str(tmp_path)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"0\n"
    assert run(tmp_path) == (0, 0)
    assert len(list(tmp_path.glob("running-*"))) == 1
    child.kill()
    child.communicate()
    assert run(tmp_path) == (0, 0)
    assert not list(tmp_path.glob("running-*"))


def test_a_folder_that_cannot_be_is_done_without(tmp_path, pytest_s_own):
    (tmp_path / "file").write_text("in the way")
    hook = threading.excepthook
    with watched(tmp_path / "file" / "logs") as found:
        assert found == ()
    assert threading.excepthook is hook
    with watched(None) as found:
        assert found == ()


def test_notes_are_bounded(tmp_path, pytest_s_own):
    report = CrashReport(tmp_path, os.getpid())
    assert report.begin() == ()
    for _ in range(5_000):
        report.note("x" * 200)
    (running,) = tmp_path.glob("running-*")
    assert running.stat().st_size < 210_000
    assert running.stat().st_mode & 0o077 == 0
    report.end()
    report.end()
    report.note("late")
    assert len(reports(tmp_path)) == 1
    assert logging.getLogger().handlers.count(report._notes) == 0


def test_odd_files_there_are_no_trouble(tmp_path, pytest_s_own):
    (tmp_path / "running-1.txt").write_bytes(b"")
    (tmp_path / "running-2.txt").write_bytes(b"--\n\xff\xfe")
    (tmp_path / "running-x.txt").mkdir()
    report = CrashReport(tmp_path, os.getpid())
    found = report.begin()
    report.end()
    assert len(found) == 1
    assert time.strftime("%Y") in found[0].name


def test_the_sentence():
    assert crash_sentence(()) == ""
    assert crash_sentence((Path("x"),)).endswith(".")
