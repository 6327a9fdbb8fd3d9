"""Spans: whole characters only, every token in one span, stop strings found and held back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.detokenize import Detokenizer
from engine.step_record import TextSpan
from tests.fakes.tokenizers import byte_level, sentence_pieces

END = 2
STOPS = frozenset({0, END})
REPLACEMENT = "\ufffd"


def run(tokenizer: Any, ids: list[int], stops: tuple[str, ...] = ()) -> list[TextSpan]:
    """Token by token through scan and feed, as generation does."""
    detokenizer = Detokenizer(tokenizer, STOPS, stops)
    spans: list[TextSpan] = []
    for token in ids:
        _, reason = detokenizer.scan([token])
        spans.extend(detokenizer.feed([token]))
        if reason is not None:
            break
    spans.extend(detokenizer.finish())
    return spans


def text_of(spans: list[TextSpan] | tuple[TextSpan, ...]) -> str:
    return "".join(span.text for span in spans)


def assert_gapless(spans: list[TextSpan], num_tokens: int) -> None:
    position = 0
    for span in spans:
        assert span.first == position
        assert span.num_tokens >= 1
        position += span.num_tokens
    assert position == num_tokens


ids_of_demo = st.lists(st.integers(8, 8191), max_size=60)
odd_text = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("😀é中 \n👩‍👩‍👧"))
)


@given(odd_text)
def test_text_survives_split_anywhere_and_never_shows_a_broken_character(text: str) -> None:
    tokenizer = byte_level()
    ids = tokenizer.encode(text, add_special_tokens=False)
    whole = tokenizer.decode(ids)
    detokenizer = Detokenizer(tokenizer, frozenset())
    shown = ""
    for token in ids:
        shown += text_of(detokenizer.feed([token]))
        assert whole.startswith(shown)
    assert shown + text_of(detokenizer.finish()) == whole


@given(ids_of_demo)
def test_any_ids_join_to_what_the_tokenizer_decodes(ids: list[int]) -> None:
    spans = run(byte_level(), ids)
    assert text_of(spans) == byte_level().decode(ids)
    assert_gapless(spans, len(ids))


@given(st.lists(st.one_of(st.integers(8, 263), st.integers(196, 263)), max_size=80))
def test_long_runs_of_broken_bytes_are_printed_without_waiting_for_the_end(ids: list[int]) -> None:
    detokenizer = Detokenizer(byte_level(), frozenset())
    spans = [*detokenizer.feed(ids)]
    assert len(ids) - sum(span.num_tokens for span in spans) <= 16
    spans += detokenizer.finish()
    assert text_of(spans) == byte_level().decode(ids)
    assert_gapless(spans, len(ids))


@given(st.lists(st.sampled_from([3, 4, 5, 6, 7, 8, 9]), max_size=30))
def test_leading_spaces_of_sentence_pieces(ids: list[int]) -> None:
    spans = run(sentence_pieces(), ids)
    assert text_of(spans) == sentence_pieces().decode(ids)
    assert_gapless(spans, len(ids))


@given(st.text("aé中😀 ", max_size=12))
def test_byte_tokens_of_sentence_pieces(text: str) -> None:
    ids = [10 + byte for byte in text.encode()]
    detokenizer = Detokenizer(sentence_pieces(), frozenset())
    spans = [*detokenizer.feed(ids), *detokenizer.finish()]
    assert REPLACEMENT not in text_of(spans)
    assert text_of(spans) == sentence_pieces().decode(ids)


def test_bytes_of_a_character_wait_for_each_other() -> None:
    ids = byte_level().encode("a😀", add_special_tokens=False)
    assert len(ids) > 2, "the emoji is more than one token here"
    detokenizer = Detokenizer(byte_level(), STOPS)
    assert detokenizer.feed(ids[:1]) == (TextSpan(0, 1, "a"),)
    assert detokenizer.feed(ids[1:-1]) == ()
    assert detokenizer.feed(ids[-1:]) == (TextSpan(1, len(ids) - 1, "😀"),)
    assert detokenizer.finish() == ()


def test_a_reply_that_ends_inside_a_character_shows_it_broken_at_the_end() -> None:
    ids = byte_level().encode("a😀", add_special_tokens=False)[:-1]
    spans = run(byte_level(), ids)
    assert text_of(spans) == byte_level().decode(ids) == "a" + REPLACEMENT


def test_the_stop_token_has_a_span_without_text_and_flushes_what_was_open() -> None:
    ids = byte_level().encode("a😀", add_special_tokens=False)[:-1]
    detokenizer = Detokenizer(byte_level(), STOPS)
    assert detokenizer.scan([*ids, END, 90]) == (len(ids) + 1, "eos")
    spans = detokenizer.feed([*ids, END])
    assert spans[-1] == TextSpan(len(ids), 1, "")
    assert text_of(spans) == "a" + REPLACEMENT
    assert detokenizer.finish() == ()


def test_nothing_is_shown_after_the_stop() -> None:
    detokenizer = Detokenizer(byte_level(), STOPS)
    detokenizer.feed([90, END])
    assert text_of(detokenizer.feed([91, 92])) == ""


def test_text_that_could_begin_a_stop_string_is_held_back() -> None:
    ids = [byte_level().encode(c, add_special_tokens=False)[0] for c in "xab-abc!"]
    detokenizer = Detokenizer(byte_level(), STOPS, ("abc",))
    shown = [text_of(detokenizer.feed([token])) for token in ids[:6]]
    assert shown == ["x", "", "", "ab-", "", ""]
    assert detokenizer.scan(ids[6:]) == (1, "stop_string")
    spans = detokenizer.feed(ids[6:7])
    assert [(span.first, span.text) for span in spans] == [(4, ""), (5, ""), (6, "")]
    assert detokenizer.finish() == ()


def test_what_follows_the_stop_string_in_its_last_token_is_not_shown() -> None:
    tokenizer = byte_level()
    ids = tokenizer.encode("one two", add_special_tokens=False)
    assert len(ids) == 2, "a space and a word are one token here"
    spans = run(tokenizer, ids, (" t",))
    assert spans == [TextSpan(0, 1, "one"), TextSpan(1, 1, "")]


def test_held_text_comes_out_at_the_end() -> None:
    ids = [byte_level().encode(c, add_special_tokens=False)[0] for c in "xab"]
    assert text_of(run(byte_level(), ids, ("abc",))) == "xab"
    assert text_of(run(byte_level(), [*ids, END], ("abc",))) == "xab"


@given(odd_text, st.lists(odd_text.filter(bool), min_size=1, max_size=3), st.data())
def test_stop_strings_anywhere_end_the_text_where_they_start(
    text: str, others: list[str], data: st.DataObject
) -> None:
    tokenizer = byte_level()
    ids = tokenizer.encode(text, add_special_tokens=False)
    whole = tokenizer.decode(ids)
    start = data.draw(st.integers(0, len(whole)))
    stops = tuple(filter(None, [whole[start : start + data.draw(st.integers(1, 5))], *others]))
    shown = text_of(run(tokenizer, ids, stops))
    if not any(stop in whole for stop in stops):
        assert shown == whole
        return
    assert whole.startswith(shown)
    assert not any(stop in shown for stop in stops)
    assert any(whole[len(shown) :].startswith(stop) for stop in stops)


@given(ids_of_demo, st.lists(st.integers(0, 8191), max_size=20), st.text("aet ", max_size=3))
def test_scan_changes_nothing_and_agrees_with_feeding(
    before: list[int], block: list[int], stop: str
) -> None:
    stops = (stop,) if stop else ()
    scanned = Detokenizer(byte_level(), STOPS, stops)
    if scanned.scan(before)[1] is not None:
        return
    scanned.feed(before)
    untouched = scanned.copy()
    count, reason = scanned.scan(block)
    singly = untouched.copy()
    stop_at = None
    for index, token in enumerate(block):
        _, why = singly.scan([token])
        singly.feed([token])
        if why is not None:
            stop_at = (index + 1, why)
            break
    assert (count, reason) == (stop_at or (len(block), None))
    assert scanned.feed(block[:count]) == untouched.feed(block[:count])
    assert scanned.finish() == untouched.finish()


@given(ids_of_demo, st.integers(1, 7), st.text("aet ", max_size=3))
def test_blocks_and_single_tokens_give_the_same_spans(
    ids: list[int], width: int, stop: str
) -> None:
    stops = (stop,) if stop else ()
    singly = Detokenizer(byte_level(), STOPS, stops)
    blocks = singly.copy()
    one_by_one = [span for token in ids for span in singly.feed([token])]
    grouped = [
        span for at in range(0, len(ids), width) for span in blocks.feed(ids[at : at + width])
    ]
    assert one_by_one == grouped
    assert singly.finish() == blocks.finish()


@pytest.mark.parametrize("stops", [(), ("never",)])
def test_an_empty_reply_has_no_spans(stops: tuple[str, ...]) -> None:
    detokenizer = Detokenizer(byte_level(), STOPS, stops)
    assert detokenizer.scan([]) == (0, None)
    assert detokenizer.feed([]) == ()
    assert detokenizer.finish() == ()
