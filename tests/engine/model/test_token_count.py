"""Counting in pieces gives what the tokenizer gives for the whole text, and can be given up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers
from transformers import PreTrainedTokenizerFast

from engine.errors import TokenizerError
from engine.model.token_count import OVERLAP, PIECE, count_tokens
from tests.fakes.tokenizers import byte_level
from tests.fakes.toy_tokenizer import toy_tokenizer

WORDS = [
    "def ",
    "return",
    "\n\n",
    "    ",
    "x = y + 1",
    "中文字",
    "😀",
    "e\u0301",
    "  \n",
    "'s ",
    "12345",
]
prose = st.lists(st.sampled_from(WORDS), min_size=80, max_size=300).map("".join)


def whole(tokenizer: Any, text: str) -> int:
    return len(tokenizer.encode(text, add_special_tokens=False))


def in_pieces(tokenizer: Any, text: str) -> tuple[int, int]:
    """The count, with pieces far smaller than they are, and how many looks there were."""
    looks: list[None] = []
    count = count_tokens(
        tokenizer, text, lambda: looks.append(None), piece=200, overlap=100, agreeing=12
    )
    return count, len(looks)


def joined_pieces() -> Any:
    """Pieces that run across words, and a mark in front of every text, as older models have it."""
    letters = ["<unk>", "▁", *"abcdefghijklmnopqrstuvwxyz=+1234567890\n'"]
    pairs = [("▁", "d"), ("▁d", "e"), ("r", "e"), ("\n", "\n"), ("▁", "▁"), ("=", "▁"), ("f", "▁")]
    vocabulary = {piece: number for number, piece in enumerate(letters)}
    for left, right in pairs:
        vocabulary[left + right] = len(vocabulary)
    raw = Tokenizer(models.BPE(vocabulary, pairs, unk_token="<unk>"))
    raw.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    raw.decoder = decoders.Replace("▁", " ")
    return PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="<unk>")


@given(prose)
def test_bytes_in_pieces(text: str) -> None:
    count, looks = in_pieces(byte_level(), text)
    assert count == whole(byte_level(), text)
    assert looks >= len(text) // 400


@given(prose)
def test_pieces_that_begin_with_a_mark_of_their_own(text: str) -> None:
    tokenizer = joined_pieces()
    assert in_pieces(tokenizer, text)[0] == whole(tokenizer, text)


@given(st.text("ab .,\n", max_size=1500))
def test_characters_in_pieces(text: str) -> None:
    assert in_pieces(toy_tokenizer(), text)[0] == whole(toy_tokenizer(), text)


@pytest.mark.parametrize("text", ["a" * 3000, " " * 3000, "\n" * 3000, "ab" * 1500, "😀" * 900])
def test_a_text_with_nothing_to_hold_on_to(text: str) -> None:
    for tokenizer in (byte_level(), joined_pieces()):
        assert in_pieces(tokenizer, text)[0] == whole(tokenizer, text)


def test_as_large_as_they_are() -> None:
    text = "".join(
        f"def number_{i}(value):\n    return value * {i}  # 中文\n\n" for i in range(4000)
    )
    assert len(text) > 3 * PIECE
    assert OVERLAP < PIECE
    assert count_tokens(byte_level(), text, lambda: None) == whole(byte_level(), text)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("hello", None), ("a\ud800b", None)])
def test_short_texts_and_broken_characters(text: str, count: int | None) -> None:
    expected = whole(byte_level(), text.replace("\ud800", "\ufffd"))
    assert count_tokens(byte_level(), text, lambda: None) == expected
    assert count in (None, expected)


def test_it_ends_where_the_look_raises() -> None:
    looks = iter(range(3))

    def look() -> None:
        if next(looks) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        count_tokens(toy_tokenizer(), "a b " * 1000, look, piece=200, overlap=100, agreeing=12)


def test_a_tokenizer_that_fails_says_so_and_a_slow_one_gets_the_text_whole() -> None:
    class Slow:
        is_fast = False

        def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
            if "!" in text:
                raise KeyError(text)
            return [0] * len(text)

    assert count_tokens(Slow(), "a" * 300, lambda: None, piece=200) == 300
    with pytest.raises(TokenizerError, match="fails on this text"):
        count_tokens(Slow(), "!", lambda: None)
