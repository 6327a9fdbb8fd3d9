"""Commands of many replies say how many, and how far they are, on a terminal and in a pipe."""

import sys

import pytest

from engine.__main__ import main
from engine.terminal import bench, verify
from engine.terminal.headway import LINE_SECONDS, Headway
from tests.engine.test_terminal_verify import agreeing
from tests.fakes.terminal_replies import ScriptedSession, reply_of

Capture = pytest.CaptureFixture[str]


def test_in_a_pipe_a_line_comes_now_and_then(capsys: Capture) -> None:
    now = 0.0
    headway = Headway(40, "all of it.", lambda: now)
    assert capsys.readouterr().err == "40 replies to make: all of it.\n"
    told = []
    for number in range(40):
        now = number * LINE_SECONDS / 4
        headway.begin(f"reply {number}")
        told += capsys.readouterr().err.splitlines()
    assert told[:2] == ["5 of 40: reply 4", "9 of 40: reply 8"]
    assert len(told) == 9


def test_what_is_left_out_makes_it_fewer(capsys: Capture) -> None:
    now = iter((0.0, LINE_SECONDS))
    headway = Headway(1_040, "all.", lambda: next(now))
    headway.leave_out(40)
    headway.begin("first")
    assert capsys.readouterr().err.endswith("1 of 1,000: first\n")


def test_a_terminal_sees_each_and_keeps_it_while_it_is_made(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    headway = Headway(2, "both.", lambda: 0.0)
    headway.begin("first")
    headway.begin("second")
    err = capsys.readouterr().err
    assert "1 of 2: first" in err
    assert err.endswith("2 of 2: second")


def test_verify_and_bench_count_what_they_make(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("engine.terminal.output.progress", told.append)
    session = ScriptedSession(agreeing)
    monkeypatch.setattr(verify, "Session", lambda: session)
    assert main(["verify"]) == 0
    # Three plain ones, the thirteen of the grid, and four of the second turn.
    assert capsys.readouterr().err.startswith("20 replies to make: ")
    counted = [words for words in told if " of 20: " in words]
    assert [words.split()[0] for words in counted] == [str(number + 1) for number in range(20)]
    told.clear()
    monkeypatch.setattr(bench, "Session", lambda: ScriptedSession(lambda *_: reply_of([1, 2])))
    assert main(["bench", "--tasks", "copy,rename", "--rounds", "3", "--columns", "plain"]) == 0
    assert "6 replies to make: " in capsys.readouterr().err
    assert sum(" of 6: " in words for words in told) == 6


@pytest.mark.parametrize("command", ["bench", "verify", "probe"])
def test_help_says_about_how_long_it_takes(capsys: Capture, command: str) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "minute" in capsys.readouterr().out
