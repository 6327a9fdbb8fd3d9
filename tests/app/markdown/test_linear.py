"""Text that is made to take long takes no longer than other text of its length."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from app.models.markdown.blocks import Splitter
from app.models.markdown.clean import clean
from app.models.markdown.render import render
from app.models.markdown.thinking import split_thinking
from app.models.markdown.values import Prose
from app.models.reply import Piece, Reply
from app.theme import Theme
from app.views.markdown import MarkdownView
from tests.app.markdown.reading import blocks, words

# Where it was quadratic, this length took minutes; the time limit of a test is the judge.
LENGTH = 200_000
SIGNS = [
    *"`~<>&\\$[]()!*_#-+=|:.0a \t/\"'^{}@%",
    "` `` ` ``", "`` ` ", "`~", "<think", "</think", "<think>", "</think>", "`<think>", "``a`",
    "<think>a</think>b", "`<think>` ", "[](", "![", "![](", "[a](", "*a_", "**a", "~~", "~~a",
    "$a", "$$", "\\[", "\\(", "\\`", "&a", "&#", "<a", "<!--", "https://", "http://a)", "> ", "- ",
    "1. ", "[x] ", "\u202e", "é`",
]  # fmt: skip
LINES = [
    "```\n", "```a\n", "~~~\n`", "- a\n", "> a\n", "|a|\n", "|-|\n", "$$\n", "\\[\n", "a\n\n",
    "a|b\n-|-\n", "````md\n```a\n", "|\n",
]  # fmt: skip
HEADS = ["```\n", "````md\n", "- ", "> ", "$$\n", "|a|\n|-|\n", "<think>"]


def long(sign: str, length: int = LENGTH) -> str:
    return (sign * (length // len(sign) + 1))[:length]


def read(text: str) -> int:
    """Read it as a view does; how many characters of it are in segments."""
    splitter = Splitter()
    for start in range(0, len(text), 6_000):
        splitter.append(text[start : start + 6_000])
        splitter.open_segments()
    splitter.finish()
    for segment in splitter.closed:
        render(segment)
    return sum(len(segment.text) for segment in splitter.closed)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_again_and_again(sign: str) -> None:
    text = long(sign)
    parts = split_thinking(text, False)
    assert all(text[each.start :].startswith(each.text) for each in parts)
    assert read(text) == len(text) or not text.strip()
    assert clean(text)


@pytest.mark.parametrize("line", LINES)
def test_a_line_again_and_again(line: str) -> None:
    assert read(long(line, 40_000)) > 0


@pytest.mark.parametrize("head", HEADS)
def test_lines_that_go_on_in_what_a_first_one_opened(head: str) -> None:
    for line in ("|\n", "`\n", "```a\n"):
        text = head + long(line, 30_000)
        split_thinking(text, False)
        assert read(text) > 0


def test_an_answer_of_ticks_is_known_at_once() -> None:
    reply = Reply()
    reply.pieces.append(Piece("<think>a</think>" + long("`"), 0, (), 0))
    assert reply.answer == long("`")


def test_runs_of_every_length_are_matched() -> None:
    ticks = " ".join("`" * count for count in range(1, 630))
    [part] = split_thinking(f"{ticks} <think> {ticks}", False)
    assert part.kind == "text"


@pytest.mark.parametrize("sign", ["`", "~", "` `` ", "<think", "$", "[](", "&", "\\"])
def test_a_run_that_grows(sign: str) -> None:
    splitter = Splitter()
    for _ in range(5_000):
        splitter.append(sign)
        splitter.open_segments()
    assert splitter.text == sign * 5_000


@pytest.mark.parametrize("sign", ["`", "~", "<think>a</think>b"])
def test_a_view_shows_it(qtbot: QtBot, sign: str) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    view = MarkdownView(Theme("light", area), area)
    area.setWidget(view)
    view.resize(600, 10)
    area.show()
    view.set_source(long(sign, 50_000), True)
    view.settle()
    assert view.height() > 0
    assert len(view.source) == 50_000
    assert len(view.columns()) < 500


def test_a_long_table_is_built_and_laid_out_in_helpings(qtbot: QtBot) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    view = MarkdownView(Theme("light", area), area)
    area.setWidget(view)
    view.resize(600, 10)
    area.show()
    rows = "".join(f"| row {number} | some **words** | `code` |\n" for number in range(1_000))
    view.set_source("| a | b | c |\n|---|---|---|\n" + rows, True)
    counts, heights = [len(view.pieces())], [view.height()]
    while not view.is_settled:
        QCoreApplication.processEvents()
        counts.append(len(view.pieces()))
        heights.append(view.height())
    steps = [after - before for before, after in pairwise(counts)]
    assert counts[-1] > 30
    assert max(counts[0], *steps) < counts[-1] / 2
    assert len(set(heights)) > 3
    bottoms = [piece.geometry().bottom() for piece in view.pieces()]
    assert bottoms == sorted(set(bottoms))
    shown = [row for piece in view.pieces() for row in piece.table.rows]
    assert len(shown) == 1_000


def test_lines_below_the_heads_of_a_table_are_what_they_were() -> None:
    for line in ("|-|", "-|-", "|:-|-:|", " :---: | --- ", "--|"):
        assert len(blocks(f"|a|b|\n{line}\n")) == 1
    assert read("a\n|-" + " " * 1_900 + "x\n\n") > 0


@pytest.mark.parametrize("turn", list("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
def test_what_reverses_text_is_shown_as_a_mark(turn: str) -> None:
    [block] = blocks(f"see [exam{turn}ple](https://a.org/x) and `co{turn}de` {turn}.")
    assert isinstance(block, Prose)
    assert words(block) == "see exam⇄ple and co⇄de ⇄."
    assert block.runs[1].target == "https://a.org/x"
    for source in (f"```\na{turn}b\n```", f"|a{turn}b|\n|-|\n", f"https://a.org/{turn}gpj.exe"):
        assert turn not in repr(blocks(source))
        assert "⇄" in repr(blocks(source))


def test_marks_that_only_tell_a_direction_stay() -> None:
    assert clean("שלום\u200f!\u200e\u061c") == "שלום\u200f!\u200e\u061c"
