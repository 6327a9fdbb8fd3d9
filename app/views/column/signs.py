"""The signs of the actions under a message, drawn as thin lines in a square of 16 units."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

Sign = Literal[
    "copy", "again", "continue", "delete", "details", "edit", "previous", "next", "down", "up",
    "end", "close",
]  # fmt: skip


def sign_path(sign: Sign) -> QPainterPath:
    """The lines of a sign."""
    path = QPainterPath()
    _DRAWN[sign](path)
    return path


def _lines(path: QPainterPath, *points: tuple[float, float]) -> None:
    path.moveTo(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(QPointF(*point))


def _copy(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(5.5, 5.5, 8, 8), 2, 2)
    path.moveTo(3.4, 10.4)
    path.cubicTo(2.8, 10.2, 2.5, 9.8, 2.5, 9.0)
    path.lineTo(2.5, 4.5)
    path.cubicTo(2.5, 3.1, 3.1, 2.5, 4.5, 2.5)
    path.lineTo(9.0, 2.5)
    path.cubicTo(9.8, 2.5, 10.2, 2.8, 10.4, 3.4)


def _again(path: QPainterPath) -> None:
    path.arcMoveTo(QRectF(3, 3, 10, 10), 30)
    path.arcTo(QRectF(3, 3, 10, 10), 30, 300)
    _lines(path, (12.6, 2.6), (12.6, 5.7), (9.5, 5.7))


def _continue(path: QPainterPath) -> None:
    _lines(path, (3, 3.5), (8, 8), (3, 12.5))
    _lines(path, (8.5, 3.5), (13.5, 8), (8.5, 12.5))


def _delete(path: QPainterPath) -> None:
    _lines(path, (2.8, 4.5), (13.2, 4.5))
    _lines(path, (6, 4.3), (6, 2.8), (10, 2.8), (10, 4.3))
    _lines(path, (4.2, 4.8), (4.8, 13.2), (11.2, 13.2), (11.8, 4.8))
    _lines(path, (6.8, 7), (6.8, 10.8))
    _lines(path, (9.2, 7), (9.2, 10.8))


def _details(path: QPainterPath) -> None:
    _lines(path, (3.5, 13), (3.5, 9))
    _lines(path, (8, 13), (8, 3))
    _lines(path, (12.5, 13), (12.5, 6.5))


def _edit(path: QPainterPath) -> None:
    _lines(path, (3, 13), (3.6, 10.1), (10.8, 2.9), (13.1, 5.2), (5.9, 12.4), (3, 13))
    _lines(path, (9.2, 4.5), (11.5, 6.8))


def _end(path: QPainterPath) -> None:
    _lines(path, (8, 3), (8, 12.6))
    _lines(path, (4, 8.8), (8, 12.8), (12, 8.8))


def _close(path: QPainterPath) -> None:
    _lines(path, (4, 4), (12, 12))
    _lines(path, (12, 4), (4, 12))


_DRAWN: dict[Sign, Callable[[QPainterPath], None]] = {
    "copy": _copy,
    "again": _again,
    "continue": _continue,
    "delete": _delete,
    "details": _details,
    "edit": _edit,
    "previous": lambda path: _lines(path, (9.8, 3.8), (5.8, 8), (9.8, 12.2)),
    "next": lambda path: _lines(path, (6.2, 3.8), (10.2, 8), (6.2, 12.2)),
    "down": lambda path: _lines(path, (3.8, 6), (8, 10), (12.2, 6)),
    "up": lambda path: _lines(path, (3.8, 10), (8, 6), (12.2, 10)),
    "end": _end,
    "close": _close,
}
