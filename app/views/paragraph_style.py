"""How paragraphs are set: which of them are code, which stand in a fence, and their spacing."""

from enum import IntFlag

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextDocument

from app.models.prose import is_code_line, is_fence

TEXT_PIXELS = 13
CODE_PIXELS = 13
FENCE_INDENT = 14.0
TEXT_MARGIN = 2.0
CARD_MARGIN = 13.0
# How large code is beside text, as it is in Markdown, and how small it may get.
_CODE_SHARE, _SMALLEST = 0.88, 8
_LINE_HEIGHT = {False: 140.0, True: 126.0}


class Mark(IntFlag):
    """What is known of a paragraph, kept as its user state."""

    NONE = 0
    SOFT = 1
    CODE = 2
    FENCE = 4
    OPENS = 8
    CLOSES = 16


# Every sum of them: making one anew takes its time.
_MARKS = tuple(Mark(number) for number in range(32))


def code_pixels(pixels: int) -> int:
    """The size of code beside text of this size."""
    return max(round(pixels * _CODE_SHARE), _SMALLEST)


def mark_of(block: QTextBlock) -> Mark:
    """The marks of a paragraph."""
    return _MARKS[max(block.userState(), 0)]


def block_format(mark: Mark) -> QTextBlockFormat:
    """Line height and margins of a paragraph."""
    result = QTextBlockFormat()
    result.setLineHeight(
        _LINE_HEIGHT[bool(mark & Mark.CODE)],
        QTextBlockFormat.LineHeightTypes.ProportionalHeight.value,
    )
    if mark & Mark.FENCE:
        result.setLeftMargin(FENCE_INDENT)
        result.setRightMargin(FENCE_INDENT)
    if mark & Mark.OPENS:
        result.setTopMargin(10)
        result.setBottomMargin(6)
    if mark & Mark.CLOSES:
        result.setTopMargin(6)
        result.setBottomMargin(18)
    return result


def classify(text: str, soft: Mark, was: Mark) -> Mark:
    """The marks of a paragraph by its text and those of the one before."""
    if soft:
        return soft | was & (Mark.CODE | Mark.FENCE)
    if was & Mark.FENCE and not was & Mark.CLOSES:
        inside = Mark.CODE | Mark.FENCE
        return inside | Mark.CLOSES if is_fence(text) else inside
    if is_fence(text):
        return Mark.CODE | Mark.FENCE | Mark.OPENS
    return Mark.CODE if is_code_line(text) else Mark.NONE


def set_frame(document: QTextDocument) -> None:
    """Qt drops the outer margins of the first and last paragraph; the frame's stand in.

    Only above: another frame has all of the document laid out again, and the end changes often.
    """
    frame = document.rootFrame()
    starts_card = bool(mark_of(document.firstBlock()) & Mark.OPENS)
    top = CARD_MARGIN if starts_card else TEXT_MARGIN
    frame_format = frame.frameFormat()
    if (frame_format.topMargin(), frame_format.bottomMargin()) != (top, TEXT_MARGIN):
        frame_format.setTopMargin(top)
        frame_format.setBottomMargin(TEXT_MARGIN)
        frame.setFrameFormat(frame_format)


def room_of_card(document: QTextDocument) -> float:
    """What a card that ends the document needs below it."""
    ends_card = bool(mark_of(document.lastBlock()) & Mark.FENCE)
    return CARD_MARGIN - TEXT_MARGIN if ends_card else 0.0
