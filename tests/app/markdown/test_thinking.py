"""Thinking is told from text by its tags, wherever they stand."""

import pytest

from app.models.markdown.thinking import held_tail, split_thinking


def kinds(text: str, opens: bool = False) -> list[tuple[str, str, bool]]:
    return [(part.kind, part.text, part.is_closed) for part in split_thinking(text, opens)]


@pytest.mark.parametrize(
    ("text", "opens", "expected"),
    [
        ("", False, [("text", "", False)]),
        ("Hi", False, [("text", "Hi", False)]),
        ("<think>a</think>b", False, [("thinking", "a", True), ("text", "b", False)]),
        ("<think>a", False, [("thinking", "a", False)]),
        ("a</think>b", False, [("thinking", "a", True), ("text", "b", False)]),
        ("a</think>b", True, [("thinking", "a", True), ("text", "b", False)]),
        ("a", True, [("thinking", "a", False)]),
        ("<think>a</think>", False, [("thinking", "a", True)]),
        (
            "x<think>a</think>y",
            False,
            [("text", "x", True), ("thinking", "a", True), ("text", "y", False)],
        ),
        ("<think>\n\n</think>\n\nb", False, [("text", "\n\nb", False)]),
        ("`<think>` is a tag", False, [("text", "`<think>` is a tag", False)]),
        ("```\n<think>\n```\n", False, [("text", "```\n<think>\n```\n", False)]),
        ("```\n</think>\n```\n", False, [("text", "```\n</think>\n```\n", False)]),
    ],
)
def test_parts(text: str, opens: bool, expected: list[tuple[str, str, bool]]) -> None:
    assert kinds(text, opens) == expected


def test_an_open_fence_in_thoughts_does_not_swallow_the_answer() -> None:
    assert kinds("<think>\n```py\nx\n</think>\nyes") == [
        ("thinking", "\n```py\nx\n", True),
        ("text", "\nyes", False),
    ]


def test_starts_are_places_in_the_reply() -> None:
    text = "<think>abc</think>\nanswer"
    for part in split_thinking(text, False):
        assert text[part.start : part.start + len(part.text)] == part.text


@pytest.mark.parametrize(("text", "held"), [("a<", 1), ("a</thi", 5), ("<think", 6), ("a", 0)])
def test_what_may_become_a_tag_waits(text: str, held: int) -> None:
    assert held_tail(text) == held
