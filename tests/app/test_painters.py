"""A painter that outlives its event, because of an exception, takes the process down at its end."""

import ast
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

import app

_SOURCES = sorted(Path(app.__file__).parent.rglob("*.py"))


def _is_painter(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "QPainter"


def _left_open(source: str) -> list[int]:
    """The lines of painters that no `with` ends."""
    nodes = list(ast.walk(ast.parse(source)))
    ended = {id(node.context_expr) for node in nodes if isinstance(node, ast.withitem)}
    return [node.lineno for node in nodes if _is_painter(node) and id(node) not in ended]


def test_every_painter_is_ended_whatever_happens():
    found = {f"{path}:{line}" for path in _SOURCES for line in _left_open(path.read_text("utf-8"))}
    assert not found
    assert sum("with QPainter(" in path.read_text("utf-8") for path in _SOURCES) > 20


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("painter = QPainter(self)\npainter.end()", [1]),
        ("colors, painter = 1, QtGui.QPainter(self)", [1]),
        ("x = 1\nQPainter(self).fillRect(x)", [2]),
        ("with QPainter(self) as painter:\n    paint(painter)", []),
    ],
)
def test_a_painter_without_with_is_found(source, lines):
    assert _left_open(source) == lines


def test_an_exception_ends_a_painter(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    picture = widget.grab()
    with pytest.raises(ValueError, match="on purpose"), QPainter(picture) as painter:
        raise ValueError("on purpose")
    assert not painter.isActive()
    with QPainter(picture) as again:
        again.fillRect(picture.rect(), QColor("#102030"))
    assert picture.toImage().pixelColor(1, 1) == QColor("#102030")
