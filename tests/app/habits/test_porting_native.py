"""Draftscope's own form comes back as it was; what is broken or foreign is one sentence."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.chat_settings import ChatSettings
from app.models.conversation import Conversation
from app.models.porting.native import native_parts
from app.models.porting.reading import chats_in
from app.models.porting.told import (
    PortingError,
    ToldChat,
    _whole,
    conversation_of,
    told_in_slices,
    told_of,
)
from app.models.question import Attachment, Question
from app.models.reply import Piece
from engine import Failed, SamplingParams, Statistics

WORDS = st.text(max_size=12)
ATTACHMENTS = st.builds(
    Attachment,
    name=st.sampled_from(["", "a.py", "notes 2.txt"]),
    text=WORDS,
    kind=st.sampled_from(["paste", "text", "code", "pdf"]),
    language=st.sampled_from(["", "python"]),
)
QUESTIONS = st.builds(Question, WORDS, st.lists(ATTACHMENTS, max_size=2).map(tuple))
STATISTICS = Statistics(*range(15), 0.5, None, {0: 3, 4: 1}, 1.5, 2.0, None, None, 12.25)
SETTINGS = st.builds(
    ChatSettings,
    system=WORDS,
    sampling=st.builds(
        SamplingParams, temperature=st.sampled_from([0.0, 0.7]), seed=st.integers(0, 2**63 - 1)
    ),
    max_tokens=st.none() | st.integers(1, 9),
    thinking=st.none() | st.booleans(),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "edit", "again", "choose"]),
        QUESTIONS,
        WORDS,
        st.integers(0, 9),
        st.sampled_from(["eos", "cancelled", "failed", None]),
    ),
    min_size=1,
    max_size=7,
)


def grown(steps):
    """A chat that was asked, edited, answered again and looked through."""
    chat = Conversation()
    for act, question, answer, number, stop in steps:
        path = chat.exchanges
        if act == "ask" or not path:
            exchange = chat.ask(question)
        elif act == "edit":
            exchange = chat.edit(path[number % len(path)], question)
        elif act == "again":
            exchange = path[number % len(path)]
            chat.answer_again(exchange)
        else:
            exchange = path[number % len(path)]
            variants = list(exchange.variants)
            chat.choose(next(iter(exchange.siblings)), None)
            chat.choose(exchange, variants[number % len(variants)])
            continue
        reply = exchange.reply
        exchange.variant.model = "tiny"
        reply.phase, reply.opens_thinking = "finished", number % 2 == 0
        reply.pieces = [Piece(answer, 0, (), 0)] if answer else []
        reply.stop = stop if stop != "failed" else None
        if stop == "failed":
            reply.phase, reply.failure = "failed", Failed(0, "It broke.")
        elif stop == "eos":
            reply.final = STATISTICS
    return chat


def renumbered(told: ToldChat) -> ToldChat:
    """The same with numbers in order, so that two can be compared."""
    numbers = {message.id: at for at, message in enumerate(told.messages)}
    numbers[None] = None
    return replace(
        told,
        choice=numbers[told.choice],
        settings=replace(told.settings, first=numbers.get(told.settings.first)),
        messages=tuple(
            replace(
                message,
                id=numbers[message.id],
                parent=numbers[message.parent],
                choice=numbers[message.choice],
            )
            for message in told.messages
        ),
    )


@given(STEPS, SETTINGS, QUESTIONS, st.booleans())
def test_a_chat_comes_back_as_it_was(steps, settings, draft, is_pinned):
    chat = grown(steps)
    chat.rename("Some name")
    chat.is_pinned, chat.draft = is_pinned, draft if not draft.is_empty else Question()
    chat.settings = replace(settings, first=chat.exchanges[0].id)
    chat.overrides = {"draft_length": 4}
    told = told_of(chat, "Folder")
    (read,) = chats_in("".join(native_parts([told]))).chats
    assert renumbered(read) == renumbered(told)
    again = conversation_of(read)
    assert renumbered(told_of(again, "Folder")) == renumbered(told)
    assert [e.prompt for e in again.exchanges] == [e.prompt for e in chat.exchanges]
    assert [e.reply.text for e in again.exchanges] == [e.reply.text for e in chat.exchanges]
    assert not {m.id for m in told.messages} & {e.id for e in again.every_exchange()}
    chat.deleteLater()
    again.deleteLater()


def assert_sentence(error):
    assert error.sentence.endswith(".")
    assert "\n" not in error.sentence


def file_of(*messages, **more):
    chat = {"title": "t", "messages": list(messages), **more}
    return json.dumps({"format": "draftscope-chats", "version": 1, "chats": [chat]})


def message(id, parent, role="user", **more):
    return {"id": id, "parent": parent, "role": role, "text": "", **more}


BROKEN = {
    "empty": "",
    "cut": '{"format": "draftscope-chats", "version": 1, "chats": [{"title": "t"',
    "foreign": '{"name": "left-pad", "version": "1.0.0"}',
    "foreign list": "[1, 2]",
    "number": "12",
    "deep": "[" * 300_000,
    "not a number": "[NaN]",
    "behind": "[] []",
    "comma": "[{},]",
    "newer": '{"format": "draftscope-chats", "version": 2, "chats": []}',
    "no title": '{"format": "draftscope-chats", "version": 1, "chats": [{"messages": []}]}',
    "no parent": file_of(message(1, None), message(2, 9, "assistant")),
    "two questions": file_of(message(1, None), message(2, 1)),
    "twice": file_of(message(1, None), message(1, None)),
    "itself": file_of(message(1, 1)),
    "an answer first": file_of(message(1, None, "assistant")),
    "role": file_of(message(1, None, "tool")),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_broken_or_foreign_is_one_sentence(text):
    with pytest.raises(PortingError) as caught:
        chats_in(text)
    assert caught.value.sentence.endswith(".")
    assert "\n" not in caught.value.sentence


def test_a_newer_file_is_told_as_one():
    with pytest.raises(PortingError, match="newer Draftscope"):
        chats_in(BROKEN["newer"])


@pytest.mark.parametrize("name", ["no title", "no parent", "two questions", "twice", "role"])
def test_a_chat_that_does_not_hold_is_left_out_and_the_good_come(name):
    values, good = json.loads(BROKEN[name]), json.loads(file_of(message(1, None), title="good"))
    values["chats"] += [17, *good["chats"]]
    found = chats_in(json.dumps(values))
    assert [told.title for told in found.chats] == ["good"]
    assert found.left_out == ["" if name == "no title" else "t", ""]


@pytest.mark.parametrize(
    "odd",
    [
        message(3, 2, "tool"),
        message("3", 2),
        {"parent": 2, "role": "user"},
        message(3, 2, attachments=[5]),
        17,
    ],
)
def test_an_odd_message_takes_only_what_hangs_on_it_along(odd):
    whole = [message(1, None, choice=2), message(2, 1, "assistant", choice=3), odd]
    below = [message(4, 3, "assistant"), message(5, 4), message(6, 2), message(7, 6, "assistant")]
    found = chats_in(file_of(*whole, *below, choice=1))
    (told,) = found.chats
    assert [each.id for each in told.messages] == [1, 2, 6, 7]
    assert found.left_out == []
    chat = conversation_of(told)
    assert len(chat.exchanges) == 2
    chat.deleteLater()


def test_a_number_too_long_to_be_read_is_no_reason_to_keep_all_out():
    figures = {**asdict(STATISTICS), "histogram": {"9" * 5_000: 1}}
    values = json.loads(file_of(message(1, None), message(2, 1, "assistant", statistics=figures)))
    values["chats"] += json.loads(file_of(message(1, None), title="good"))["chats"]
    found = chats_in(json.dumps(values))
    assert [told.title for told in found.chats] == ["good"]


def test_what_is_not_known_is_passed_over_and_what_does_not_fit_is_usual():
    text = file_of(
        message(1, None, created="yesterday", colour="red", stop="tired"),
        message(2, 1, "assistant", statistics={"emitted": 3}, text="half \ud83d"),
        settings={"max_tokens": -4, "sampling": {"temperature": 99, "top_k": 3}},
        is_pinned="yes",
        created=-1,
    )
    (told,) = chats_in(text).chats
    assert told.settings == ChatSettings(sampling=SamplingParams(top_k=3))
    assert not told.is_pinned
    assert told.created > 1e9
    assert told.messages[1].statistics is None
    assert told.messages[1].text == "half \ufffd"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["format", "version", "chats", "title", "messages", "id", "role"]),
                inner,
                max_size=5,
            )
        ),
    )
)
def test_any_json_is_chats_or_a_sentence(values):
    try:
        chats_in(json.dumps(values))
    except PortingError as error:
        assert_sentence(error)


def a_long_chat(count: int) -> Conversation:
    chat = Conversation()
    for number in range(count):
        chat.ask(f"question {number}").reply.pieces.append(Piece(f"answer {number}", 0, (), 0))
    return chat


def test_a_file_is_written_a_message_at_a_time():
    chat = a_long_chat(300)
    parts = list(native_parts([told_of(chat)]))
    assert max(map(len, parts)) < 400
    (read,) = chats_in("".join(parts)).chats
    assert [message.text for message in read.messages][-2:] == ["question 299", "answer 299"]
    chat.deleteLater()


def test_a_chat_that_changes_while_it_is_told_gives_a_file_that_can_be_read():
    chat = a_long_chat(300)
    first = chat.exchanges[0]
    telling = told_in_slices(chat)
    next(telling)
    chat.remove(chat.exchanges[250])
    chat.answer_again(chat.exchanges[200])
    chat.ask("too late")
    told = _whole(telling)
    assert len(told.messages) == 600
    (read,) = chats_in("".join(native_parts([told]))).chats
    again = conversation_of(read)
    assert again.exchanges[0].prompt == first.prompt
    assert len(list(again.every_exchange())) == 300
    chat.deleteLater()
    again.deleteLater()
