"""The text of a reply that was cut anywhere and resumed is the text of the whole reply."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.detokenize import Detokenizer
from engine.step_record import TextSpan
from tests.fakes.tokenizers import byte_level, sentence_pieces

END = 2
STOPS = frozenset({END})
odd_text = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("😀é中 \n👩‍👩‍👧ab"))
)


def shown(detokenizer: Detokenizer, ids: list[int]) -> tuple[str, str]:
    """The text of the spans on the way, and of those at the end."""
    spans, tail = detokenizer.feed(ids), detokenizer.finish()
    return text_of(spans), text_of(tail)


def text_of(spans: tuple[TextSpan, ...]) -> str:
    return "".join(span.text for span in spans)


def assert_joins(tokenizer: Any, ids: list[int], cut: int, stops: tuple[str, ...]) -> None:
    whole = "".join(shown(Detokenizer(tokenizer, STOPS, stops), ids))
    first = Detokenizer(tokenizer, STOPS, stops)
    before, _ = shown(first, ids[:cut])
    rest = Detokenizer(tokenizer, STOPS, stops)
    earlier = rest.resume(ids[:cut])
    assert earlier == before
    spans = [*rest.feed(ids[cut:]), *rest.finish()]
    assert earlier + text_of(tuple(spans)) == whole
    at = 0
    for span in spans:
        assert span.first == at
        at += span.num_tokens
        assert span.num_tokens > 0 or cut == len(ids)
    assert at == len(ids) - cut


@given(odd_text, st.data())
def test_bytes_cut_anywhere(text: str, data: st.DataObject) -> None:
    ids = byte_level().encode(text, add_special_tokens=False)
    assert_joins(byte_level(), ids, data.draw(st.integers(0, len(ids))), ())


@given(st.lists(st.integers(8, 263), max_size=60), st.data())
def test_broken_bytes_cut_anywhere(ids: list[int], data: st.DataObject) -> None:
    assert_joins(byte_level(), ids, data.draw(st.integers(0, len(ids))), ())


@given(st.lists(st.sampled_from([3, 4, 5, 6, 7, 8, 9, 250, 240, 170, 138]), max_size=30), st.data())
def test_pieces_keep_the_space_in_front_of_the_first_new_one(
    ids: list[int], data: st.DataObject
) -> None:
    assert_joins(sentence_pieces(), ids, data.draw(st.integers(0, len(ids))), ())


def test_a_space_after_the_stop_is_there() -> None:
    rest = Detokenizer(sentence_pieces(), STOPS)
    assert rest.resume([4]) == "the"
    assert rest.feed([5]) == (TextSpan(0, 1, " cat"),)


def test_a_character_cut_by_the_stop_comes_whole_with_its_last_byte() -> None:
    ids = byte_level().encode("a😀", add_special_tokens=False)
    rest = Detokenizer(byte_level(), STOPS)
    assert rest.resume(ids[:-1]) == "a"
    assert rest.feed(ids[-1:]) == (TextSpan(0, 1, "😀"),)
    ended = Detokenizer(byte_level(), STOPS)
    ended.resume(ids[:-1])
    assert ended.feed([END]) == (TextSpan(0, 1, "\ufffd"),)


@given(st.text("abc", max_size=20), st.integers(0, 20))
def test_a_stop_string_may_begin_before_the_cut(text: str, cut: int) -> None:
    tokenizer = byte_level()
    ids = [tokenizer.encode(c, add_special_tokens=False)[0] for c in text]
    end, reason = Detokenizer(tokenizer, STOPS, ("abca",)).scan(ids)
    # Cut before the stop, or the stopped reply would be over.
    cut = min(cut, end - (reason is not None))
    assert_joins(tokenizer, ids[:end], cut, ("abca",))
    rest = Detokenizer(tokenizer, STOPS, ("abca",))
    rest.resume(ids[:cut])
    assert rest.scan(ids[cut:]) == (end - cut, reason)


@pytest.mark.parametrize("later", ["xab", "x"])
def test_a_stop_string_in_the_earlier_text_is_not_looked_for_again(later: str) -> None:
    tokenizer = byte_level()
    ids = [tokenizer.encode(c, add_special_tokens=False)[0] for c in f"abc{later}"]
    rest = Detokenizer(tokenizer, STOPS, ("abc",))
    assert rest.resume(ids) == f"abc{later.removesuffix('ab')}"
    assert rest.scan([ids[3]]) == (1, None)
