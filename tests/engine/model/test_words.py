"""Ids as people read them: the words of the embedded tokenizer, and whole prompts laid out."""

import random

import pytest

from engine.model.words import WordBook, Words
from tests.fakes.tokenizers import byte_level, sentence_pieces

TEXTS = (
    "Plain words, and a  gap.\n\tTabbed",
    "Grüße – 東京の空 🌙 naïve café",
    "🌙🌙🌙 ends in one 🌙",
    "",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_prompt_is_laid_out_as_the_tokenizer_decodes_it(text: str) -> None:
    tokenizer = byte_level()
    ids = tokenizer.encode(text, add_special_tokens=False)
    laid, ends = Words(tokenizer).laid_out(ids)
    assert laid == tokenizer.decode(ids) == text
    assert len(ends) == len(ids)
    assert list(ends) == sorted(ends)
    assert not ids or ends[-1] == len(text)
    for cut, end in enumerate(ends, 1):
        whole = tokenizer.decode(ids[:cut])
        # Up to the end of a token lies what it and those before it say, whole characters only.
        assert whole.rstrip("\ufffd").startswith(laid[:end])


@pytest.mark.parametrize("make", [byte_level, sentence_pieces])
def test_any_ids_get_a_place_in_order(make) -> None:
    tokenizer = make()
    numbers = random.Random(4)
    words = Words(tokenizer)
    for _ in range(300):
        ids = [numbers.randrange(len(tokenizer)) for _ in range(numbers.randrange(1, 40))]
        laid, ends = words.laid_out(ids)
        assert len(ends) == len(ids)
        assert ends[-1] == len(laid)
        assert all(before <= after for before, after in zip((0, *ends), ends, strict=False))


def test_a_part_of_a_character_is_written_as_its_bytes() -> None:
    tokenizer = byte_level()
    words = Words(tokenizer)
    parts = [words.word(token) for token in tokenizer.encode("東", add_special_tokens=False)]
    assert " ".join(part.strip("<>") for part in parts) == "E6 9D B1"
    assert words.word(tokenizer.encode(" fox", add_special_tokens=False)[0]) == " fox"
    assert words.word(tokenizer.convert_tokens_to_ids("<|im_end|>")) == "<|im_end|>"


def test_a_space_in_front_is_kept_where_the_tokenizer_strips_the_first() -> None:
    tokenizer = sentence_pieces()
    words = Words(tokenizer)
    ids = [tokenizer.convert_tokens_to_ids(piece) for piece in ("▁the", "▁cat", "s", "<0xE6>")]
    assert [words.word(token) for token in ids] == [" the", " cat", "s", "<0xE6>"]


def test_a_book_tells_each_id_once() -> None:
    words = Words(byte_level())
    book = WordBook(words)
    assert book.news((40, 41, 40)) == ((40, words.word(40)), (41, words.word(41)))
    assert book.news((41, 42)) == ((42, words.word(42)),)
    assert book.news((40, 42)) == ()


@pytest.mark.parametrize("text", [" fox", "fox", "\n", "<|im_end|>", "東", "é"])
def test_the_one_token_of_a_text_is_found(text: str) -> None:
    words = Words(byte_level())
    tokens = words.tokens(text)
    assert "".join(words.laid_out(tokens)[0]) == text
    assert len(tokens) == len(byte_level().encode(text, add_special_tokens=False))


def test_a_token_is_found_that_the_tokenizer_never_cuts_off_alone() -> None:
    tokenizer = sentence_pieces()
    words = Words(tokenizer)
    assert len(tokenizer.encode(" cat", add_special_tokens=False)) > 1
    for text, name in ((" cat", "▁cat"), ("s", "s"), (" the", "▁the"), ("<unk>", "<unk>")):
        assert words.tokens(text) == (tokenizer.convert_tokens_to_ids(name),)
    assert len(words.tokens("cats")) > 1
    assert words.tokens("") == ()
