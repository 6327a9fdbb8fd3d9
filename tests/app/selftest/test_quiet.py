"""The self-test after an update: once for each version, when idle, its result kept."""

import json
import sys

import pytest
from PySide6.QtCore import QObject

from app.selftest import QuietTest, failure_sentence, outcome_lines, read_outcome
from app.selftest.outcome import NAME, Outcome, is_due, keep_outcome, outcome_of

FINE = "import sys; print('ok  all: fine'); sys.exit(0)"
BAD = "import sys; print('ok  one: fine'); print('FAILED  two: bad'); sys.exit(1)"
DYING = "import os; os.kill(os.getpid(), 9)"


@pytest.fixture
def make_quiet(tmp_path, qtbot):
    root = QObject()
    made = []

    def make(program=FINE, is_idle=lambda: True, version="2.0"):
        command = [sys.executable, "-c", program]
        quiet = QuietTest(tmp_path, is_idle, root, version=version, command=command)
        made.append(quiet)
        return quiet

    yield make
    for quiet in made:
        quiet.close()
    root.deleteLater()


def test_it_runs_once_for_a_version(make_quiet, qtbot, tmp_path):
    quiet = make_quiet()
    with qtbot.waitSignal(quiet.ended, timeout=30_000) as ended:
        assert quiet.start(0)
    outcome = read_outcome(tmp_path)
    assert ended.args == [outcome]
    assert (outcome.version, outcome.state, outcome.lines) == ("2.0", "ok", ("ok  all: fine",))
    assert failure_sentence(outcome) == ""
    assert not make_quiet().start(0)
    assert make_quiet(version="2.1").start(1000)


def test_a_failure_is_one_sentence(make_quiet, qtbot, tmp_path):
    quiet = make_quiet(BAD)
    with qtbot.waitSignal(quiet.ended, timeout=30_000) as ended:
        quiet.start(0)
    (outcome,) = ended.args
    assert outcome.failures == ("FAILED  two: bad",)
    assert failure_sentence(outcome).startswith("The self-test of version 2.0 found a check that")
    assert "FAILED  two: bad" in outcome_lines(read_outcome(tmp_path))


@pytest.mark.parametrize("program", [DYING, None])
def test_one_that_dies_or_does_not_start_has_failed(make_quiet, qtbot, tmp_path, program):
    quiet = make_quiet(program or FINE)
    if program is None:
        quiet._command = ["/nowhere/at/all"]
    with qtbot.waitSignal(quiet.ended, timeout=30_000) as ended:
        quiet.start(0)
    assert ended.args[0].state == "failed"
    assert failure_sentence(ended.args[0])


def test_it_waits_until_nothing_else_goes_on(make_quiet, qtbot):
    asked = []

    def is_idle():
        asked.append(True)
        return len(asked) > 2

    quiet = make_quiet(is_idle=is_idle)
    with qtbot.waitSignal(quiet.ended, timeout=30_000):
        quiet.start(0.01)
    assert len(asked) == 3


def test_one_that_is_broken_off_is_not_begun_again(make_quiet, qtbot, tmp_path):
    quiet = make_quiet("import time; time.sleep(60)")
    quiet.start(0)
    qtbot.waitUntil(lambda: read_outcome(tmp_path) is not None, timeout=20_000)
    quiet.close()
    assert read_outcome(tmp_path).state == "unfinished"
    assert not make_quiet().start(0)
    assert "not finished" in outcome_lines(read_outcome(tmp_path))[0]


def test_a_folder_that_takes_nothing_has_no_test(make_quiet, qtbot, tmp_path):
    quiet = make_quiet()
    quiet._folder = tmp_path / "none"
    ended = []
    quiet.ended.connect(ended.append)
    quiet.start(0)
    qtbot.wait(100)
    assert ended == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        json.dumps({"version": 1, "when": 1, "state": "ok", "lines": []}),
        json.dumps({"version": "1", "when": 1e300, "state": "ok", "lines": []}),
        json.dumps({"version": "1", "when": float("nan"), "state": "ok", "lines": []}),
        json.dumps({"version": "1", "when": 1, "state": ["ok"], "lines": []}),
        json.dumps({"version": "1", "when": 1, "state": "ok", "lines": [1]}),
        "\ud800",
    ],
)
def test_a_damaged_result_is_none(tmp_path, text):
    (tmp_path / NAME).write_text(text, encoding="utf-8", errors="surrogatepass")
    assert read_outcome(tmp_path) is None
    assert is_due(read_outcome(tmp_path), "1")


def test_what_is_kept_is_read_back_and_bounded(tmp_path):
    outcome = outcome_of("1.0", 5.0, 1, "\n".join(["FAILED  x: " + "y" * 5_000] * 500))
    assert keep_outcome(tmp_path, outcome)
    assert read_outcome(tmp_path) == outcome
    assert (tmp_path / NAME).stat().st_size < 50_000
    assert outcome_lines(None) == ("not run yet",)
    assert not keep_outcome(tmp_path / "none", Outcome("1", 1.0, "ok"))
