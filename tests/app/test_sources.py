"""Where drafts were copied from, recomputed from the recorded runs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.context_map import ContextMap
from app.models.conversation import Conversation
from app.models.message_owners import owners
from app.models.reply import Reply
from app.models.sources import EDIT, draft_runs, parts_of, place_in_draft, source_of
from app.models.token_facts import is_partial
from engine import Message
from tests.app.trace_replies import NAMES, reply_of, said, trace


def ids_of(source):
    return [*source.started.prompt_ids, *(i for step in source.steps for i in step.emitted)]


def words_of(source):
    words = dict(source.started.words)
    for step in source.steps:
        words.update(step.words)
    return words


@pytest.fixture(params=NAMES)
def run(request):
    source = trace(request.param)
    reply = reply_of(source)
    return source, reply, ContextMap(reply)


def test_every_drafted_token_reads_as_its_source_does(run):
    source, _, context = run
    ids, words = ids_of(source), words_of(source)
    checked = 0
    for step in source.steps:
        for place, drafted in enumerate(step.draft):
            position = source_of(context, step, place)
            if position == EDIT:
                continue
            assert ids[position] == drafted
            assert position < step.position
            word, text = words[drafted], context.text(position, 1)
            if is_partial(word):
                spelled = bytes.fromhex(word[1:-1].replace(" ", ""))
                assert spelled in text.encode()
            else:
                assert text == word
            checked += 1
    assert checked == sum(
        length for step in source.steps for start, length in draft_runs(context, step) if start >= 0
    )
    assert checked or source.started.config.pacing or not source.started.config.enabled


def test_an_accepted_token_stands_in_the_draft_where_it_stands_in_the_step(run):
    source, _, _ = run
    for step in source.steps:
        for number, (emitted, origin) in enumerate(zip(step.emitted, step.origins, strict=True)):
            place = place_in_draft(step, number)
            assert (place is not None) == (origin in ("accepted", "replayed"))
            assert place is None or step.draft[place] == emitted


def test_the_runs_cover_the_draft_and_no_more(run):
    source, _, context = run
    for step in source.steps:
        assert sum(length for _, length in draft_runs(context, step)) == len(step.draft)
        assert source_of(context, step, len(step.draft)) is None


def test_an_edit_made_again_has_no_place():
    source = trace("local")
    context = ContextMap(reply_of(source))
    step = source.steps[9]
    assert step.copied[-1] == (-1, 1)
    assert source_of(context, step, 4) == EDIT
    parts = parts_of(context, step, 4)
    assert [part for part, _, _ in parts] == ["match", "draft"]


def test_a_trace_without_runs_takes_what_follows_the_match(run):
    source, _, context = run
    for step in source.steps:
        old = replace(step, copied=())
        for place in range(len(step.draft)):
            known, recorded = source_of(context, old, place), source_of(context, step, place)
            if known is not None:
                assert context.id_at(known) == step.draft[place]
            if EDIT not in [start for start, _ in step.copied]:
                assert known == recorded


def test_the_prompt_is_told_apart_into_messages_and_marks(run):
    source, _, context = run
    started = source.started
    places = context.places(0, len(started.prompt_ids))
    assert "".join(context.text_at(place) for place in places) == started.prompt_text
    told = {place.message: context.text_at(place) for place in places if place.kind == "message"}
    assert told == {number: message.content for number, message in enumerate(started.messages)}
    assert {place.kind for place in places} == {"message", "template"}


def test_the_reply_is_told_by_its_own_text(run):
    source, reply, context = run
    first, count = len(source.started.prompt_ids), reply.log.num_tokens
    assert context.text(first, count) == reply.text
    parts = [context.text(first + token, 1) for token in range(count)]
    spans = [span for step in source.steps for span in step.spans]
    for span in spans:
        for token in range(span.first, span.first + span.num_tokens):
            assert parts[token] == span.text


def test_bytes_of_a_character_lie_where_the_character_lies():
    source = trace("multibyte")
    context = ContextMap(reply_of(source))
    moon = source.started.prompt_text.index("🌙")
    ends = source.started.prompt_ends
    tokens = range(ends.index(moon) + 1, ends.index(moon + 1) + 1)
    assert len(tokens) >= 3
    for token in tokens:
        assert context.text(token, 1) == "🌙"


def started_with(text, *contents, words=()):
    messages = tuple(
        Message("user" if n % 2 == 0 else "assistant", content)
        for n, content in enumerate(contents)
    )
    ends = tuple(range(1, len(text) + 1))
    base = trace("local").started
    reply = Reply()
    reply.apply(
        replace(
            base,
            messages=messages,
            prompt_text=text,
            prompt_ids=tuple(range(len(text))),
            prompt_ends=ends,
            words=words,
        )
    )
    return ContextMap(reply)


def kinds(context, length):
    return [(place.kind, context.text_at(place)) for place in context.places(0, length)]


def test_a_message_that_also_stands_in_a_mark_is_found_behind_it():
    text = "<|im_start|>user\nuser<|im_end|>\n<|im_start|>assistant\n"
    places = started_with(text, "user").places(0, len(text))
    assert [(p.kind, p.start, p.end) for p in places] == [
        ("template", 0, 17),
        ("message", 0, 4),
        ("template", 21, len(text)),
    ]


def test_equal_messages_are_found_in_order():
    text = "[INST] Hello[/INST] Hello</s>[INST] Hello[/INST]"
    context = started_with(text, "Hello", "Hello", "Hello")
    found = [p.message for p in context.places(0, len(text)) if p.kind == "message"]
    assert found == [0, 1, 2]


def test_a_stripped_message_counts_in_its_own_characters():
    text = "<|user|>hi there<|end|>"
    context = started_with(text, "\n  hi there ")
    (place,) = context.places(text.index("there"), 5)
    assert (place.kind, place.start, place.end) == ("message", 6, 11)
    assert context.text_at(place) == "there"


def test_a_message_the_template_rewrote_is_elsewhere():
    text = "<|u|>Hi<|a|>short<|u|>More<|e|>"
    context = started_with(text, "Hi", "<think>long</think>short", "More")
    assert kinds(context, len(text)) == [
        ("template", "<|u|>"),
        ("message", "Hi"),
        ("elsewhere", "<|a|>short<|u|>"),
        ("message", "More"),
        ("template", "<|e|>"),
    ]
    assert context.name(context.places(9, 1)[0]) == "elsewhere in the prompt"


def test_a_prompt_that_came_as_ids_is_one_text():
    context = started_with("any text at all")
    (place,) = context.places(4, 4)
    assert (place.kind, context.text_at(place)) == ("elsewhere", "text")
    assert context.name(place) == "the prompt"


def test_places_have_names():
    text = "<|s|>One<|a|>Two<|u|>Three<|e|>"
    context = started_with(text, "One", "Two", "Three")
    by_kind = [context.name(place) for place in context.places(0, len(text))]
    assert by_kind[1::2] == ["your message 1", "an earlier reply", "your message 2"]
    assert by_kind[0] == "the chat template"


@given(st.lists(st.text(alphabet="ab \n<|u", max_size=6), min_size=1, max_size=5))
def test_found_messages_are_what_they_say(contents):
    text = "".join(f"<|m|>{content}<|e|>\n" for content in contents)
    context = started_with(text, *contents)
    places = context.places(0, len(text))
    assert "".join(context.text_at(place) for place in places) == text
    order = [place.message for place in places if place.kind == "message"]
    assert order == sorted(set(order))


@pytest.fixture
def chat(qapp):
    return Conversation()


def test_messages_belong_to_the_exchanges_on_screen(chat):
    first, failed, last = chat.ask("hi"), chat.ask("lost"), chat.ask("more")
    first.reply = said("hello")
    found = owners(chat.exchanges, last, chat.messages(last, "be kind"))
    assert found == {1: (first, False), 2: (first, True), 3: (last, False)}
    assert failed not in [exchange for exchange, _ in found.values()]


def test_an_answer_given_again_since_is_not_the_one_that_was_read(chat):
    first, last = chat.ask("hi"), chat.ask("more")
    first.reply = said("hello")
    messages = chat.messages(last)
    first.reply = said("another")
    assert owners(chat.exchanges, last, messages) == {0: (first, False), 2: (last, False)}
