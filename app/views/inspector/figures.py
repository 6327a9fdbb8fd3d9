"""The font of numbers that change: figures of one width, so that none of them moves another."""

from PySide6.QtGui import QFont

from app.theme import sans


def figures(pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The interface font with tabular figures."""
    font = sans(pixels, weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
