"""The terminal front: exit codes, one line for every refusal, and results that add up."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import (
    Event,
    GenerationRequest,
    Message,
    Notice,
    SpeculationChanged,
    SpeculationParams,
    read_trace,
)
from engine.__main__ import main
from engine.terminal.arguments import parse
from engine.terminal.output import one_line, table
from engine.terminal.session import Session
from tests.fakes.scripted_worker import ScriptedWorker, reply_events, steps_of

REPLACE = "Replace every cat by dog.\n\nThe cat saw a red door. It sat. The cat saw a blue door."
Capture = pytest.CaptureFixture[str]


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """The shipped command in a process of its own."""
    command = [sys.executable, "-m", "engine", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, **options)


def refused(capsys: Capture, *arguments: str) -> str:
    """The one line on stderr with which these arguments are refused."""
    assert main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith("\n")
    assert printed.err.count("\n") == 1
    return printed.err.strip()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "COMMAND"),
        (("sing",), "invalid choice: 'sing'"),
        (("chat",), "--prompt"),
        (("chat", "--prompt", "x", "--loud"), "--loud"),
        (("chat", "--prompt", ""), "The prompt is empty"),
        (("chat", "--prompt", " \n\t "), "The prompt is empty"),
        (("chat", "--prompt", "x", "--max-tokens", "0"), "must be at least 1"),
        (("chat", "--prompt", "x", "--max-tokens", "-1"), "is -1"),
        (("chat", "--prompt", "x", "--max-tokens", "many"), "'many' is not a whole number"),
        (("chat", "--prompt", "x", "--temperature", "nan"), "temperature is nan"),
        (("chat", "--prompt", "x", "--top-p", "2"), "top-p is 2.0"),
        (("chat", "--prompt", "x", "--seed", "-1"), "seed is -1"),
        (("chat", "--prompt", "x", "--seed", str(2**63)), "seed is"),
        (("chat", "--prompt", "x", "--draft-length", "0"), "draft length is 0"),
        (("chat", "--prompt", "x", "--draft-length", "some"), "'some' is not"),
        (("chat", "--prompt", "x", "--rollback", "undo"), "'undo'"),
        (("chat", "--prompt", "x", "--drafter", "guess"), "'guess'"),
        (("chat", "--prompt", "x", "--model", "/no/such/folder"), "/no/such/folder"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(
    capsys: Capture, arguments: tuple[str, ...], words: str
) -> None:
    line = refused(capsys, *arguments)
    assert line.startswith("error: ")
    assert words in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--trace", "/no/such/folder/run.jsonl"), "trace cannot be written"),
        (("--draft-length", "100000"), "more than the context"),
    ],
)
def test_what_only_the_model_can_refuse_is_one_line_too(
    capsys: Capture, arguments: tuple[str, ...], words: str
) -> None:
    assert words in refused(capsys, "chat", "--prompt", "x", *arguments)


def test_flags_become_what_a_request_asks_for() -> None:
    asked = parse(["chat", "--prompt", "x"]).speculation()
    assert asked == SpeculationParams()
    flags = ["--drafter", "suffix", "--rollback", "local", "--no-guard", "--no-exclude"]
    asked = parse(["chat", "--prompt", "x", "--draft-length", "3", *flags]).speculation()
    assert asked == SpeculationParams(
        drafter="suffix", rollback="local", guard=False, exclude=False, draft_length=3
    )
    assert parse(["chat", "--prompt", "x", "--guard"]).speculation().guard is True


def test_a_reply_keeps_what_was_said_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(job: int, request: GenerationRequest) -> Iterator[Event]:
        *events, end = reply_events(job, request, steps_of(["a", "b"]))
        changes = [SpeculationChanged(job, False, "slow"), SpeculationChanged(job, True, "fast")]
        return iter([Notice(job, "Mended."), *events, *changes, end])

    monkeypatch.setattr("engine.terminal.session.EngineWorker", lambda: ScriptedWorker(script))
    with Session() as session:
        request = GenerationRequest(messages=(Message("user", "x"),))
        reply = session.reply(request, is_quiet=True, is_reference=True)
    assert reply.notices == ("Mended.",)
    assert [(change.active, change.reason) for change in reply.changes] == [
        (False, "slow"),
        (True, "fast"),
    ]
    assert reply.text == "ab"


def test_help_is_help(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["chat", "--help"])
    assert exit_.value.code == 0
    assert "--draft-length" in capsys.readouterr().out


def test_chat_as_json_adds_up_and_equals_plain_decoding(capsys: Capture, tmp_path: Path) -> None:
    trace = tmp_path / "run.jsonl"
    asked = ["chat", "--prompt", REPLACE, "--max-tokens", "40", "--json"]
    assert main([*asked, "--draft-length", "4", "--trace", str(trace)]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert main([*asked, "--no-speculation"]) == 0
    plain = json.loads(capsys.readouterr().out)

    keys = {"text", "ids", "prompt_ids", "origins", "reason", "stats", "config", "health"}
    assert set(reply) == keys | {"speculation"}
    assert reply["speculation"] == {"state": "on", "reason": reply["config"]["reason"]}
    assert plain["speculation"]["state"] == "off"
    assert reply["ids"] == plain["ids"]
    assert reply["text"] == plain["text"]
    assert len(reply["origins"]) == len(reply["ids"]) == reply["stats"]["emitted"]
    assert set(plain["origins"]) == {"generated"}
    assert (reply["config"]["draft_length"], reply["config"]["pacing"]) == (4, False)
    assert not plain["health"]["speculative_decoding"]["enabled"]
    assert reply["stats"]["forwards"] < plain["stats"]["forwards"]
    read = read_trace(trace)
    assert [token for step in read.steps for token in step.emitted] == reply["ids"]


def test_chat_streams_the_text_to_stdout_and_the_rest_to_stderr(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.read", lambda: "Say \ud800 hello.")
    assert main(["chat", "--prompt", "-", "--max-tokens", "8", "--system", "Be \udcff brief."]) == 0
    printed = capsys.readouterr()
    assert printed.out.strip()
    assert "forward passes" in printed.err


def test_a_sentence_stays_on_one_line_and_columns_line_up() -> None:
    assert one_line("a\n b\x1b[31m\udc80") == "a b\ufffd[31m\ufffd"
    assert table(("k", "n"), [("long", "1"), ("x", "100")]) == [
        "k       n",
        "long    1",
        "x     100",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_stops_cleanly_with_a_whole_trace_and_130(tmp_path: Path) -> None:
    trace = tmp_path / "run.jsonl"
    # So hot that the model hardly ever ends a reply by itself.
    asked = ("--prompt", "Write a very long story.", "--temperature", "3")
    process = start("chat", *asked, "--trace", str(trace))
    assert process.stdout is not None
    assert process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    finished = read_trace(trace).finished
    assert finished is not None
    assert finished.reason == "cancelled"


def test_a_reader_that_goes_away_is_no_reason_to_complain() -> None:
    with start("chat", "--prompt", "Write a very long story.") as process:
        assert process.stdout is not None
        assert process.stdout.read(1)
        process.stdout.close()
        assert process.wait(30) == 128 + signal.SIGPIPE
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_undecodable_arguments_and_an_ascii_terminal_are_no_obstacle() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = start("chat", "--prompt", "Say \udcff", "--max-tokens", "4", env=environment)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert out.strip()
    assert "Traceback" not in err
