"""`verify`: the grid it runs, what counts as a failure, and what it says of a difference."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import resources
from engine import EngineError, GenerationRequest, Probe, RequestError, SamplingParams
from engine.__main__ import main
from engine.terminal import verify
from engine.terminal.arguments import parse
from engine.terminal.differences import Case, Choice, Difference, Explainer
from engine.terminal.grid import SHIPPED, Row, Setting, settings
from engine.terminal.headway import Headway
from engine.terminal.prompts import BUILT_IN, read_prompts
from engine.terminal.reuse_check import ReuseRow, check_reuse
from engine.terminal.session import Reply
from engine.terminal.tasks import TASKS
from engine.terminal.verify import Report
from tests.fakes.records import CONFIG
from tests.fakes.terminal_replies import Answer, ScriptedSession, reply_of

REPLACE = "Replace every cat by dog.\n\nThe cat saw a red door. It sat. The cat saw a blue door."
CASE = Case(TASKS["story"], SamplingParams(), 8)
Capture = pytest.CaptureFixture[str]


def rows_of(*flags: str) -> tuple[Setting, ...]:
    return settings(parse(["verify", *flags]), ("discard", "carry"))


def scripted(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> ScriptedSession:
    session = ScriptedSession(answer)
    monkeypatch.setattr(verify, "Session", lambda: session)
    return session


def agreeing(request: GenerationRequest, _: bool) -> Reply:
    """A model that knows carry and discard, drafts where it may, and reuses all but a token."""
    asked = request.speculation
    if not asked.enabled:
        return reply_of(range(8), config=replace(CONFIG, enabled=False, rollback=None))
    rollback = "carry" if asked.rollback in ("auto", "trim", "local", "replay") else asked.rollback
    config = replace(CONFIG, rollback=rollback, guard=asked.draft_length is None)
    notices = () if asked.rollback in ("auto", rollback) else (f"{asked.rollback} is not there.",)
    reused = 11 if request.reuse else 0
    return reply_of(
        range(8), accepted=2, config=config, notices=notices, prompt_tokens=12, reused=reused
    )


def differing(where: Callable[[GenerationRequest], bool]) -> Answer:
    """The same model, but for a token where `where` says so."""

    def answer(request: GenerationRequest, is_reference: bool) -> Reply:
        reply = agreeing(request, is_reference)
        if not where(request):
            return reply
        return reply_of([0, 1, 2, 9, 4], accepted=2, config=reply.started.config)

    return answer


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--prompts", "/no/such/file"), "/no/such/file"),
        (("--temperatures", "warm"), "'warm' is not a number"),
        (("--temperatures", "-1"), "temperature is -1"),
        (("--rollbacks", "undo"), "one of trim"),
        (("--drafters", "guess"), "one of auto, lookup, suffix"),
        (("--draft-lengths", ","), "something in it"),
        (("--draft-lengths", "0"), "from 1 up"),
        (("--max-tokens", "0"), "must be at least 1"),
    ],
)
def test_what_cannot_be_verified_is_one_line_and_exit_2(
    capsys: Capture, flags: tuple[str, ...], words: str
) -> None:
    assert main(["verify", *flags]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert words in printed.err


def test_the_thin_grid_has_each_rollback_with_each_drafter_and_length() -> None:
    rows = rows_of()
    assert rows[0] == SHIPPED
    assert {(row.drafter, row.rollback) for row in rows[1:]} == {
        (drafter, rollback) for drafter in ("lookup", "suffix") for rollback in ("discard", "carry")
    }
    assert {(row.draft_length, row.rollback) for row in rows[1:]} == {
        (length, rollback) for length in (2, 5) for rollback in ("discard", "carry")
    }
    assert len(rows) == 5


def test_a_grid_that_is_asked_for_is_run_whole() -> None:
    rows = rows_of("--drafters", "lookup,auto,lookup", "--draft-lengths", "3,auto")
    assert {str(row) for row in rows} == {
        f"{drafter} {rollback} {length}"
        for drafter in ("lookup", "auto")
        for rollback in ("discard", "carry")
        for length in ("3", "auto")
    }
    assert len(rows) == 8
    assert settings(parse(["verify"]), ()) == ()


def test_the_guard_runs_beside_a_twin_without_it() -> None:
    asked = ("--drafters", "lookup", "--draft-lengths", "5")
    assert [str(row) for row in rows_of(*asked, "--guard")] == [
        "lookup discard 5 unguarded",
        "lookup discard 5 guarded",
        "lookup carry 5 unguarded",
        "lookup carry 5 guarded",
    ]
    assert [row.params.guard for row in rows_of(*asked, "--no-guard")] == [False, False]
    assert {row.params.guard for row in rows_of(*asked)} == {None}


def test_a_pass_says_what_was_run_and_what_was_not(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    session = scripted(monkeypatch, agreeing)
    assert main(["verify"]) == 0
    out = capsys.readouterr().out
    head, shipped, *_ = out.splitlines()
    assert head.startswith("drafter rollback K")
    assert shipped.startswith("auto auto auto ")
    assert "trim: not run. trim is not there." in out
    assert "reuse, the second turn: 11 of 12 prompt tokens were kept, differences: 0." in out
    assert "Token-exact on these prompts" in out.splitlines()[-1]
    assert session.num_probes == 0
    asked = [request for request, _ in session.requests]
    assert {request.sampling.temperature for request in asked} == {0.0, 0.7}
    assert {request.messages[-1].content for request in asked} >= {p.prompt for p in BUILT_IN}
    # Both cases of the first prompt run the five rows, that of the second every other one.
    assert sum(row.startswith(("auto ", "lookup ", "suffix ")) for row in out.splitlines()) == 5
    replies = [int(row.split()[3]) for row in out.splitlines()[1:6]]
    assert sum(replies) == 13
    assert min(replies) == 2


def test_a_difference_fails_with_its_tokens_and_its_margin(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    asked = ["verify", "--rollbacks", "discard,carry", "--draft-lengths", "5"]
    session = scripted(
        monkeypatch, differing(lambda request: request.speculation.rollback == "carry")
    )
    assert main([*asked, "--drafters", "lookup", "--temperatures", "0", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert not report["passed"]
    rows = {row["rollback"]: row for row in report["rows"]}
    assert (rows["discard"]["differences"], rows["carry"]["differences"]) == (0, 2)
    first = report["differences"][0]
    assert (first["position"], first["plain"]["id"], first["speculative"]["id"]) == (3, 3, 9)
    assert first["setting"] == "lookup carry 5"
    assert session.num_probes == 1


def test_differences_with_the_guard_on_are_told_apart() -> None:
    near = Difference(CASE, "x", 1, Choice(1, "a"), Choice(2, "b"), 0.5, 4, 0.25)
    far = replace(near, margin=0.51)
    assert near.verdict == "near-tie"
    assert far.verdict == "NOT a tie: report it"
    assert replace(near, margin=None).verdict == "unknown"
    rows = [
        Row(
            Setting("lookup", "carry", 5),
            replies=2,
            tokens=9,
            accepted=3,
            attempts=1,
            differences=1,
        ),
        Row(SHIPPED, replies=2, tokens=8, accepted=3, has_guard=True, differences=1),
    ]
    summary = Report("m", rows, differences=[near, far]).summary()
    assert summary == (
        "FAILED: 2 differences in 4 speculative replies, 17 tokens; 1 of them near-ties, 1 with "
        "the guard on."
    )


def test_a_difference_is_explained_from_the_draw_and_the_probe() -> None:
    plain = reply_of([5, 6, 7, 8], texts=["a", "b", "c", "d"])
    other = reply_of([5, 9, 7, 8], texts=["a", "x", "c", "d"], accepted=2)
    session = ScriptedSession(lambda *_: reply_of([5, 6, 7, 8], margins=[3.0, 0.4, 2.0, 1.0]))
    found = Explainer(session).explain(CASE, "lookup carry 4", plain, other)
    assert (found.position, found.margin) == (1, 0.4)
    assert (found.plain, found.speculative) == (Choice(6, "b"), Choice(9, "x"))
    # Five tokens wide: the next probed width is 8, and 4 showed more than that.
    assert (found.width, found.tolerance, found.verdict) == (5, 0.25, "near-tie")
    assert session.requests[0][0].num_alternatives > 0
    assert not session.requests[0][0].speculation.enabled
    assert found.sentence() == (
        "story at temperature 0, lookup carry 4: token 1 is 6 'b' plain and 9 'x' speculative; the "
        "plain one led by 0.400000 logits, and a block of up to 5 may be off by 0.250000 here: "
        "near-tie."
    )


def test_only_forwards_before_the_difference_count_and_the_end_is_a_choice_too() -> None:
    plain, session = reply_of([5, 6, 7]), ScriptedSession(lambda *_: reply_of([5, 6, 7]))
    explainer = Explainer(session)
    early = explainer.explain(CASE, "x", plain, reply_of([4, 6, 7, 8], accepted=2))
    assert (early.position, early.width, early.tolerance) == (0, 1, 0.0)
    shorter = explainer.explain(CASE, "x", plain, reply_of([5, 6]))
    assert (shorter.position, shorter.speculative.show()) == (2, "the end")
    assert (shorter.margin, shorter.verdict) == (None, "unknown")
    assert session.num_probes == 1


def test_a_model_that_cannot_be_probed_leaves_the_verdict_open(capsys: Capture) -> None:
    class Unprobed(ScriptedSession):
        def probe(self) -> Probe:
            raise EngineError("No probe today.")

    session = Unprobed(lambda *_: reply_of([5, 6], margins=[1.0, 1.0]))
    found = Explainer(session).explain(CASE, "x", reply_of([5, 6]), reply_of([5, 9]))
    assert (found.margin, found.verdict) == (1.0, "unknown")
    assert "No probe today." in capsys.readouterr().err


def test_a_second_turn_from_kept_caches_is_held_to_plain_ids_from_scratch() -> None:
    session = ScriptedSession(agreeing)
    rows, differences = check_reuse(session, CASE, Explainer(session), Headway(4, "all."))
    assert rows == [
        ReuseRow("the second turn", 12, 11, 0),
        ReuseRow("the same turn again", 12, 11, 0),
    ]
    assert differences == []
    first, truth, kept, again = (request for request, _ in session.requests)
    assert (truth.reuse, truth.speculation.enabled) == (False, False)
    assert (first.reuse, kept.reuse) == (True, True)
    assert kept == again
    assert kept.messages == truth.messages
    assert [m.role for m in kept.messages] == ["user", "assistant", "user"]

    session = ScriptedSession(differing(lambda request: request.reuse))
    _, differences = check_reuse(session, CASE, Explainer(session), Headway(4, "all."))
    assert [found.setting for found in differences] == [
        "reuse, the second turn",
        "reuse, the same turn again",
    ]


def test_a_report_fails_for_each_thing_that_was_not_shown() -> None:
    assert Report("m").faults() == ["No draft was ever accepted, so nothing was shown."]
    row = Row(Setting("lookup", "carry", 4), replies=1, accepted=3, attempts=0, failures=2)
    assert Report("m", [row], reuse=[ReuseRow("x", 9, 0, 0)]).faults() == [
        "No partial accept came, so no replay was shown.",
        "The caches could not be rolled back 2 times.",
        "No token was kept from turn to turn, so no reuse was shown.",
    ]
    shown = Row(Setting("lookup", "trim", 4), replies=1, accepted=3)
    assert Report("m", [shown], reuse=[ReuseRow("x", 9, 8, 0)]).faults() == []


def test_a_row_counts_guarded_near_ties_and_acceptance() -> None:
    row = Row(SHIPPED)
    reply = reply_of(range(8), accepted=2, config=replace(CONFIG, guard=True))
    stats = replace(reply.finished.stats, guarded=3)
    row.add(replace(reply, finished=replace(reply.finished, stats=stats)), differs=True)
    assert row.cells() == ("auto auto auto", "1", "6/8", "2/4", "0.50", "3", "1/3/0", "1")
    assert row.as_json()["acceptance"] == 0.5
    assert row.as_json()["drafter"] == "auto"
    row = Row(SHIPPED)
    row.add(reply_of(range(3)), differs=False)
    assert row.cells()[4:6] == ("-", "off")


def test_prompts_are_lines_or_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "prompts"
    path.write_text('\ufeffone\n\n{"a": 1} add b\n', encoding="utf-8")
    assert [task.prompt for task in read_prompts(path)] == ["one", '{"a": 1} add b']
    path.write_text('"one"\n{"prompt": "two", "system": "s", "name": "n"}\n')
    assert [(task.prompt, task.system, task.name) for task in read_prompts(path)] == [
        ("one", None, "line 1"),
        ("two", "s", "n"),
    ]


def test_the_forty_prompts_for_verifying_are_read_and_all_different() -> None:
    path = Path(resources.__file__).parent / "prompts" / "verify.jsonl"
    tasks = read_prompts(path)
    assert len(tasks) == 40
    assert len({task.name for task in tasks}) == len({task.prompt for task in tasks}) == 40
    kinds = {task.name.partition("-")[0] for task in tasks}
    assert kinds >= {"copy", "edit", "rename", "json", "summary", "explain", "story", "list"}
    assert max(len(task.prompt) for task in tasks) < 400


def test_only_a_line_feed_ends_a_prompt(tmp_path: Path) -> None:
    path = tmp_path / "prompts"
    path.write_bytes("one\x0cstill one\u2028and still\r\ntwo\n".encode())
    prompts = [task.prompt for task in read_prompts(path)]
    assert prompts == ["one\x0cstill one\u2028and still", "two"]


def test_prompts_from_a_pipe_or_a_folder_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(RequestError, match="not a file"):
            read_prompts(path)


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


def test_verify_passes_on_the_demo_model_and_says_what_did_not_run(
    capsys: Capture, tmp_path: Path
) -> None:
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text(json.dumps({"prompt": REPLACE, "system": "Be brief."}) + "\n")
    asked = ["verify", "--prompts", str(prompts), "--json", "--max-tokens", "40"]
    grid = ["--draft-lengths", "4", "--drafters", "lookup", "--rollbacks", "trim,replay,carry"]
    assert main([*asked, *grid, "--temperatures", "0"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"]
    assert report["differences"] == []
    assert set(report["unsupported"]) == {"trim"}
    rows = {row["rollback"]: row for row in report["rows"]}
    assert set(rows) == {"replay", "carry"}
    assert rows["carry"]["accepted"] > 0
    assert rows["replay"]["attempts"] > 0
    assert rows["replay"]["replay_emitted"] > rows["replay"]["attempts"]
    assert all(row["reused_tokens"] > 0 for row in report["reuse"])


def test_verify_fails_where_speculation_never_engaged(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def plainly(request: GenerationRequest, is_reference: bool) -> Reply:
        config = agreeing(request, is_reference).started.config
        return reply_of(range(8), config=config, reused=1 if request.reuse else 0)

    scripted(monkeypatch, plainly)
    assert main(["verify", "--rollbacks", "carry", "--temperatures", "0"]) == 1
    assert "No draft was ever accepted" in capsys.readouterr().out
