"""`bench`: every column in every round, figures that follow from the runs, and one line for no."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GenerationRequest, Message, RequestError, SpeculationParams
from engine.__main__ import main
from engine.terminal import bench
from engine.terminal.arguments import parse
from engine.terminal.bench_table import task_lines
from engine.terminal.columns import DEFAULT, ROLLBACKS, Column, choose_columns
from engine.terminal.figures import Run, Spread, TaskResult, first_difference, median_interval
from engine.terminal.long_context import fitted
from engine.terminal.session import Reply
from engine.terminal.tasks import EVERYDAY, TASKS, Task, choose_tasks
from engine.terminal.texts import logbook
from tests.fakes.records import CONFIG
from tests.fakes.scripted_worker import INFO
from tests.fakes.terminal_replies import Answer, ScriptedSession, reply_of

Capture = pytest.CaptureFixture[str]
OWN = Column("mlx-lm", SpeculationParams(enabled=False), is_reference=True)
AUTO = Column("auto", SpeculationParams())
PLAIN_CONFIG = replace(CONFIG, enabled=False, rollback=None)


def columns_of(*flags: str) -> tuple[Column, ...]:
    return choose_columns(parse(["bench", *flags]))


def run_of(reply: Reply) -> Run:
    return Run(reply, 1.0)


def lines_of(columns: tuple[Column, ...], rounds: list[dict[str, Reply]]) -> list[str]:
    runs = [{name: run_of(reply) for name, reply in each.items()} for each in rounds]
    return task_lines(TaskResult.of(TASKS["copy"], columns, runs))


def scripted(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> ScriptedSession:
    session = ScriptedSession(answer)
    monkeypatch.setattr(bench, "Session", lambda: session)
    return session


def test_the_columns_are_five_by_default_and_any_that_are_named() -> None:
    assert [column.name for column in columns_of()] == list(DEFAULT)
    own, plain, lookup, suffix, auto = columns_of()
    assert (own.is_reference, plain.is_reference) == (True, False)
    assert not own.speculation.enabled
    assert not plain.speculation.enabled
    assert [column.speculation.drafter for column in (lookup, suffix, auto)] == [
        "lookup",
        "suffix",
        "auto",
    ]
    assert all(column.speculation.rollback == "auto" for column in (lookup, suffix, auto))
    named = columns_of("--columns", "plain,carry,plain", "--rollbacks")
    assert [column.name for column in named] == ["plain", "carry", *(set_without("carry"))]
    assert [column.speculation.rollback for column in named[1:]] == [
        column.name for column in named[1:]
    ]
    assert [column.name for column in columns_of("--drafter", "suffix")] == [
        "mlx-lm",
        "plain",
        "suffix",
    ]


def set_without(name: str) -> list[str]:
    return [rollback for rollback in ROLLBACKS if rollback != name]


def test_flags_and_a_colon_say_what_a_column_leaves_open() -> None:
    (column,) = columns_of("--columns", "carry:3", "--drafter", "suffix", "--guard")
    asked = column.speculation
    assert (column.name, asked.draft_length, asked.drafter) == ("carry:3", 3, "suffix")
    assert (asked.rollback, asked.guard) == ("carry", True)
    (column,) = columns_of("--columns", "lookup", "--draft-length", "4", "--rollback", "replay")
    asked = column.speculation
    assert (asked.drafter, asked.draft_length, asked.rollback) == ("lookup", 4, "replay")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--columns", "sing"), "no column named 'sing'"),
        (("--columns", "plain:3"), "no column named 'plain:3'"),
        (("--columns", "carry:x"), "no draft length"),
        (("--columns", "carry:0"), "draft length is 0"),
        (("--columns", ","), "something in it"),
        (("--tasks", "sing"), "no task named 'sing'"),
        (("--tasks", ","), "No task was named"),
        (("--rounds", "0"), "from 1 up"),
        (("--context", "0"), "from 1 up"),
        (("--pairs", "none"), "'none' is not a whole number"),
        (("--max-tokens", "0"), "must be at least 1"),
        (("--drafter", "guess"), "'guess'"),
    ],
)
def test_what_cannot_be_timed_is_one_line_and_exit_2(
    capsys: Capture, flags: tuple[str, ...], words: str
) -> None:
    assert main(["bench", *flags]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert words in printed.err


def test_every_round_runs_every_column_and_begins_with_another(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    session = scripted(monkeypatch, lambda *_: reply_of([1, 2, 3]))
    flags = ["--tasks", "copy", "--rounds", "4", "--columns", "mlx-lm,plain,suffix"]
    assert main(["bench", *flags, "--json", "--max-tokens", "9"]) == 0
    requests = session.requests
    kinds = [
        "mlx-lm" if own else request.speculation.drafter if request.speculation.enabled else "plain"
        for request, own in requests
    ]
    warm_up, rounds = kinds[:3], kinds[3:]
    assert warm_up == ["mlx-lm", "plain", "suffix"]
    assert [rounds[i : i + 3] for i in range(0, 12, 3)] == [
        ["mlx-lm", "plain", "suffix"],
        ["plain", "suffix", "mlx-lm"],
        ["suffix", "mlx-lm", "plain"],
        ["mlx-lm", "plain", "suffix"],
    ]
    assert not any(request.reuse for request, _ in requests)
    assert {request.max_tokens for request, _ in requests[3:]} == {9}
    assert {request.sampling.temperature for request, _ in requests} == {0.0}
    (task,) = json.loads(capsys.readouterr().out)["tasks"]
    assert [len(column["rounds"]) for column in task["columns"]] == [4, 4, 4]


def test_a_column_the_model_does_not_run_is_left_out_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def answer(request: GenerationRequest, _: bool) -> Reply:
        enabled = request.speculation.enabled
        notices = ("Cannot be trimmed.",) if request.speculation.rollback == "trim" else ()
        return reply_of([1, 2], config=CONFIG if enabled else PLAIN_CONFIG, notices=notices)

    scripted(monkeypatch, answer)
    asked = ["bench", "--tasks", "copy", "--rounds", "1", "--columns", "plain,trim,carry"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "trim: not run. Cannot be trimmed." in out
    assert main([*asked, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["columns"] == ["plain", "carry"]
    assert report["left_out"] == {"trim": "Cannot be trimmed."}
    assert main(["bench", "--tasks", "copy", "--columns", "trim"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "runs none of these columns. Cannot be trimmed." in printed.err


def test_ratios_are_taken_within_rounds() -> None:
    own = (0.1, 0.2, 0.4)
    ours = (0.05, 0.05, 0.4)
    rounds = [
        {
            "mlx-lm": run_of(reply_of([1, 2, 3], seconds=a)),
            "auto": run_of(reply_of([1, 2, 3], seconds=b)),
        }
        for a, b in zip(own, ours, strict=True)
    ]
    result = TaskResult.of(TASKS["copy"], (OWN, AUTO), rounds)
    base, auto = result.columns
    assert base.ratio == Spread(1.0, 1.0, 1.0, None)
    assert auto.ratio.median == pytest.approx(2.0)
    assert (auto.ratio.low, auto.ratio.high) == (pytest.approx(1.0), pytest.approx(4.0))
    assert base.speed.median == pytest.approx(5.0)
    assert (base.speed.low, base.speed.high) == (pytest.approx(2.5), pytest.approx(10.0))


def test_a_row_holds_what_the_runs_did() -> None:
    plain = reply_of([1, 2, 3, 4, 5, 6])
    drafted = reply_of([1, 2, 3, 4, 5, 6], accepted=3, stood_down="drafts do not pay")
    steady = reply_of([1, 2, 3, 4, 5, 6], accepted=3)
    rounds = [{"mlx-lm": plain, "auto": drafted}, {"mlx-lm": plain, "auto": steady}]
    _, head, own, auto, *rest = lines_of((OWN, AUTO), rounds)
    assert head.startswith("column ")
    assert own.split()[:3] == ["mlx-lm", "10.0", "(10.0-10.0)"]
    assert own.endswith("equal           -")
    assert "6/6" in own
    # 3 steps for 6 tokens, 3 of 4 drafts kept, a tenth of 0.1 s to draft, and of one step in three.
    assert "3/6" in auto
    assert " 0.50 " in auto
    assert " 0.75 " in auto
    assert " 10000 " in auto
    assert " 3.3% " in auto
    assert auto.endswith("equal      1 of 2")
    stood_down, too_few = rest
    assert stood_down == "auto stood down: drafts do not pay."
    assert "--rounds 6" in too_few


def test_figures_of_other_ids_do_not_count() -> None:
    rounds = [
        {"mlx-lm": reply_of([1, 2, 3]), "auto": reply_of([1, 2, 3])},
        {"mlx-lm": reply_of([1, 2, 3]), "auto": reply_of([1, 9, 3])},
    ]
    lines = lines_of((OWN, AUTO), rounds)
    assert lines[3].count("DIFFER") == 2
    assert "token 1 is not that of mlx-lm" in lines[4]
    runs = [{name: run_of(reply) for name, reply in each.items()} for each in rounds]
    auto = TaskResult.of(TASKS["copy"], (OWN, AUTO), runs).columns[1].as_json()
    assert (auto["ids_equal"], auto["differs_at"]) == (False, 1)
    assert auto["ratio"] == {"median": None, "low": None, "high": None, "interval": None}


def test_a_first_column_that_differs_from_itself_is_no_yardstick() -> None:
    rounds = [{"mlx-lm": reply_of([1, 2])}, {"mlx-lm": reply_of([1, 3])}]
    assert lines_of((OWN,), rounds)[2].count("DIFFER") == 2


def test_replies_part_at_the_first_other_token_or_at_the_end_of_the_shorter() -> None:
    assert first_difference((1, 2, 3), (1, 9, 3)) == 1
    assert first_difference((1, 2, 3), (1, 2)) == 2


def test_the_interval_of_the_median_is_that_of_the_sign_test() -> None:
    # Published ranks for 95 %: 1 and n from six values on, 2 from nine, 3 from twelve, 4 from 15.
    ranks = {6: 1, 8: 1, 9: 2, 11: 2, 12: 3, 14: 3, 15: 4, 17: 5, 20: 6, 25: 8}
    for count, rank in ranks.items():
        values = [float(value) for value in range(1, count + 1)]
        assert median_interval(values[::-1]) == (rank, count + 1 - rank), count
    assert [median_interval([1.0] * count) for count in range(6)] == [None] * 6


@given(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=40))
def test_the_interval_holds_the_median_and_what_it_covers_is_enough(values: list[float]) -> None:
    spread = Spread.of(values)
    assert spread.interval is not None
    assert spread.median is not None
    low, high = spread.interval
    assert spread.low is not None
    assert spread.low <= low <= spread.median <= high
    count = len(values)
    below = sorted(values).index(low)
    outside = 2 * sum(math.comb(count, k) for k in range(below + 1)) / 2**count
    assert 1 - outside >= 0.95 or low == sorted(values)[0] or len(set(values)) < count


def test_the_long_task_fills_what_the_context_holds() -> None:
    def answer(request: GenerationRequest, _: bool) -> Reply:
        return reply_of([1], prompt_tokens=len(request.messages[-1].content) // 4)

    long = TASKS["long"]
    for length, target, is_whole in (
        (40_000, 16_384, True),
        (8192, 16_384, False),
        (900, 700, True),
    ):
        session = ScriptedSession(answer)
        task, sentence = fitted(session, replace(INFO, context_length=length), long, target)
        assert task is not None
        room = min(target, length - long.max_tokens)
        assert 0.85 * room < len(task.prompt) // 4 < room
        assert task.prompt.endswith(long.prompt)
        assert (sentence is None) == is_whole
    task, sentence = fitted(session, replace(INFO, context_length=1024), long, 16_384)
    assert task is None
    assert "skipped" in (sentence or "")
    assert fitted(session, INFO, TASKS["copy"], 16_384) == (TASKS["copy"], None)


def test_a_long_task_that_does_not_fit_is_skipped_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    session = scripted(monkeypatch, lambda *_: reply_of([1, 2, 3]))
    session._info = replace(INFO, context_length=512)
    assert main(["bench", "--tasks", "long", "--rounds", "1"]) == 0
    assert "long: skipped, since demo holds 512 tokens" in capsys.readouterr().out


def test_no_two_entries_of_the_logbook_are_alike() -> None:
    entries = logbook(900).strip().split("\n\n")
    assert len(entries) == 900
    assert len({entry.partition(". ")[2] for entry in entries}) == 900
    assert logbook(20) == logbook(900)[: len(logbook(20))]


def test_the_everyday_tasks_are_the_default_and_keep_their_order() -> None:
    assert tuple(task.name for task in choose_tasks(None)) == EVERYDAY
    assert [task.name for task in choose_tasks("story, copy,story")] == ["story", "copy"]
    assert [task.name for task in choose_tasks("all")] == list(TASKS)
    assert [TASKS[name].max_tokens for name in EVERYDAY] == [500, 600, 200, 400, 400]
    with pytest.raises(RequestError, match="no task named"):
        choose_tasks("all,sing")


def test_a_task_of_several_turns_sends_them_all() -> None:
    task = TASKS["turns"]
    sent = task.request(SpeculationParams()).messages
    assert sent == (*task.earlier, Message("user", task.prompt))
    assert [message.role for message in sent] == ["user", "assistant"] * (len(sent) // 2) + ["user"]


def test_on_the_demo_model_all_columns_give_the_ids_of_mlx_lm(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    prompt = "Replace every cat by dog.\n\nThe cat saw a red door. The cat saw a blue door."
    monkeypatch.setitem(TASKS, "brief", Task("brief", "a brief one", prompt, 14))
    asked = ["bench", "--tasks", "brief", "--rounds", "1"]
    columns = "mlx-lm,plain,lookup:4,carry:4"
    assert main([*asked, "--columns", columns, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (task,) = report["tasks"]
    rows = {column["column"]: column for column in task["columns"]}
    assert list(rows) == columns.split(",")
    assert all(row["ids_equal"] for row in rows.values())
    assert {row["tokens"] for row in rows.values()} == {14}
    assert rows["mlx-lm"]["forwards"] == rows["plain"]["forwards"] == 14
    assert rows["carry:4"]["forwards"] < 14
    assert rows["carry:4"]["acceptance"] > 0
    assert rows["plain"]["ratio"]["median"] > 0
    assert rows["mlx-lm"]["draft_microseconds"] is None
    assert rows["lookup:4"]["draft_microseconds"] > 0
