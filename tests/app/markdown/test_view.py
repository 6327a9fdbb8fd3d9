"""What a reply as Markdown shows, and that it grows at its end only."""

import builtins
import random
import socket
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from app.theme import DARK, LIGHT, Palette, Theme
from app.views.markdown import MarkdownView
from app.views.markdown.code import CodeBlock
from app.views.markdown.look import Look
from app.views.markdown.pieces import Piece
from app.views.markdown.prose import ProseBlock
from app.views.markdown.read_only import ReadOnlyText
from app.views.markdown.table import TableBlock
from tests.app.markdown.fuzz import make_text
from tests.bench.markdown import reply

SAMPLE = """# Title

Some **bold** words and [a link](https://a.org/x) 🎉 needle.

- one `code`
- two

```python
def needle():
    return "yes"
```

| a | b |
|---|---|
| needle | [b](https://b.org) |

The end.
"""
Make = Callable[..., MarkdownView]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    views: list[QScrollArea] = []

    def build(text: str | None = None, *, width: int = 600, theme: Theme | None = None):
        area = QScrollArea()
        views.append(area)
        view = MarkdownView(theme or Theme("light", area), area)
        area.setWidget(view)
        area.resize(width + 40, 400)
        view.resize(width, 10)
        area.show()
        if text is not None:
            view.set_source(text, True)
            view.settle()
        return view

    yield build
    for area in views:
        qtbot.waitUntil(lambda a=area: not _is_busy(a.widget()))
        area.close()
        area.deleteLater()


def _is_busy(view: MarkdownView) -> bool:
    codes = [piece for piece in view.pieces() if isinstance(piece, CodeBlock)]
    return not view.is_settled or any(code.is_coloring for code in codes)


def shown(view: MarkdownView) -> list[tuple[type, str]]:
    return [(type(piece), piece.words()) for piece in view.pieces()]


def one(view: MarkdownView, kind: type) -> Piece:
    [piece] = [piece for piece in view.pieces() if isinstance(piece, kind)]
    return piece


def test_each_kind_has_its_block(make: Make) -> None:
    kinds = [kind for kind, _ in shown(make(SAMPLE))]
    assert kinds == [ProseBlock, CodeBlock, TableBlock, ProseBlock]


@pytest.mark.parametrize("seed", range(4))
def test_pieces_show_the_same_as_all_at_once(make: Make, seed: int) -> None:
    numbers = random.Random(seed)
    text = "<think>\nso\n\n- it is\n</think>\n" + SAMPLE + reply(3_000)
    view, place = make(), 0
    while place < len(text):
        size = numbers.randrange(1, 40)
        view.append(text[place : place + size])
        place += size
    view.finish()
    view.settle()
    whole = make(text)
    assert shown(view) == shown(whole)
    assert view.height() == whole.height()


def test_an_append_leaves_what_is_above_alone(make: Make) -> None:
    view = make()
    view.append(SAMPLE)
    before = view.pieces()[:-1]
    for word in ("and ", "so on ", "for a while.\n", "\n- x", "\n- y\n"):
        view.append(word)
    assert view.pieces()[: len(before)] == before


def test_blocks_are_as_tall_as_what_they_hold(make: Make) -> None:
    view = make(SAMPLE, width=260)
    y = 0
    for piece in view.pieces():
        assert piece.y() >= y
        y = piece.geometry().bottom()
        if isinstance(piece, ReadOnlyText):
            assert piece.verticalScrollBar().maximum() == 0
        else:
            assert piece.text.verticalScrollBar().maximum() == 0
    assert view.height() == y + 1


def test_a_narrower_view_is_taller(make: Make) -> None:
    view = make("many words " * 100)
    before = view.height()
    view.resize(300, view.height())
    view.settle()
    assert view.height() > before * 1.5


@pytest.mark.parametrize("text", ["```\nx = 1\n```", "A line.", "<think>A line.", SAMPLE])
def test_a_wider_view_shows_all_of_its_width_even_where_it_is_as_tall(make: Make, text) -> None:
    view = make(text, width=400)
    height = view.height()
    view.resize(640, height)
    view.settle()
    assert view.height() == height
    for column in view.columns():
        assert column.x() + column.width() == 640
        assert all(piece.geometry().right() < column.width() for piece in column.pieces)


def test_thoughts_fold_once_they_are_complete(make: Make) -> None:
    view = make()
    view.append("<think>Let me ")
    view.append("see</thi")
    [thoughts] = view.thinking
    assert thoughts.is_open
    assert thoughts.title.startswith("Thinking…")
    assert thoughts.column.text == "Let me see"
    view.append("nk>Yes")
    view.thinking_seconds(12.3)
    assert not thoughts.is_open
    assert thoughts.title.startswith("Thought for 12 s")
    height = view.height()
    thoughts.findChild(QPushButton).click()
    assert view.height() > height
    view.finish()
    assert view.plain_text() == "Let me see\n\nYes"


def test_a_lone_close_makes_thoughts_of_what_is_above(make: Make) -> None:
    view = make()
    view.append("hm\n\nhm")
    view.append("</think>")
    view.append("Yes")
    view.finish()
    assert [each.column.text for each in view.thinking] == ["hm\n\nhm"]
    assert view.plain_text() == "hm\nhm\n\nYes"


def test_a_prompt_may_have_opened_the_thoughts(make: Make) -> None:
    view = make()
    view.set_source("hm", False, True)
    assert view.thinking[0].is_open
    view.finish()
    # Without an answer, folded thoughts would leave nothing to see.
    assert view.thinking[0].is_open
    assert view.thinking[0].title.startswith("Thoughts")


def test_empty_thoughts_are_not_shown(make: Make) -> None:
    view = make()
    for piece in ("<think>", "\n\n", "</think>", "\n\nYes"):
        view.append(piece)
    view.finish()
    assert view.thinking == []
    assert view.plain_text() == "Yes"


@pytest.mark.parametrize("text", ["<", "<think", "a <", "x"])
def test_what_waited_for_a_tag_is_shown_at_the_end(make: Make, text: str) -> None:
    assert make(text).plain_text() == text
    assert make(text).source == text


def test_the_copy_button(make: Make, qtbot: QtBot) -> None:
    view = make(SAMPLE)
    button = one(view, CodeBlock).findChild(QPushButton)
    assert button.accessibleName() == "Copy the code in python"
    with qtbot.waitSignal(view.copied) as copied:
        button.click()
    assert copied.args == ['def needle():\n    return "yes"']
    assert QGuiApplication.clipboard().text() == copied.args[0]
    assert button.text() == "Copied"
    qtbot.waitUntil(lambda: button.text() == "Copy")


def test_links_by_key_are_asked_for(make: Make, qtbot: QtBot) -> None:
    view = make(SAMPLE)
    first = view.pieces()[0]
    view.window().activateWindow()
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    with qtbot.waitSignal(view.link_requested) as asked:
        qtbot.keyClick(first, Qt.Key.Key_Return)
    assert asked.args == ["https://a.org/x"]


def test_tab_stops_only_where_there_is_something(make: Make) -> None:
    view = make(SAMPLE)
    stops = [bool(p.focusPolicy() & Qt.FocusPolicy.TabFocus) for p in view.pieces()]
    assert stops == [True, False, True, False]
    assert all(piece.accessibleName() for piece in view.pieces() if isinstance(piece, ReadOnlyText))


def test_matches_in_every_kind_of_block(make: Make) -> None:
    view = make(SAMPLE)
    found = view.matches("NEEDLE")
    assert [block for block, _, _ in found] == [0, 1, 2]
    rects = [view.show_match(number) for number in range(3)]
    assert [rect.top() for rect in rects] == sorted({rect.top() for rect in rects})
    [lit] = view.pieces()[0].extraSelections()
    assert lit.cursor.selectedText() == "needle"
    view.clear_matches()
    assert view.pieces()[0].extraSelections() == []
    assert view.matches("") == []


def test_a_match_in_thoughts_unfolds_them(make: Make) -> None:
    view = make("<think>secret</think>open")
    assert view.matches("secret")
    assert view.show_match(0).height() > 0
    assert view.thinking[0].is_open


def test_what_is_selected_and_copied(make: Make) -> None:
    view = make("# T\n\n1. a\n2. b\n   - [x] c\n")
    piece = view.pieces()[0]
    piece.selectAll()
    assert view.selected_text() == "T\na\nb\nc"
    assert piece.createMimeDataFromSelection().text() == "T\n1. a\n2. b\n  - [x] c"


def test_size_and_theme_are_followed(make: Make) -> None:
    theme = Theme("light")
    view = make(SAMPLE, theme=theme)
    height, piece = view.height(), view.pieces()[0]

    def color() -> str:
        block = piece.document().firstBlock()
        return block.begin().fragment().charFormat().foreground().color().name()

    assert color() == LIGHT.text
    view.set_pixels(22)
    view.settle()
    assert view.height() > height * 1.2
    theme.palette = DARK
    theme.changed.emit()
    view.settle()
    assert color() == DARK.text


def _contrast(one_color: str, other: str) -> float:
    def light(name: str) -> float:
        parts = [int(name[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one_color), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize(
    "shade", ["keyword", "string", "number", "comment", "name", "builtin"]
)  # fmt: skip
def test_code_can_be_read(palette: Palette, shade, qapp) -> None:
    theme = Theme("light")
    theme.palette = palette
    assert _contrast(Look(theme).shade(shade).name(), palette.raised) >= 4.5


def test_code_is_coloured_once_it_is_complete(make: Make, qtbot: QtBot) -> None:
    view = make()
    view.append("```python\ndef a():\n    return 1\n")
    code = one(view, CodeBlock)
    assert not code.is_coloring
    assert code.colored == []
    view.append("```\n")
    qtbot.waitUntil(lambda: not code.is_coloring)
    assert one(view, CodeBlock) is code
    assert [len(line.stretches) for line in code.colored] == [2, 2]
    assert code.text.document().firstBlock().layout().formats()


@pytest.mark.parametrize(
    "text", ["```python\ndef a():\n    return 1", "- x\n  ~~~python\n  def a():\n"]
)
def test_code_that_nothing_closes_is_coloured_once_the_reply_is_over(
    make: Make, qtbot: QtBot, text: str
) -> None:
    view = make()
    view.append(text)
    view.settle()
    code, words = one(view, CodeBlock), one(view, CodeBlock).words()
    assert not code.is_coloring
    assert code.colored == []
    view.finish()
    view.settle()
    qtbot.waitUntil(lambda: not code.is_coloring and code.colored != [])
    assert one(view, CodeBlock) is code
    assert code.words() == words
    assert code.text.document().firstBlock().layout().formats()


def test_wide_code_and_tables_scroll_sideways(make: Make) -> None:
    cells = "|".join(["several words"] * 12)
    view = make(f"```\n{'x' * 400}\n```\n\n|{cells}|\n|{'|'.join(['-'] * 12)}|\n", width=300)
    assert one(view, CodeBlock).text.horizontalScrollBar().maximum() > 0
    table = one(view, TableBlock)
    assert table.horizontalScrollBar().maximum() > 0
    assert table.horizontalScrollBar().value() == 0


def test_text_from_right_to_left(make: Make) -> None:
    view = make("- שלום\n- hello\n")
    first = view.pieces()[0].document().firstBlock()
    assert first.textDirection() == Qt.LayoutDirection.RightToLeft
    assert first.blockFormat().rightMargin() > first.blockFormat().leftMargin() == 0
    second = first.next().blockFormat()
    assert second.leftMargin() > second.rightMargin() == 0


@pytest.mark.parametrize(("text", "is_right"), [("8. שלום", True), ("8. hello", False)])
def test_the_dot_of_a_number_stands_between_it_and_the_words(
    make: Make, text: str, is_right: bool
) -> None:
    view = make(text)
    view.window().grab()
    piece = one(view, ProseBlock)
    form = piece.document().firstBlock().blockFormat()
    image = piece.grab().toImage()
    margin = round(form.rightMargin() if is_right else form.leftMargin())
    left = image.width() - margin if is_right else 0
    ground = image.pixelColor(left + 1, 1)
    inked = [
        [y for y in range(image.height()) if image.pixelColor(x, y) != ground]
        for x in range(left + 2, left + margin - 2)
    ]
    columns = [rows for rows in inked if rows]
    dot, digit = (columns[0], columns[-1]) if is_right else (columns[-1], columns[0])
    assert min(dot) > min(digit)


def test_a_table_from_right_to_left_begins_at_the_right(make: Make) -> None:
    names = "الاسم", "العمر", "المدينة"
    view = make(f"|{'|'.join(names)}|\n|---|---|---|\n|ليلى|30|Paris|\n", width=500)
    table = one(view, TableBlock)
    words = table.words()
    places = [table.rect_of((words.index(name), len(name))) for name in names]
    assert places[0].left() > places[1].right() > places[1].left() > places[2].right()
    assert places[0].right() > 480
    ends = [place.right() for place in places]
    below = [table.rect_of((words.index(each), len(each))) for each in ("ليلى", "30", "Paris")]
    assert all(abs(rect.right() - end) <= 3 for rect, end in zip(below, ends, strict=True))
    grown = make(f"|{'|'.join(names * 5)}|\n{'|---' * 15}|\n|{'ليلى|' * 15}\n", width=300)
    bar = one(grown, TableBlock).horizontalScrollBar()
    grown.window().grab()
    assert bar.value() == bar.maximum() > 0
    plain = one(make("|a|ب|\n|---|---|\n|c|d|\n"), TableBlock)
    assert plain.words().index("a") < plain.words().index("ب")


def test_a_long_text_comes_in_helpings(make: Make, qtbot: QtBot) -> None:
    view = make()
    view.set_source(reply(60_000), True)
    assert view.pieces()
    assert not view.is_settled
    first = len(view.pieces())
    qtbot.waitUntil(lambda: view.is_settled, timeout=30_000)
    assert len(view.pieces()) > first
    assert view.pieces()[-1].geometry().bottom() + 1 == view.height()


@pytest.mark.parametrize("text", ["x" * 20_000, "```\n" + "x" * 100_000, "a\n" * 3_000])
def test_overlong_text_is_shown_whole(make: Make, text: str) -> None:
    view = make(text)
    plain = view.plain_text().replace("\n", "")
    assert plain.count("x") == text.count("x")
    assert plain.count("a") == text.count("a")


def test_clear_begins_again(make: Make) -> None:
    view = make(SAMPLE)
    view.clear()
    assert (view.pieces(), view.height(), view.source) == ([], 0, "")
    view.append("again")
    assert view.plain_text() == "again"


def test_growing_is_told(make: Make, qtbot: QtBot) -> None:
    view = make()
    with qtbot.waitSignal(view.grown):
        view.append("words")


def test_three_hundred_texts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised, nothing opened, nothing loaded, nothing asked for."""
    make("```js\nlet x = 1;\n```\n")

    def refuse(*_args: object, **_more: object) -> None:
        raise AssertionError("showing Markdown opened something")

    numbers, view = random.Random(7), make()
    opened: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "open", refuse)
        patch.setattr(socket, "socket", refuse)
        patch.setattr(ReadOnlyText, "loadResource", lambda *args: opened.append(args))
        for _ in range(300):
            text = make_text(numbers)
            view.set_source(text, False)
            view.append(make_text(numbers))
            view.finish()
            view.settle()
            view.grab()
        assert view.pieces()
    assert opened == []


def test_what_comes_while_text_waits_is_shown_in_a_later_turn(make: Make, monkeypatch) -> None:
    monkeypatch.setattr("app.views.markdown.column._TURN_SECONDS", 0.0)
    text = reply(6_000)
    view = make()
    view.append(text[:3_000])
    first = len(view.pieces())
    assert not view.is_settled
    view.append(text[3_000:])
    view.finish()
    assert len(view.pieces()) == first
    view.resize(500, 10)
    view.settle()
    whole = make(text, width=500)
    assert shown(view) == shown(whole)
    assert view.height() == whole.height()
