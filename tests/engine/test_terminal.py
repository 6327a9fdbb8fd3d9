"""The terminal front: exit codes, one line for every refusal, and results that add up."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine import RequestError, SamplingParams, SpeculationParams, read_trace
from engine.__main__ import main
from engine.terminal.differences import Case, Choice, explain
from engine.terminal.output import one_line, table
from engine.terminal.prompts import read_prompts
from engine.terminal.tasks import EVERYDAY, TASKS, choose_tasks
from engine.terminal.verify import Report, Row
from tests.fakes.terminal_replies import StoredSession, reply_of

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
        (("chat", "--prompt", "x", "--model", "/no/such/folder"), "/no/such/folder"),
        (("bench", "--tasks", "sing"), "no task named 'sing'"),
        (("bench", "--tasks", ","), "No task was named"),
        (("bench", "--pairs", "0"), "from 1 up"),
        (("bench", "--max-tokens", "0"), "must be at least 1"),
        (("verify", "--prompts", "/no/such/file"), "/no/such/file"),
        (("verify", "--temperatures", "warm"), "'warm' is not a number"),
        (("verify", "--temperatures", "-1"), "temperature is -1"),
        (("verify", "--rollbacks", "undo"), "one of trim"),
        (("verify", "--draft-lengths", ","), "something in it"),
        (("verify", "--max-tokens", "0"), "must be at least 1"),
        (("probe",), "later version"),
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
    assert set(reply) == keys
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


def test_bench_prints_a_row_a_task_and_json_with_the_same_figures(capsys: Capture) -> None:
    asked = ["bench", "--tasks", "story", "--pairs", "2", "--max-tokens", "6"]
    assert main(asked) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.startswith("task ")
    assert row.startswith("story ")
    assert " equal " in row
    assert main([*asked, "--json"]) == 0
    (task,) = json.loads(capsys.readouterr().out)["tasks"]
    assert task["ids_equal"]
    assert task["tokens"] == 6
    assert task["plain_tps"]["low"] <= task["plain_tps"]["median"] <= task["plain_tps"]["high"]
    assert task["ratio"]["median"] > 0
    assert task["draft_microseconds"] >= 0


def test_verify_passes_on_the_demo_model_and_says_what_did_not_run(
    capsys: Capture, tmp_path: Path
) -> None:
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text(json.dumps({"prompt": REPLACE, "system": "Be brief."}) + "\n")
    asked = ["verify", "--prompts", str(prompts), "--json", "--max-tokens", "40"]
    assert main([*asked, "--draft-lengths", "4", "--temperatures", "0"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"]
    assert report["differences"] == []
    assert set(report["unsupported"]) == {"trim"}
    rows = {row["rollback"]: row for row in report["rows"]}
    assert set(rows) == {"discard", "replay", "carry"}
    assert rows["carry"]["accepted"] > 0
    assert rows["replay"]["attempts"] > 0
    assert rows["replay"]["replay_emitted"] > rows["replay"]["attempts"]


def test_verify_fails_where_speculation_never_engaged(capsys: Capture, tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("Say hello.\n")
    asked = ["verify", "--prompts", str(prompts), "--max-tokens", "2", "--draft-lengths", "1"]
    assert main([*asked, "--temperatures", "0", "--rollbacks", "carry"]) == 1
    assert "No draft was ever accepted" in capsys.readouterr().out


def test_a_report_fails_for_each_thing_that_was_not_shown() -> None:
    assert Report("m").faults() == ["No draft was ever accepted, so nothing was shown."]
    row = Row("carry", 4, replies=1, accepted=3, attempts=0, failures=2)
    faults = Report("m", [row]).faults()
    assert faults == [
        "No partial accept came, so no replay was shown.",
        "The caches could not be rolled back 2 times.",
    ]
    assert Report("m", [Row("trim", 4, replies=1, accepted=3)]).faults() == []


def test_a_difference_names_the_position_both_tokens_and_their_gap() -> None:
    case = Case(TASKS["story"], SamplingParams(), 8)
    plain = reply_of([5, 6, 7], texts=["a", "b", "c"])
    other = reply_of([5, 9, 7], texts=["a", "x", "c"])
    known = reply_of([5, 6, 7], alternatives=[{5: -0.1}, {6: -0.7, 9: -0.75}, {7: -0.1}])
    params = SpeculationParams(rollback="carry", draft_length=4)
    found = explain(StoredSession(known), case, params, plain, other)
    assert found.position == 1
    assert (found.plain, found.speculative) == (Choice(6, "b", -0.7), Choice(9, "x", -0.75))
    assert found.gap == pytest.approx(0.05)
    assert "token 1 is 6 'b' plain and 9 'x' speculative" in found.sentence()
    shorter = explain(StoredSession(known), case, params, plain, reply_of([5, 6]))
    assert shorter.position == 2
    assert "the end speculative (log-probability gap unknown)" in shorter.sentence()


def test_prompts_are_lines_or_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "prompts"
    path.write_text('\ufeffone\n\n{"a": 1} add b\n', encoding="utf-8")
    assert [task.prompt for task in read_prompts(path)] == ["one", '{"a": 1} add b']
    path.write_text('"one"\n{"prompt": "two", "system": "s"}\n')
    assert [(task.prompt, task.system) for task in read_prompts(path)] == [
        ("one", None),
        ("two", "s"),
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no prompt"), (b"\xff\xfe", "UTF-8"), (b'"one"\ntwo\n', "Line 2 of .* is not JSON")],
)
def test_a_file_of_prompts_that_makes_no_sense_is_refused(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "prompts"
    path.write_bytes(content)
    with pytest.raises(RequestError, match=words):
        read_prompts(path)


def test_the_five_tasks_are_the_default_and_keep_their_order() -> None:
    assert tuple(task.name for task in choose_tasks(None)) == EVERYDAY
    assert [task.name for task in choose_tasks("story, copy,story")] == ["story", "copy"]
    assert [TASKS[name].max_tokens for name in EVERYDAY] == [500, 600, 200, 400, 400]


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
    process = start("chat", "--prompt", "Write a very long story.", "--trace", str(trace))
    assert process.stdout is not None
    assert process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 5
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
