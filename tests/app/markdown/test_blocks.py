"""Growing text is cut into the same segments however it comes, and none of it is lost."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.markdown.blocks import HARD_LIMIT, Splitter
from app.models.markdown.render import render
from app.models.markdown.values import Code, Prose, Table
from tests.app.markdown.reading import blocks, segments, words

LINES = st.sampled_from(
    ["", "a", "word **b** `c`", "# h", "- x", "  - y", "1. n", "   more", "```", "```python", "~~~",
     "````", "> q", ">", "| a | b |", "|---|--:|", "$$", "\\[", "\\]", "---", "===", "    code",
     "- ```", "10) z", "שלום", "🎉", "\tt", "<b>x</b>", "* * *", "$x$", "\r"]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=30).map("\n".join)


def cut(text: str, numbers: random.Random) -> list[str]:
    places = sorted(numbers.randrange(len(text) + 1) for _ in range(numbers.randrange(12)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@given(TEXTS, st.randoms(use_true_random=False), st.booleans())
def test_pieces_make_the_same_segments(text: str, numbers: random.Random, is_over: bool) -> None:
    whole = segments([text], is_over=is_over)
    assert segments(cut(text, numbers), is_over=is_over) == whole
    assert segments(list(text), is_over=is_over) == whole


@given(TEXTS)
def test_closed_segments_never_change(text: str) -> None:
    splitter, seen = Splitter(), []
    for character in text:
        splitter.append(character)
        splitter.open_segments()
        assert splitter.closed[: len(seen)] == seen
        seen = list(splitter.closed)


@given(TEXTS)
def test_segments_hold_all_of_the_text(text: str) -> None:
    place = 0
    for segment in segments([text]):
        assert not text[place : segment.start].strip()
        assert text[segment.start : segment.start + len(segment.text)] == segment.text
        place = segment.start + len(segment.text)
    assert not text[place:].strip()


def test_long_lines_are_cut_the_same_in_pieces() -> None:
    text = "- a\n" + "word " * 5_000 + "\n\n" + "x" * 30_000 + "\nend"
    whole = segments([text])
    assert segments(cut(text, random.Random(3))) == whole
    assert max(len(each.text) for each in whole) <= HARD_LIMIT + 1
    assert "".join(each.text for each in whole).replace("\n", "") == text.replace("\n", "")


def test_an_unclosed_fence_is_code_to_the_end() -> None:
    [code] = blocks("```py\nx = 1\n\n# no heading\n", is_over=False)
    assert isinstance(code, Code)
    assert (code.text, code.is_closed) == ("x = 1\n\n# no heading\n", False)
    assert blocks("```py\nx = 1\n\n# no heading\n") == [replace(code, is_closed=True)]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("````\n```\nx\n```\n````\n", "```\nx\n```"),
        ("```markdown\na\n```python\nx\n```\nb\n```\n", "a\n```python\nx\n```\nb"),
        ("~~~\n```\n~~~\n", "```"),
        ("```\n```\n", ""),
        ("```text\n```python\n```\n", "```python"),
    ],
)
def test_nested_fences(text: str, content: str) -> None:
    code, *rest = blocks(text + "after")
    assert isinstance(code, Code)
    assert code.text == content
    assert [words(block) for block in rest] == ["after"]


def test_code_in_a_list_stands_at_its_depth() -> None:
    first, code, more, second = blocks("1. a\n   ```sh\n   ls\n     -l\n   ```\n   more\n2. b\n")
    assert isinstance(code, Code)
    assert (code.text, code.place.depth) == ("ls\n  -l", 1)
    assert [words(each) for each in (first, more, second)] == ["a", "more", "b"]
    assert [each.place.depth for each in (first, more, second)] == [1, 1, 1]
    assert [each.place.marker for each in (first, more, second)] == ["1.", "", "2."]


def test_code_right_behind_the_sign_of_an_item() -> None:
    item, code, after = blocks("- ```sh\n  ls\n  ```\n\nafter")
    assert isinstance(code, Code)
    assert (item.place.marker, code.text, words(after)) == ("•", "ls", "after")


def test_a_list_right_below_its_paragraph() -> None:
    assert [words(each) for each in blocks("These:\n- a\n- b\n")] == ["These:", "a", "b"]


def test_a_long_table_repeats_its_heads() -> None:
    rows = "".join(f"| cell {number} | x |\n" for number in range(400))
    tables = blocks("| one | two |\n|---|---|\n" + rows)
    assert len(tables) > 1
    assert all(isinstance(each, Table) for each in tables)
    assert len({each.heads for each in tables if isinstance(each, Table)}) == 1
    assert sum(len(each.rows) for each in tables if isinstance(each, Table)) == 400


def test_a_long_list_goes_on_counting() -> None:
    items = blocks("".join(f"{number}. item\n" for number in range(1, 1_001)))
    assert [each.place.marker for each in items] == [f"{number}." for number in range(1, 1_001)]


def test_emoji_and_ideographs_in_pieces() -> None:
    text = "👩‍👩‍👧 e\u0301 漢字 🎉\n\n- 日本語"
    parts = [block for each in segments(list(text)) for block in render(each)]
    assert parts == blocks(text)
    assert words(parts[0]) == "👩‍👩‍👧 e\u0301 漢字 🎉"


def test_halves_of_a_character_are_joined() -> None:
    halves = segments(["\ud83c", "\udf89"])
    assert [words(block) for each in halves for block in render(each)] == ["🎉"]


@pytest.mark.parametrize("text", ["a", "-", "#", "`", "$", "|", ">", "1", "\n", " ", "🎉"])
def test_replies_of_one_character(text: str) -> None:
    shown = "".join(words(each) + each.place.marker for each in blocks(text))
    assert shown or text in "#>\n "


@pytest.mark.parametrize("sign", ["[", "]", ">", "*", "_", "`", "~", "(", "<", "!", "\\", "$", "|"])
def test_a_hundred_thousand_signs(sign: str) -> None:
    found = blocks(sign * 100_000)
    shown = sum(len(words(each)) for each in found if isinstance(each, Prose))
    code = sum(len(each.language) for each in found if isinstance(each, Code))
    assert shown + code >= 40


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("  " * depth + "- x" for depth in range(1_000)),
        "\n".join(">" * depth + " a" for depth in range(300)),
        "*a " * 30_000,
        "[a](" * 25_000,
        "\\(" * 50_000,
        "$a " * 30_000,
        "|" * 5_000 + "\n" + "|-" * 5_000 + "\n" + "|a" * 5_000,
        "- " * 50_000 + "x",
        "- + " * 20_000 + "x",
        "\0" * 1_000 + "\u200b\u202e\ufeff" * 1_000,
    ],
)
def test_tangled_text_is_read_to_its_end(text: str) -> None:
    shown = "".join(words(each) for each in blocks(text) if isinstance(each, Prose))
    letters = {letter for letter in text if letter.isalnum()}
    assert letters <= set(shown)
