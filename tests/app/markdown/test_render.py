"""What each form of Markdown becomes."""

import builtins
import random
import socket

import pytest

from app.models.markdown.coloring import colored_lines, is_colored
from app.models.markdown.render import render
from app.models.markdown.thinking import split_thinking
from app.models.markdown.values import Code, Prose, Run, Table
from tests.app.markdown.fuzz import make_text
from tests.app.markdown.reading import blocks, runs, segments, words


def test_styles() -> None:
    assert runs("a **b** *c* ~~d~~ `e`") == (
        Run("a "),
        Run("b", is_bold=True),
        Run(" "),
        Run("c", is_italic=True),
        Run(" "),
        Run("d", is_struck=True),
        Run(" "),
        Run("e", "code"),
    )


def test_headings_lists_tasks_and_quotes() -> None:
    found = blocks("## H\n\n- [ ] a\n- [x] b\n  - c\n\n> q\n> > r\n\n---\n3. n\n")
    assert [(each.look, each.level) for each in found if isinstance(each, Prose)] == [
        ("heading", 2), *[("paragraph", 0)] * 5, ("rule", 0), ("paragraph", 0)
    ]  # fmt: skip
    places = [each.place for each in found]
    assert [place.is_done for place in places[1:4]] == [False, True, None]
    assert [place.depth for place in places] == [0, 1, 1, 2, 0, 0, 0, 1]
    assert [place.quotes for place in places] == [0, 0, 0, 0, 1, 2, 0, 0]
    assert places[-1].marker == "3."


def test_a_table() -> None:
    [table] = blocks("| a | b | c |\n|:--|--:|:-:|\n| 1 | **2** |\n")
    assert isinstance(table, Table)
    assert table.aligns == ("left", "right", "center")
    assert table.heads == ((Run("a"),), (Run("b"),), (Run("c"),))
    assert table.rows[0][1] == (Run("2", is_bold=True),)


@pytest.mark.parametrize(
    "text",
    ["$24,000 and $40,000", "from $5-$10", "5$ or 6$", "costs $5 or 6$ more", "US$ 5 and $ 6",
     "a \\$5 b \\$6", "$"],
)  # fmt: skip
def test_prices_are_text(text: str) -> None:
    assert all(run.kind == "text" for run in runs(text))
    assert "".join(run.text for run in runs(text)) == text.replace("\\$", "$")


@pytest.mark.parametrize("maths", ["$x$", "$E = mc^2$", "$$a+b$$", "\\(a_1\\)", "\\[a*b*c\\]"])
def test_formulas_keep_their_source(maths: str) -> None:
    assert Run(maths, "maths") in runs(f"so {maths} it is")


@pytest.mark.parametrize("text", ["$$\na*b*c\n$$", "\\[\na*b*c\n\\]", "$$a*b*c$$"])
def test_formulas_on_lines_of_their_own(text: str) -> None:
    found = blocks(f"{text}\nafter")
    assert isinstance(found[0], Prose)
    assert found[0].look == "maths"
    assert words(found[0]) == text
    assert words(found[1]) == "after"


@pytest.mark.parametrize("target", ["https://a.org/x", "http://a.org", "mailto:a@b.org"])
def test_links(target: str) -> None:
    assert runs(f"[name]({target})") == (Run("name", target=target),)


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "file:///etc/passwd", "ftp://a.org/x", "vscode://x", "/etc/passwd",
     "data:text/html,x", "JaVaScRiPt:x", "//a.org/x", "https:evil"],
)  # fmt: skip
def test_other_targets_are_text_that_can_be_read(target: str) -> None:
    found = runs(f"[name]({target})")
    assert not any(run.target for run in found)
    assert target.lower() in "".join(run.text for run in found).lower()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://a.org/x.", "https://a.org/x"),
        ("(https://a.org/x_(y))", "https://a.org/x_(y)"),
        ("https://a.org/?q=1&b=2, then", "https://a.org/?q=1&b=2"),
    ],
)
def test_bare_addresses(text: str, address: str) -> None:
    assert [run.text for run in runs(text) if run.target] == [address]


def test_html_is_text_and_images_are_named() -> None:
    assert words(blocks("<script>x</script> <b>y</b>")[0]) == "<script>x</script> <b>y</b>"
    image = Run("A cat", "image", host="a.org")
    assert runs("![A cat](https://user@a.org:80/cat.png)") == (image,)


@pytest.mark.parametrize("sign", ["<br>", "<br/>", "<BR />", "<br>\n", " <br> \n "])
def test_a_break_in_html_is_one_line_break(sign: str) -> None:
    assert words(blocks(f"one{sign}two")[0]).split() == ["one", "two"]
    assert words(blocks(f"one{sign}two")[0]).count("\n") == 1


def test_in_a_cell_it_breaks_and_elsewhere_it_is_text() -> None:
    [table] = blocks("| a<br>b | c |\n|---|---|\n| `<br>` | d<br><br>e<br> |\n")
    assert isinstance(table, Table)
    assert [run.kind for run in table.heads[0]] == ["text", "break", "text"]
    [[code, cell]] = table.rows
    assert code == (Run("<br>", "code"),)
    assert "".join(run.text for run in cell) == "d\n\ne"
    assert words(blocks("\\<br>")[0]) == "<br>"
    assert words(blocks("<breath>, <br class=x>")[0]) == "<breath>, <br class=x>"
    assert blocks("```\n<br>\n```") == [Code("", "<br>")]


def test_a_line_that_may_become_anything_waits() -> None:
    assert [words(each) for each in blocks("Title\n-", is_over=False)] == ["Title"]
    assert [words(each) for each in blocks("Title\n-")] == ["Title\n-"]


@pytest.mark.parametrize("text", ["x = 'a'  # c\n\ny = 2", "", "\n\n", "a\tb"])
def test_coloured_lines_are_those_of_the_text(text: str) -> None:
    assert is_colored("python", text)
    assert not is_colored("no such language", text)
    lines = list(colored_lines("python", text))
    assert len(lines) == text.count("\n") + 1
    for line, own in zip(lines, text.split("\n"), strict=True):
        assert all(start + length <= len(own) for start, length, _ in line.stretches)


@pytest.mark.parametrize(
    "language",
    ["java", "rust", "scala", "kotlin", "c", "cpp", "csharp", "php", "dart", "bash", "python"],
)
def test_a_comment_on_the_last_line_is_one(language: str) -> None:
    sign = "#" if language in ("bash", "python") else "//"
    before = "<?php $x = 3; " if language == "php" else "x = 3; "
    for above in ("", "\n"):
        *_, last = colored_lines(language, f"{above}{before}{sign} c")
        assert last.stretches[-1] == (len(before), len(sign) + 2, "comment")


def test_ten_thousand_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised, nothing opened, nothing asked for."""
    assert isinstance(blocks("```py\nx\n```")[0], Code)

    def refuse(*_args: object, **_more: object) -> None:
        raise AssertionError("reading Markdown opened something")

    numbers = random.Random(20)
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "open", refuse)
        patch.setattr(socket, "socket", refuse)
        count = 0
        for _ in range(10_000):
            text = make_text(numbers)
            parts = split_thinking(text, numbers.random() < 0.1)
            assert sum(len(part.text) for part in parts) <= len(text)
            for segment in segments([text], is_over=numbers.random() < 0.5):
                count += len(render(segment))
    assert count > 10_000
