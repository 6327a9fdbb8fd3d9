"""The numbers of the context: what is used, what is kept free, which turns are left out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.chat_settings import ChatSettings
from app.models.context_meter import (
    ContextUse,
    context_use,
    first_to_send,
    full_of,
    leaving_out,
    reserve_of,
    sent_sizes,
    turns_left_out,
)
from app.models.conversation import Conversation
from app.models.model_state import ModelState
from app.models.talk_state import talk_state
from engine import Failed, GenerationRequest, Loaded, Message
from tests.fakes.scripted_worker import INFO, reply_events, steps_of, tokens_of

CONTEXT = INFO.context_length


def ask(chat: Conversation, prompt: str, answer: str = "An answer of a few words.") -> None:
    exchange = chat.ask(prompt)
    request = GenerationRequest(messages=chat.messages(exchange))
    exchange.reply.request = request
    for event in reply_events(1, request, steps_of(tokens_of(answer))):
        exchange.reply.apply(event)


@pytest.fixture
def chat(qapp):
    chat = Conversation()
    yield chat
    chat.deleteLater()


def test_use_is_what_the_last_reply_counted(chat):
    assert context_use(chat, CONTEXT).used == 0
    assert context_use(chat, CONTEXT, "x" * 400).used == 100
    ask(chat, "one two three")
    ask(chat, "four five six")
    stats = chat.last_reply.statistics
    use = context_use(chat, CONTEXT, max_tokens=100)
    assert use == ContextUse(CONTEXT, stats.prompt_tokens + stats.emitted, 0, 100)
    assert sum(sent_sizes(chat)) == use.used


def test_a_question_that_failed_is_not_part_of_it(chat):
    ask(chat, "one two three")
    before = context_use(chat, CONTEXT).used
    chat.ask("never answered").reply.apply(Failed(1, "No.", kind="context_full"))
    assert context_use(chat, CONTEXT).used == before
    assert full_of(chat) == "failed"


def test_turns_that_are_left_out_do_not_count(chat):
    for number in range(4):
        ask(chat, f"question {number} " * 10)
    whole, sizes = context_use(chat, CONTEXT).used, sent_sizes(chat)
    chat.set_settings(ChatSettings(first=chat.exchanges[2].id))
    assert sent_sizes(chat) == [0, 0, *sizes[2:]]
    assert context_use(chat, CONTEXT).used == sum(sizes[2:]) < whole
    ask(chat, "one more")
    stats = chat.last_reply.statistics
    assert sum(sent_sizes(chat)) == stats.prompt_tokens + stats.emitted


def test_a_stored_reply_without_numbers_is_estimated(chat):
    ask(chat, "words " * 40, "answer " * 40)
    chat.last_reply.run = chat.last_reply.final = None
    assert 100 < context_use(chat, CONTEXT).used < 200


@pytest.mark.parametrize(
    ("max_tokens", "reserve"), [(None, 1_024), (100, 100), (4_096, 2_048), (10**9, 2_048)]
)
def test_the_reserve_never_takes_more_than_half(max_tokens, reserve):
    assert reserve_of(4_096, max_tokens) == reserve


def test_tight_and_over():
    use = ContextUse(1_000, 500, 250, 250)
    assert not use.is_tight
    assert replace(use, typed=251).is_tight
    assert not replace(use, typed=499).is_over
    assert replace(use, typed=500).is_over


@given(st.lists(st.integers(0, 5_000), max_size=30), st.integers(0, 9_000), st.integers(2, 9_000))
def test_as_few_turns_as_needed_are_left_out(sizes, typed, context):
    index = first_to_send(sizes, typed, context)
    assert 0 <= index <= len(sizes)
    fits = sum(sizes[index:]) + typed <= context // 2
    assert fits or index == len(sizes)
    if index:
        assert sum(sizes[index - 1 :]) + typed > context // 2


def test_the_place_the_prompt_begins_with(chat):
    for number in range(4):
        ask(chat, f"question {number} " * 20)
    sizes = sent_sizes(chat)
    context = 2 * (sizes[2] + sizes[3] + 50)
    assert turns_left_out(chat, 50, context, is_asked=False) == 2
    assert turns_left_out(chat, 10_000, context, is_asked=False) == 4
    assert turns_left_out(chat, 0, 100_000, is_asked=False) == 0
    begin = leaving_out(chat, context - 100, is_asked=False).first
    assert begin == chat.exchanges[2].id
    assert leaving_out(chat, 2, is_asked=False).first == chat.exchanges[3].id
    chat.ask("the last").reply.apply(Failed(1, "No.", kind="context_full"))
    assert turns_left_out(chat, 0, 20, is_asked=True) == 4
    assert turns_left_out(chat, 0, 100_000, is_asked=True) == 0
    assert leaving_out(chat, 20, is_asked=True).first == chat.exchanges[4].id


def test_what_was_thought_is_not_sent_again(chat):
    ask(chat, "why", "<think>" + "hmm " * 50 + "</think>\n\nBecause it is.")
    stats = chat.last_reply.statistics
    used = context_use(chat, CONTEXT).used
    assert stats.prompt_tokens < used < stats.prompt_tokens + stats.emitted / 3


def test_the_state_of_talk_carries_the_numbers(chat):
    model = ModelState(chat)
    assert talk_state(chat, model, None).use is None
    model.apply(Loaded(0, INFO))
    assert talk_state(chat, model, None).use == ContextUse(CONTEXT, reserve=CONTEXT // 4)
    ask(chat, "hello")
    state = talk_state(chat, model, None)
    assert state.context == f"{state.use.used:,} of 4,096 tokens"
    assert state.full == ""
    assert Message("user", "hello") in chat.last_reply.request.messages
