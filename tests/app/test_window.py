"""The window over a scripted worker: keys, switches, legend, failures, pastes, stalls, closing."""

import asyncio

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.views.menus import as_shown
from app.views.reply_text import ReplyText
from engine import ORIGINS, Notice
from tests.fakes.scripted_worker import failing, reply_events, saying, steps_of, tokens_of


def test_switches_reach_the_next_request(make_desk):
    desk = make_desk()
    inspector = desk.window.live
    desk.ask()
    for switch in (inspector.replay, inspector.exclusions):
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(10, 12))
    desk.ask()
    QTest.keyClick(inspector.speculation, Qt.Key.Key_Space)
    desk.ask()
    first, second, third = (request.speculation for request in desk.worker.requests)
    assert (first.enabled, first.replay, first.exclude) == (True, True, True)
    assert (second.enabled, second.replay, second.exclude) == (True, False, False)
    assert third.enabled is False
    assert desk.window.header.badge.text() == "Speculation off"
    assert inspector.effective.text() == "effective: plain decoding"


def test_draft_length_is_chosen_in_a_menu_and_its_effect_shown(make_desk):
    desk = make_desk()
    inspector = desk.window.live
    next(a for a in inspector.menu.actions() if a.text() == "3").trigger()
    assert inspector.length.text() == "3 ▾"
    desk.ask()
    assert desk.worker.requests[0].speculation.draft_length == 3
    assert inspector.effective.text() == "effective: carry, length 3"


def test_a_tool_tip_writes_keys_as_the_system_does(make_desk):
    tip = make_desk().window.header.tokens.toolTip()
    assert tip.endswith(f"({as_shown('Ctrl+T')})")


def test_the_legend_counts_what_the_tally_counts(make_desk):
    desk = make_desk(saying("word " * 200))
    reply = desk.ask()
    legend = desk.window.conversation.reply_views[0].legend
    counts = {origin: item.count for origin, item in legend.items.items()}
    assert counts == {origin: reply.run.origins[origin] for origin in ORIGINS}
    assert counts["accepted"] + counts["replayed"] == reply.final.accepted
    assert sum(counts.values()) == reply.final.emitted
    assert desk.window.live.counters.value("forwards") == f"{reply.final.forwards:,}"
    assert desk.window.live.counters.value("tokens") == f"{reply.final.emitted:,}"


def test_a_kind_can_be_hidden_and_all_with_the_tokens_button(make_desk):
    desk = make_desk(saying("word " * 50))
    desk.ask()
    view, display = desk.window.conversation.reply_views[0], desk.session.display
    QTest.mouseClick(view.legend.items["bonus"], Qt.MouseButton.LeftButton)
    assert display.shown == frozenset(ORIGINS) - {"bonus"}
    desk.window.header.tokens.click()
    assert display.shown == frozenset()
    desk.window.header.tokens.click()
    assert display.shown == frozenset(ORIGINS) - {"bonus"}


def test_a_failure_is_shown_with_details_and_can_be_tried_again(make_desk):
    desk = make_desk(failing("The model ran out of room; ask for less.", "trace of it"))
    desk.ask("precious words")
    view = desk.window.conversation.reply_views[0]
    block = view._failure
    assert block.problem.sentence.text() == "The model ran out of room; ask for less."
    assert not block.problem.details.isVisible()
    block.problem.fold.click()
    assert block.problem.details.isVisible()
    assert block.problem.details.toPlainText() == "trace of it"
    block.problem.copy.click()
    report = QGuiApplication.clipboard().text()
    assert "trace of it" in report
    assert "Demo model" in report
    assert "precious words" not in report
    desk.worker._script = saying("now it works")
    desk.do(block.retry.click)
    exchange = desk.chats.current.exchanges[0]
    desk.wait(desk.until(lambda: exchange.reply.is_over))
    assert exchange.reply.text == "now it works"
    assert [m.content for m in desk.worker.requests[-1].messages] == ["precious words"]
    desk.settle()
    assert view._failure is None


def test_a_request_the_engine_refuses_is_a_failure_in_the_conversation(make_desk):
    desk = make_desk()
    reply = desk.ask("   ")
    assert reply.phase == "failed"
    assert "empty" in reply.failure.sentence
    assert not desk.controller.is_busy


def test_a_model_that_cannot_be_loaded_says_so(make_desk):
    desk = make_desk(load_failure="There is no model called zebra; give a folder.")
    composer = desk.window.composer
    assert composer.state.accessibleName() == "There is no model called zebra; give a folder."
    assert not composer.button.isEnabled()
    block = desk.window.conversation.empty._failure
    assert block.problem.sentence.text() == "There is no model called zebra; give a folder."
    desk.worker._load_failure = ""
    desk.do(block.retry.click)
    desk.wait(desk.until(lambda: desk.session.model.stage == "ready"))
    assert desk.window.conversation.empty._failure is None
    composer.set_text("hello")
    assert composer.button.isEnabled()


def test_escape_stops_and_what_was_written_stays(make_desk):
    desk = make_desk(saying("word " * 20_000), pace=0.002)
    desk.window.composer.set_text("go")
    desk.do(desk.window.composer.button.click)
    reply = desk.chats.current.last_reply
    desk.wait(desk.until(lambda: len(reply.pieces) > 5))
    assert desk.window.composer.button.text() == "Stop"
    desk.window.activateWindow()
    desk.do(lambda: QTest.keyClick(desk.window, Qt.Key.Key_Escape))
    desk.wait(desk.until(lambda: reply.is_over and not desk.controller.is_busy))
    assert reply.stop == "cancelled"
    assert reply.text.startswith("word")
    assert desk.window.composer.button.text() == "Send"


def test_lone_surrogates_do_not_break_the_window(make_desk):
    desk = make_desk(saying("fine"))
    assert desk.ask("a\ud800b").text == "fine"


def test_chats_are_kept_and_can_be_opened_again(make_desk):
    desk = make_desk(saying("first answer"))
    desk.ask("first question")
    desk.window.sidebar.new.click()
    assert desk.chats.current.exchanges == []
    assert desk.window.conversation.empty.isVisible()
    desk.window.sidebar.new.click()
    assert len(desk.chats.items) == 2
    desk.window.sidebar.chat_chosen.emit(desk.chats.items[1])
    assert desk.window.header.title.accessibleName() == "first question"
    assert len(desk.window.conversation.reply_views) == 1


def test_notices_are_shown_above_the_reply(make_desk):
    def script(job, request):
        yield Notice(job, "The system prompt was folded into your message.")
        yield from reply_events(job, request, steps_of(["ok"]))

    desk = make_desk(script)
    assert desk.ask().notices == ["The system prompt was folded into your message."]


@pytest.mark.parametrize(("width", "is_shown"), [(1440, True), (800, False)])
def test_the_inspector_gives_way_in_a_narrow_window(make_desk, width, is_shown):
    desk = make_desk()
    desk.window.resize(width, 700)
    desk.settle()
    assert desk.window.is_inspector_shown is is_shown
    desk.window.header.panel.click()
    assert desk.window.is_inspector_shown is not is_shown
    assert desk.window.width() == width


def test_a_long_reply_is_shown_in_many_small_helpings(make_desk, monkeypatch):
    """How long the event loop is away for each is printed by tests/bench/window.py."""
    tokens = tokens_of("def amount(item):\n    return item.price * 2\nand some prose, too. " * 220)
    assert len(tokens) > 4_000
    helpings: list[int] = []
    append = ReplyText.append_pieces

    def counted(view, pieces):
        pieces = list(pieces)
        helpings.append(len(pieces))
        append(view, pieces)

    monkeypatch.setattr(ReplyText, "append_pieces", counted)
    desk = make_desk(lambda job, request: reply_events(job, request, steps_of(tokens)), pace=0.0005)
    reply = desk.ask()
    assert reply.final.emitted == len(tokens)
    assert max(helpings) < len(tokens) / 4
    assert len(helpings) > 8


def test_closing_while_a_reply_streams_ends_everything(make_desk):
    desk = make_desk(saying("word " * 5_000), pace=0.002)

    async def use_and_close():
        running = asyncio.ensure_future(desk.session.run())
        await desk.until(lambda: desk.session.model.stage == "ready")
        desk.controller.send("go")
        await desk.until(lambda: bool(desk.chats.current.last_reply.pieces))
        desk.window.close()
        return await running

    desk.wait(use_and_close())
    assert not desk.worker.is_alive
