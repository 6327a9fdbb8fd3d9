"""What a token's card speaks of, as far as it is seen: the token's line, and the draft's source."""

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtWidgets import QWidget

from app.models.sources import Part
from app.views.reply_text import ReplyText
from app.views.token_text import TokenText

# The most important first; of very many stretches so many.
_PARTS: tuple[Part, ...] = ("token", "draft", "match")
_MOST = 12


def spoken_of(
    host: QWidget, viewport: QWidget, text: TokenText, sources: Iterable[ReplyText]
) -> list[QRect]:
    """Rectangles of `host`, the most important first: in `text` is the token."""
    lit = [each for each in sources if each.isVisible()]
    found = [(each, rect) for part in _PARTS for each in lit for rect in each.source_rects(part)]
    room = rect_in(host, viewport, QRectF(viewport.rect()))
    stretches = [(text, text.selected_lines()), *found[:_MOST]]
    seen = (rect_in(host, *each) & room for each in stretches)
    return [rect for rect in seen if not rect.isEmpty()]


def rect_in(host: QWidget, widget: QWidget, rect: QRectF) -> QRect:
    """All pixels of a part of a widget, in the coordinates of one around it."""
    return rect.toAlignedRect().translated(widget.mapTo(host, QPoint(0, 0)))
