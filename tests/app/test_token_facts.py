"""What is said of a token, computed again from the recorded runs."""

import math
from dataclasses import replace

import pytest

from app.models.context_map import ContextMap
from app.models.summary import MEANINGS
from app.models.token_facts import end_of, facts_of, visible
from app.views.token_rows import rows_of
from tests.app.test_sources import ids_of, words_of
from tests.app.trace_replies import NAMES, reply_of, trace


@pytest.fixture(params=NAMES)
def run(request):
    source = trace(request.param)
    return source, reply_of(source)


def test_every_fact_can_be_found_in_the_trace(run):
    source, reply = run
    words, token = words_of(source), 0
    for step in source.steps:
        for number, emitted in enumerate(step.emitted):
            facts = facts_of(reply, token)
            assert (facts.number, facts.id, facts.step) == (token + 1, emitted, step.index + 1)
            assert facts.text == visible(words[emitted])
            assert (facts.origin, facts.meaning) == (
                step.origins[number],
                MEANINGS[step.origins[number]],
            )
            assert facts.probability == pytest.approx(math.exp(step.logprobs[number]))
            assert facts.margin == step.margins[number]
            told = [(other.id, other.probability) for other in facts.alternatives]
            others = [pair for pair in step.alternatives[number] if pair[0] != emitted]
            assert told == [(i, math.exp(logprob)) for i, logprob in others]
            assert [other.text for other in facts.alternatives] == [
                visible(words[i]) for i, _ in others
            ]
            assert facts.is_guarded == (step.guarded > 0)
            assert facts.draft_length == len(step.draft)
            token += 1
    assert token == reply.log.num_tokens


def test_a_drafted_token_says_where_it_comes_from(run):
    source, reply = run
    ids, words, token = ids_of(source), words_of(source), 0
    for step in source.steps:
        for number in range(len(step.emitted)):
            facts = facts_of(reply, token)
            is_drafted = step.origins[number] in ("accepted", "replayed")
            assert facts.draft_place == (number + 1 if is_drafted else None)
            assert (facts.source is not None) == is_drafted
            if facts.source is not None and not facts.source.is_edit:
                assert ids[facts.source.position] == step.emitted[number]
            if step.match is not None and step.match[1]:
                start, length = step.match
                ngram = "".join(words.get(i, "?") for i in ids[start : start + length])
                if "?" not in ngram and "<" not in ngram:
                    assert facts.ngram == visible(ngram)
            assert (facts.ngram is None) == (step.match is None)
            names = [name for name, _ in rows_of(facts)]
            is_drawn = source.started.config.sampling.temperature > 0
            assert ("won its draw by" in names, "leads by" in names) == (is_drawn, not is_drawn)
            token += 1


def test_what_matched_begins_with_a_token(run):
    source, reply = run
    words, ids, context = words_of(source), ids_of(source), ContextMap(reply)
    for start, length in (step.match for step in source.steps if step.match is not None):
        for most in (4, 8, 22):
            told = end_of(context, start, length, most)
            ends = [
                visible("".join(words.get(i, "?") for i in ids[first : start + length]))
                for first in range(start, start + length)
            ]
            if not length or any("?" in end or "<" in end for end in ends):
                continue
            fitting = [end for end in ends if len(end) < most or end == ends[0] == told]
            if told.startswith("…") and fitting:
                assert told[1:] == fitting[0]
            assert len(told) <= most


def test_a_correction_says_what_the_draft_said(run):
    source, reply = run
    words, token = words_of(source), 0
    for step in source.steps:
        for number, origin in enumerate(step.origins):
            said = facts_of(reply, token).draft_said
            is_corrected = origin == "corrected"
            assert said == (visible(words[step.draft[number]]) if is_corrected else None)
            token += 1


def test_bytes_say_what_they_are_part_of():
    reply = reply_of(trace("multibyte"))
    facts = [facts_of(reply, token) for token in (2, 3, 18, 19, 20)]
    assert [each.text for each in facts] == ["<C3>", "<BC>", "<E6>", "<9D>", "<B1>"]
    assert facts[0].note == "part of “ü”: tokens 3 to 4 are one text"
    assert facts[3].note == "part of “東”: tokens 19 to 21 are one text"
    assert facts[3].shares == (19, 20, 21)
    assert facts[3].source.text == "東"
    assert facts[3].source.name == "your message"


def test_the_stop_token_has_no_text_and_says_so():
    reply = reply_of(trace("local"))
    facts = facts_of(reply, reply.log.num_tokens - 1)
    assert facts.text == "<|im_end|>"
    assert facts.note == "ends the reply and has no text in it"


def test_a_stop_text_is_left_out_and_says_so():
    reply = reply_of(trace("stop-string"))
    notes = [facts_of(reply, token).note for token in (34, 35, 36)]
    assert notes == [
        "only “·” is in the reply: a stop text begins in it",
        "part of the stop text, which is left out",
        "part of the stop text, which is left out",
    ]


def test_a_source_in_an_earlier_reply_is_named():
    facts = facts_of(reply_of(trace("eos-in-block")), 1)
    assert (facts.source.name, facts.source.text) == ("an earlier reply", "·two")


def test_a_trace_of_the_first_format_says_what_it_has():
    source = trace("local")
    started = replace(source.started, messages=(), prompt_text="", prompt_ends=(), words=())
    bare = [
        replace(step, copied=(), cut=(), words=(), logprobs=None, alternatives=None, margins=None)
        for step in source.steps
    ]
    reply = reply_of(replace(source, started=started, steps=tuple(bare)))
    facts = [facts_of(reply, token) for token in range(reply.log.num_tokens)]
    assert facts[11].text == "ax"
    assert facts[11].draft_place == 2
    known = (facts[11].probability, facts[11].alternatives, facts[11].margin, facts[11].ngram)
    assert known == (None, None, None, None)
    assert facts[11].source.position == source.steps[5].copied[0][0] + 1
    assert all(rows_of(each) for each in facts)


def test_there_is_no_token_beyond_the_end():
    reply = reply_of(trace("local"))
    with pytest.raises(IndexError):
        facts_of(reply, reply.log.num_tokens)


def test_nobody_can_overlook_whitespace():
    assert visible("a b\n\tc\u200b\u00a0é") == "a·b⏎⇥c<U+200B><U+00A0>é"
