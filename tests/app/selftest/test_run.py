"""The self-test: on this machine as it is shipped, and over engines in which something is wrong."""

import io
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from app.selftest.check import Check, CheckError
from app.selftest.places import place_checks, trace_check
from app.selftest.reply import Reply, Talk
from app.selftest.rollbacks import compare
from app.selftest.run import self_test
from app.selftest.window import window_check
from engine import Failed, Finished, GenerationRequest, Message, Started, Stepped
from tests.fakes.scripted_worker import (
    ScriptedWorker,
    failing,
    reply_events,
    steps_of,
    tokens_of,
)

TRACE = Path(__file__).parents[2] / "traces" / "local.jsonl"


def run(folder, worker=None, check_window=lambda trace, temporary: Check(True, "window", "")):
    """Exit status and lines."""
    out = io.StringIO()
    make = (lambda: worker) if worker is not None else None
    more = {} if make is None else {"make_worker": make, "check_window": check_window}
    status = self_test(out, folder, **more)
    return status, out.getvalue().splitlines()


def reply_of(*ids, margins=None, guard_margin=0.0):
    """A reply of these tokens, one a step."""
    steps = steps_of([str(token) for token in ids], plain=True)
    steps = [
        replace(step, emitted=(token,), margins=None if margins is None else (margins[at],))
        for at, (step, token) in enumerate(zip(steps, ids, strict=True))
    ]
    events = list(reply_events(1, GenerationRequest(messages=(Message("user", "x"),)), steps))
    started = next(event for event in events if isinstance(event, Started))
    started = replace(started, config=replace(started.config, guard_margin=guard_margin))
    finished = next(event for event in events if isinstance(event, Finished))
    return Reply(started, tuple(e.record for e in events if isinstance(e, Stepped)), finished)


def test_all_is_well_here(tmp_path):
    """The shipped engine, model, store and window."""
    status, lines = run(tmp_path)
    assert status == 0, lines
    assert lines[0].startswith("Draftscope ")
    assert all(line.startswith("ok  ") for line in lines[1:-1]), lines
    for way in ("carry", "replay", "discard", "local"):
        (line,) = [line for line in lines if f"rollback {way}:" in line]
        assert line.endswith("same ids")
    for name in ("chats", "settings", "data folder", "trace", "window"):
        assert any(f"ok  {name}:" in line for line in lines)
    assert list(tmp_path.iterdir()) == []


def test_a_rollback_that_did_not_run_is_told(tmp_path):
    """The scripted engine always carries."""
    status, lines = run(tmp_path, ScriptedWorker())
    assert status == 1
    assert any("FAILED  rollback replay: carry ran in its place" in line for line in lines)
    assert lines[-1].endswith("failed")


def test_a_model_that_cannot_be_loaded_is_told(tmp_path):
    status, lines = run(tmp_path, ScriptedWorker(load_failure="It is\nnot there."))
    assert status == 1
    assert "FAILED  engine: It is not there." in lines
    assert "FAILED  window: not tried: there is no trace to open in it" in lines


def test_a_reply_that_fails_is_told(tmp_path):
    status, lines = run(tmp_path, ScriptedWorker(failing("No memory.")))
    assert status == 1
    assert "FAILED  plain: No memory." in lines


def test_other_tokens_are_told(tmp_path):
    def other(job, request):
        records = steps_of(tokens_of("one two three four five six seven eight nine ten eleven"))
        if request.speculation.enabled:
            last = records[-1]
            changed = (*last.emitted[:-1], 9_999)
            records[-1] = replace(last, emitted=changed)
        return reply_events(job, request, records)

    _status, lines = run(tmp_path, ScriptedWorker(other))
    assert any("FAILED  rollback carry: token" in line for line in lines), lines


def test_drafts_that_never_came_are_told(tmp_path):
    def script(job, request):
        return reply_events(job, request, steps_of(tokens_of("a b c"), plain=True))

    _status, lines = run(tmp_path, ScriptedWorker(script))
    assert "FAILED  rollback carry: nothing was drafted" in lines


def test_an_engine_that_says_nothing_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("app.selftest.reply.PATIENCE_SECONDS", 0.05)
    worker = ScriptedWorker(load_seconds=0.5)
    status, lines = run(tmp_path, worker)
    assert status == 1
    assert any(line.startswith("FAILED  engine: no answer within") for line in lines)


def test_a_difference_is_rounding_only_where_it_was_a_near_tie():
    plain = reply_of(1, 2, 3, margins=(5.0, 0.05, 5.0))
    assert compare(plain, reply_of(1, 2, 3)) == "same ids"
    near = compare(plain, reply_of(1, 9, 9, guard_margin=0.1))
    assert near == "same ids up to a near-tie at token 2"
    with pytest.raises(CheckError, match="token 2 is another"):
        compare(plain, reply_of(1, 9, 9, guard_margin=0.01))
    with pytest.raises(CheckError, match="token 1 is another"):
        compare(plain, reply_of(9, 2, 3, guard_margin=0.1))
    with pytest.raises(CheckError, match="token 3 is another"):
        compare(plain, reply_of(1, 2, guard_margin=0.1))
    with pytest.raises(CheckError, match="token 4 is another"):
        compare(plain, reply_of(1, 2, 3, 4, guard_margin=100.0))


def test_another_job_s_events_are_not_taken_for_ours():
    worker = ScriptedWorker()
    worker.events.put(Failed(77, "Something else."))
    talk = Talk(worker)
    assert talk.load("demo").is_demo
    worker.close()


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    (check,) = [c for c in place_checks(tmp_path / "file" / "data", tmp_path) if "data" in c.name]
    assert not check.is_ok
    assert check.words.endswith("is a file; move it away")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_told(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    (check,) = [c for c in place_checks(folder, tmp_path) if "data" in c.name]
    assert not check.is_ok
    assert "cannot be written (permission denied)" in check.words


def test_a_folder_that_is_not_there_is_not_made(tmp_path):
    folder = tmp_path / "not" / "there"
    (check,) = [c for c in place_checks(folder, tmp_path) if c.name == "data folder"]
    assert check.is_ok
    assert check.words.endswith("can be made")
    assert not folder.exists()


def test_a_damaged_trace_is_told(tmp_path):
    path = tmp_path / "cut.jsonl"
    path.write_bytes(TRACE.read_bytes()[:-300])
    check = trace_check(path)
    assert not check.is_ok
    assert not trace_check(tmp_path / "none.jsonl").is_ok


def test_a_window_that_does_not_open_is_told(tmp_path, monkeypatch):
    assert not window_check(tmp_path / "none.jsonl", tmp_path).is_ok
    monkeypatch.setattr("app.selftest.window.app_command", lambda: ["/nowhere/at/all"])
    (tmp_path / "home").rmdir()
    check = window_check(TRACE, tmp_path)
    assert not check.is_ok
    assert "cannot be started" in check.words
