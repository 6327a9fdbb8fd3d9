"""How large a conversation's text is set."""

from PySide6.QtCore import QObject, Signal

from app.settings import LARGEST_TEXT, SMALLEST_TEXT

USUAL = 15


class TextSize(QObject):
    """One size, in pixels, for bubbles and replies in either look."""

    changed = Signal()

    def __init__(self, pixels: int = USUAL, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pixels = min(max(pixels, SMALLEST_TEXT), LARGEST_TEXT)

    def set_pixels(self, pixels: int) -> None:
        """Set it; a size beyond the ends is the smallest or the largest."""
        pixels = min(max(pixels, SMALLEST_TEXT), LARGEST_TEXT)
        if pixels != self.pixels:
            self.pixels = pixels
            self.changed.emit()

    def grow(self, by: int) -> None:
        """Larger, or smaller, by so many pixels."""
        self.set_pixels(self.pixels + by)

    def reset(self) -> None:
        """The usual size."""
        self.set_pixels(USUAL)
