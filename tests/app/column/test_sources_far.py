"""Sources of drafts in turns that think, are not built, or are shown as Markdown."""

from dataclasses import replace

import pytest

from app.models.context_map import ContextMap
from app.models.message_owners import owners, reply_offset
from app.models.reply import Reply
from app.models.sources import parts_of
from engine import Message, replay_trace
from tests.app.trace_replies import trace


def with_messages(source, *contents):
    """The trace with other turns in front of its last message."""
    started = source.started
    messages = tuple(
        Message("user" if n % 2 == 0 else "assistant", content)
        for n, content in enumerate(contents)
    )
    # The messages' texts take the place of the prompt's beginning, a character a token.
    text = "".join(f"<|m|>{content}<|e|>" for content in contents)
    return replace(
        source,
        started=replace(
            started,
            messages=messages,
            prompt_text=text,
            prompt_ids=tuple(range(len(text))),
            prompt_ends=tuple(range(1, len(text) + 1)),
        ),
    )


ANSWER = "the quick brown fox jumps"
THOUGHT = f"<think>quick thoughts, and {ANSWER}</think>\n\n"


def reply_copied_from(answer):
    """A reply whose steps were all copied from the word `brown` of the answer before it."""
    source = with_messages(trace("local"), "first", answer, "again")
    place = source.started.prompt_text.index("brown")
    reply = Reply()
    for event in replay_trace(source):
        record = getattr(event, "record", None)
        if record is not None:
            shift = record.position - len(trace("local").started.prompt_ids)
            position = len(source.started.prompt_ids) + shift
            copied = ((place, 5),) if len(record.draft) >= 5 else ()
            event = replace(
                event, record=replace(record, copied=copied, match=None, position=position)
            )
        reply.apply(event)
    return reply


@pytest.fixture
def desk(make_column):
    def make(turns_between=0, **options):
        desk = make_column(**options)
        desk.first = desk.say("first", THOUGHT + ANSWER)
        desk.fill(turns_between)
        desk.last = desk.chat.ask("again")
        desk.last.reply = reply_copied_from(ANSWER)
        desk.open()
        return desk

    return make


def drafted_step(reply):
    return next(n for n in range(len(reply.log)) if reply.log[n].copied and reply.log[n].accepted)


def lit(text):
    return {text.paragraphs.plain_text(low, high) for low, high, part in text.sources}


def test_a_source_in_an_answer_lies_behind_its_thinking(desk):
    desk = desk(is_tokens=True)
    desk.inspection.show_reply(desk.last.reply)
    desk.inspection.select_step(drafted_step(desk.last.reply))
    desk.settle()
    assert "brown" in lit(desk.turns[0].reply.text)
    starts = {low for low, _, part in desk.turns[0].reply.text.sources if part == "draft"}
    assert starts == {(THOUGHT + ANSWER).rindex("brown")}


def test_a_reply_told_with_its_thinking_counts_from_its_beginning(desk):
    desk = desk()
    assert reply_offset(desk.first, ANSWER) == len(THOUGHT)
    assert reply_offset(desk.first, THOUGHT + ANSWER) == 0
    assert reply_offset(desk.first, "something else") is None


def test_selecting_a_token_turns_the_token_view_on(desk):
    desk = desk()
    assert not desk.display.is_on
    desk.inspection.show_reply(desk.last.reply)
    desk.inspection.select_step(drafted_step(desk.last.reply))
    desk.settle()
    assert not desk.display.is_on
    desk.inspection.select_token(desk.last.reply.log.first_token(3))
    desk.settle()
    assert desk.display.is_on
    assert desk.turns[-1].reply.text.isVisible()


def test_a_source_that_is_not_built_is_built_and_scrolled_to_and_back(desk):
    desk = desk(turns_between=80)
    # The turns between were left out of the prompt, as unanswered ones are.
    reply = desk.last.reply
    found = owners(desk.chat.exchanges, desk.last, reply.started.messages)
    assert found[1] == (desk.first, True)
    step = drafted_step(reply)
    desk.inspection.show_reply(reply)
    desk.inspection.select_token(reply.log.first_token(step))
    desk.settle()
    assert desk.view.stretch.turn_of(desk.first) is None
    assert desk.view.spotlight.has_source
    desk.view.spotlight.jump()
    desk.settle()
    turn = desk.view.stretch.turn_of(desk.first)
    assert "brown" in lit(turn.reply.text)
    assert desk.is_on_screen(turn.reply.text)
    desk.view.spotlight.jump()
    desk.settle()
    assert desk.is_on_screen(desk.view.stretch.turn_of(desk.last).reply.text)


def test_a_continued_reply_is_mapped_anew(desk):
    desk = desk(is_tokens=True)
    reply = desk.last.reply
    desk.inspection.show_reply(reply)
    desk.inspection.select_step(drafted_step(reply))
    desk.settle()
    lights = desk.view.spotlight._sources
    before = lights.context_of(desk.last, desk.chat.exchanges)
    assert isinstance(before, ContextMap)
    assert lights.context_of(desk.last, desk.chat.exchanges) is before
    reply.pieces = [*reply.pieces[:-1], replace(reply.pieces[-1], text="other")]
    desk.chat.publish(desk.last)
    assert lights.context_of(desk.last, desk.chat.exchanges) is not before
    assert parts_of(before, reply.log[0], None) is not None
