"""Code is read on a thread: no window waits for a lexer, and no lexer is made twice at once."""

import sys
import threading
import time

import pytest
from pytestqt.qtbot import QtBot

from app.models.markdown import colorist
from app.models.markdown.coloring import ColoredLine, colored_lines
from app.models.markdown.colorist import Coloring, Colorist
from app.models.markdown.values import Code
from app.theme import Theme
from app.views.markdown.code import CodeBlock
from app.views.markdown.look import Look

PYTHON = "def f(x):\n    return x + 1  # one more"


def taken(coloring: Coloring) -> list[ColoredLine]:
    """All lines, waited for."""
    lines: list[ColoredLine] = []
    deadline = time.monotonic() + 20
    while not coloring.is_over and time.monotonic() < deadline:
        line = coloring.take()
        if line is None:
            time.sleep(0.002)
        else:
            lines.append(line)
    assert coloring.is_over
    return lines


def test_the_lines_are_those_that_pygments_reads() -> None:
    assert taken(Colorist().begin("python", PYTHON)) == list(colored_lines("python", PYTHON))


def test_one_text_is_read_at_a_time_and_the_thread_ends(monkeypatch) -> None:
    readers: list[threading.Thread] = []
    num_reading, most = 0, 0

    def slowly(language: str, text: str):
        nonlocal num_reading, most
        readers.append(threading.current_thread())
        num_reading += 1
        most = max(most, num_reading)
        time.sleep(0.01)
        yield ColoredLine(())
        num_reading -= 1

    monkeypatch.setattr(colorist, "colored_lines", slowly)
    own = Colorist()
    colorings = [own.begin("python", str(number)) for number in range(5)]
    assert [len(taken(each)) for each in colorings] == [1] * 5
    assert most == 1
    assert threading.main_thread() not in readers
    for reader in readers:
        reader.join(5)
        assert not reader.is_alive()
    assert len(taken(own.begin("python", "again"))) == 1


def test_what_is_dropped_is_not_read_on(monkeypatch) -> None:
    lines_read = []

    def endless(language: str, text: str):
        while True:
            lines_read.append(text)
            yield ColoredLine(())

    monkeypatch.setattr(colorist, "colored_lines", endless)
    own = Colorist()
    first, second = own.begin("python", "first"), own.begin("python", "second")
    second.drop()
    first.drop()
    deadline = time.monotonic() + 20
    while own._is_reading and time.monotonic() < deadline:
        time.sleep(0.002)
    assert not own._is_reading
    assert "second" not in lines_read


def test_a_lexer_that_breaks_leaves_its_text_without_colours(monkeypatch, caplog) -> None:
    def broken(language: str, text: str):
        if text == "bad":
            raise RuntimeError("a flaw")
        yield ColoredLine(())

    monkeypatch.setattr(colorist, "colored_lines", broken)
    own = Colorist()
    bad, good = own.begin("python", "bad"), own.begin("python", "good")
    assert (taken(bad), len(taken(good))) == ([], 1)
    assert "could not be coloured" in caplog.text


@pytest.mark.parametrize("language", ["scala", "julia"])
def test_no_lexer_is_imported_by_the_window(qtbot: QtBot, monkeypatch, language: str) -> None:
    name = f"pygments.lexers.{'jvm' if language == 'scala' else language}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    importers: list[threading.Thread] = []

    class Noting:
        def find_spec(self, found: str, *_: object) -> None:
            if found == name:
                importers.append(threading.current_thread())

    monkeypatch.setattr(sys, "meta_path", [Noting(), *sys.meta_path])
    from pygments import lexers

    for known in [key for key, each in lexers._lexer_cache.items() if each.__module__ == name]:
        monkeypatch.delitem(lexers._lexer_cache, known)
    block = CodeBlock(
        Code(text="val x = 1", language=language, is_closed=True), Look(Theme("light"))
    )
    qtbot.addWidget(block)
    assert block.is_coloring
    qtbot.waitUntil(lambda: not block.is_coloring, timeout=20_000)
    assert importers
    assert threading.main_thread() not in importers
    assert block.colored


def test_code_that_goes_on_is_coloured_anew(qtbot: QtBot) -> None:
    block = CodeBlock(Code(text="x = 1", language="python", is_closed=True), Look(Theme("light")))
    qtbot.addWidget(block)
    earlier = block._coloring
    block.show_code(Code(text="y = 'a'\nz = 2", language="python", is_closed=True))
    assert block._coloring is not earlier
    qtbot.waitUntil(lambda: not block.is_coloring)
    assert len(block.colored) == 2
