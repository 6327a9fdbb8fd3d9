"""What a trace, a settings file or a neighbour may do, and nothing is lost or hangs by it."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.main.picture import complain
from app.models.playback import Playback
from app.models.rerun import rerun_refusal
from app.settings import Settings, read_settings, update_settings, write_settings
from app.views.column.body import MOST_PIECES
from app.views.column.notices import MOST_NOTICES
from app.views.inspector.draft_row import MOST_CHIPS
from engine import Notice, read_trace, write_trace
from engine.terminal import export
from engine.terminal.arguments import parse
from tests.app.trace_replies import reply_of
from tests.fakes.scripted_worker import INFO, reply_events, steps_of

LOCAL = Path(__file__).parents[1] / "traces" / "local.jsonl"


def test_two_windows_do_not_undo_each_other(tmp_path):
    path = tmp_path / "settings.json"
    write_settings(path, Settings(theme="dark"))
    assert update_settings(path, {"speculation": {"draft_length": 7}}) is None
    assert update_settings(path, {"width": 900}) is None
    settings, _ = read_settings(path)
    assert (settings.theme, settings.width) == ("dark", 900)
    assert settings.speculation == {"draft_length": 7}


def test_settings_that_cannot_be_read_are_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    write_settings(path, Settings(theme="dark"))
    before = path.read_bytes()

    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("app.settings.file._content", refuse)
    sentence = update_settings(path, {"width": 900})
    assert "cannot be read (Permission denied)" in sentence
    assert path.read_bytes() == before


def test_an_export_does_not_take_the_place_of_its_trace(tmp_path):
    path, link = tmp_path / "run.jsonl", tmp_path / "link.csv"
    path.write_bytes(LOCAL.read_bytes())
    link.symlink_to(path)
    for target in (path, link):
        with pytest.raises(Exception, match="is the trace itself"):
            export.run(parse(["export", str(path), "--csv", str(target)]))
    assert path.read_bytes() == LOCAL.read_bytes()


def test_a_numbered_trace_takes_no_file_that_is_there(make_desk, tmp_path):
    desk = make_desk()
    desk.controller.traces.first = tmp_path / "run.jsonl"
    (tmp_path / "run-2.jsonl").write_text("mine")
    desk.ask()
    desk.ask()
    assert (tmp_path / "run-2.jsonl").read_text() == "mine"
    assert (tmp_path / "run-3.jsonl").exists()


def test_a_trace_that_was_not_read_whole_is_not_saved_over_itself(make_desk, tmp_path):
    desk, path = make_desk(), tmp_path / "cut.jsonl"
    path.write_bytes(LOCAL.read_bytes()[:-2_000])
    before = path.read_bytes()

    async def opening():
        chat = await desk.session.traces.open(path)
        assert not await desk.session.traces.save(chat, chat.last_reply, path, "trace")
        assert await desk.session.traces.save(chat, chat.last_reply, tmp_path / "b.jsonl", "trace")

    desk.wait(opening())
    assert path.read_bytes() == before


def test_very_many_notices_become_a_few(make_desk):
    def script(job, request):
        for number in range(500):
            yield Notice(job, f"notice {number}")
        yield from reply_events(job, request, steps_of(["ok"]))

    desk = make_desk(script)
    desk.ask()
    view = desk.window.conversation.reply_views[-1]
    texts = [label.text() for label in view.head.notices]
    assert len(texts) == MOST_NOTICES
    assert texts[0] == "notice 0"
    assert texts[-1].endswith(f"(and {500 - MOST_NOTICES} more)")


def test_very_much_text_comes_in_helpings(make_desk):
    desk = make_desk()
    reply = desk.ask()
    view = desk.window.conversation.reply_views[-1]
    piece = reply.pieces[-1]
    reply.pieces += [replace(piece, text="x")] * (3 * MOST_PIECES)
    view.refresh()
    assert view.body.num_fed <= 2 * MOST_PIECES
    desk.wait(desk.until(lambda: view.body.num_fed == len(reply.pieces)))
    assert view.text.paragraphs.plain_text(0, 10**9).endswith("x" * 3 * MOST_PIECES)


def test_a_step_of_any_size_can_be_looked_at(make_desk, tmp_path):
    trace = read_trace(LOCAL)
    first = trace.steps[0]
    wide = replace(
        first,
        emitted=tuple(range(9, 5009)),
        origins=("generated",) * 5_000,
        draft=(),
        cut=(),
        copied=(),
        excluded=0,
        match=None,
        spans=(replace(first.spans[0], first=0, num_tokens=5_000, text="y" * 50_000),),
        words=((9, "z" * 100_000),),
        logprobs=None,
        alternatives=None,
        margins=None,
    )
    path = tmp_path / "wide.jsonl"
    write_trace(path, trace.started, (wide,))
    desk = make_desk()

    async def opening():
        assert await desk.session.traces.open(path) is not None

    desk.wait(opening())
    desk.window.show_pane("step")
    desk.settle()
    assert len(desk.window.step.draft.chips) == MOST_CHIPS
    assert len(desk.window.step.draft.chips[0].text) < 100


def test_a_reply_without_its_end_says_so_where_it_is_compared():
    trace = read_trace(LOCAL)
    playback = Playback(replace(trace, finished=None))
    assert "cut short" in rerun_refusal(playback.reply, INFO)
    playback.close()


def test_impossible_settings_of_a_trace_are_a_sentence_where_it_is_compared():
    reply = reply_of(read_trace(LOCAL))
    config = replace(reply.started.config, draft_length=-1)
    reply.started = replace(reply.started, config=config, model=INFO.name)
    assert "none to run with" in rerun_refusal(reply, INFO)


def test_a_plain_speed_without_bounds_is_none():
    reply = reply_of(read_trace(LOCAL))
    reply.run.plain_seconds = 5e-324
    assert reply.run.plain_speed is None


def test_complaints_are_one_line(capsys):
    assert complain("two\nlines", 3) == 3
    assert capsys.readouterr().err == "two lines\n"
