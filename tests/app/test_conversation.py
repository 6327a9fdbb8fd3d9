"""The tree of a chat: edits and answers as siblings, the path through it, what is sent of it."""

from dataclasses import replace

import pytest

from app.models.chat_settings import ChatSettings, plain_settings, settings_from
from app.models.choices import Choices
from app.models.context_meter import sent_sizes
from app.models.conversation import Conversation
from app.models.ids import new_id
from app.models.question import Attachment, Question
from app.models.reply import Piece, Reply
from engine import SamplingParams


def said(text: str) -> Reply:
    reply = Reply()
    reply.phase = "finished"
    reply.pieces.append(Piece(text, 0, (), 0))
    return reply


@pytest.fixture
def chat(qapp) -> Conversation:
    chat = Conversation()
    for number in range(3):
        chat.ask(f"question {number}").reply = said(f"answer {number}")
    return chat


def prompts(chat: Conversation) -> list[str]:
    return [exchange.prompt for exchange in chat.exchanges]


def test_an_edit_stands_beside_what_was_asked_with_all_below_it(chat: Conversation) -> None:
    old = chat.exchanges[1]
    fresh = chat.edit(old, Question("another"))
    assert prompts(chat) == ["question 0", "another"]
    assert list(fresh.siblings) == [old, fresh]
    chat.choose(old)
    assert prompts(chat) == ["question 0", "question 1", "question 2"]


def test_another_answer_stands_beside_the_first(chat: Conversation) -> None:
    last = chat.exchanges[1]
    variant = chat.answer_again(last)
    variant.reply = said("anew")
    assert [exchange.reply.text for exchange in chat.exchanges] == ["answer 0", "anew"]
    chat.choose(last, next(iter(last.variants)))
    assert [exchange.reply.text for exchange in chat.exchanges][1:] == ["answer 1", "answer 2"]


def test_deleting_one_answer_keeps_the_others(chat: Conversation) -> None:
    exchange = chat.exchanges[2]
    second = chat.answer_again(exchange)
    second.reply = said("second")
    removed = chat.remove(second)
    assert [each.reply.text for each in exchange.variants] == ["answer 2"]
    chat.put_back(removed)
    assert [each.reply.text for each in exchange.variants] == ["answer 2", "second"]
    assert chat.exchanges[2].variant is second


def test_deleting_the_only_answer_deletes_its_question_and_can_be_undone(
    chat: Conversation,
) -> None:
    exchange = chat.exchanges[1]
    removed = chat.remove(exchange.variant)
    assert removed.node is exchange
    assert prompts(chat) == ["question 0"]
    chat.put_back(removed)
    assert prompts(chat) == ["question 0", "question 1", "question 2"]


def test_deleting_the_first_question_leaves_an_empty_chat(chat: Conversation) -> None:
    chat.remove(chat.exchanges[0])
    assert chat.exchanges == []
    assert chat.last_reply is None


def test_what_was_thought_is_not_told_to_later_turns(chat: Conversation) -> None:
    chat.exchanges[0].reply = said("<think>Hm.</think>\n\nForty-two.")
    contents = [message.content for message in chat.messages(chat.exchanges[1])]
    assert contents == ["question 0", "Forty-two.", "question 1"]


def test_turns_before_the_first_one_to_send_are_left_out(chat: Conversation) -> None:
    chat.set_settings(replace(chat.settings, first=chat.exchanges[1].id))
    contents = [message.content for message in chat.messages(chat.exchanges[2], "Be kind.")]
    assert contents == ["Be kind.", "question 1", "answer 1", "question 2"]
    # On a path that it does not lie on, it says nothing.
    fresh = chat.edit(chat.exchanges[1], Question("else"))
    assert [m.content for m in chat.messages(fresh)] == ["question 0", "answer 0", "else"]


def test_a_question_before_the_first_one_to_send_is_asked_with_all_that_came_before_it(
    chat: Conversation,
) -> None:
    chat.set_settings(replace(chat.settings, first=chat.exchanges[2].id))
    early = chat.exchanges[1]
    whole = ["question 0", "answer 0", "question 1"]
    assert [message.content for message in chat.messages(early)] == whole
    # Answered anew it ends its path, and nothing is different for what is sent.
    chat.answer_again(early)
    assert [message.content for message in chat.messages(early)] == whole


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_meter_counts_the_turns_that_are_sent(chat: Conversation, first: int) -> None:
    last = chat.ask("question 3")
    chat.set_settings(replace(chat.settings, first=chat.exchanges[first].id))
    counted = [each for each, size in zip(chat.exchanges, sent_sizes(chat), strict=True) if size]
    asked = [message.content for message in chat.messages(last) if message.role == "user"]
    assert [each.prompt for each in (*counted, last)] == asked
    assert chat.prompt_start() == chat.prompt_start(last) == first


def test_a_chat_is_named_after_its_first_question_unless_it_was_named(qapp) -> None:
    chat = Conversation()
    chat.ask("What is this?\nAnd that?")
    assert chat.title == "What is this?"
    chat.rename("  Mine ")
    chat.edit(chat.exchanges[0], Question("Else"))
    assert (chat.title, chat.is_named) == ("Mine", True)
    chat.rename("")
    assert (chat.title, chat.is_named) == ("Else", False)


def test_settings_that_mean_nothing_are_the_usual_ones() -> None:
    settings = ChatSettings("Be kind.", SamplingParams(temperature=0.7, seed=5), 100, False, 7)
    assert settings_from(plain_settings(settings)) == settings
    assert plain_settings(ChatSettings()) == {}
    broken = {"system": 5, "sampling": {"temperature": -1, "seed": 4, "x": 1}, "max_tokens": 0}
    assert settings_from(broken) == ChatSettings(sampling=SamplingParams(seed=4))
    assert settings_from({"sampling": {"temperature": 10**400}}) == ChatSettings()


def test_a_fence_is_longer_than_any_in_the_file() -> None:
    file = Attachment("a.md", "```python\nx\n```\n", "code", "markdown")
    assert Question("See", (file,)).prompt == "See\n\na.md:\n````markdown\n```python\nx\n```\n````"


def test_numbers_of_things_grow() -> None:
    numbers = [new_id() for _ in range(5_000)]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] < 2**63


def test_the_elder_neighbour_takes_the_place_of_what_is_removed() -> None:
    choices = Choices(*"abc")
    assert choices.remove("c") == 2
    assert choices.current == "b"
    choices.choose("a")
    assert choices.remove("b") == 1
    assert choices.current == "a"
    choices.remove("a")
    assert choices.current is None


def test_what_does_not_change_is_told_as_it_was_before(chat: Conversation) -> None:
    first, last = chat.exchanges[0], chat.exchanges[2]
    before = chat.messages(last)
    assert all(one is other for one, other in zip(chat.messages(last), before[:4], strict=False))
    first.reply.pieces.append(Piece(", and more", 0, (), 0))
    assert chat.messages(last)[1].content == "answer 0, and more"
    first.reply.pieces[-1] = Piece(", or less", 0, (), 0)
    assert chat.messages(last)[1].content == "answer 0, or less"
    first.reply = said("another")
    assert chat.messages(last)[1].content == "another"
    first.reply = said("<think>nothing but thoughts</think>")
    assert [message.content for message in chat.messages(last)] == [
        "question 1",
        "answer 1",
        "question 2",
    ]
