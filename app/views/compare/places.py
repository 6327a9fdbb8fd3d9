"""Where a reply's tokens stand in the widget that shows their text."""

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QTextCursor

from app.views.reply_text import ReplyText

_LEAST_WIDTH = 3.0


class TokenPlaces:
    """Finds places by halving: a text of any length is asked a few times, never walked."""

    def __init__(self, text: ReplyText) -> None:
        self._text = text

    def top_of(self, token: int) -> float:
        """The upper edge of the line that a token begins on, in the text's own pixels."""
        return QRectF(self._text.cursorRect(self._cursor(self._start(token)))).top()

    def token_at(self, y: float) -> int:
        """The first token that begins on the line at this height; 0 where there is none."""
        start = self._text.cursorForPosition(QPoint(0, round(y))).position()
        piece = self._text.paragraphs.places.piece_at(start)
        return piece.first if piece is not None else 0

    def boxes(self, token: int) -> list[QRectF]:
        """The token's box on each line it is on; a thin one for a token without text."""
        cursor = self._cursor(self._start(token))
        end = self._start(token + self._width(token))
        boxes: list[QRectF] = []
        while True:
            left = QRectF(self._text.cursorRect(cursor))
            line_end = QTextCursor(cursor)
            line_end.movePosition(QTextCursor.MoveOperation.EndOfLine)
            is_last = end <= line_end.position()
            if is_last:
                line_end.setPosition(max(end, cursor.position()))
            right = QRectF(self._text.cursorRect(line_end)).left()
            width = max(right - left.left(), _LEAST_WIDTH)
            boxes.append(QRectF(left.left(), left.top(), width, left.height()))
            if is_last or not cursor.movePosition(QTextCursor.MoveOperation.Down):
                return boxes
            cursor.movePosition(QTextCursor.MoveOperation.StartOfLine)

    def _width(self, token: int) -> int:
        """How many tokens became text together with this one, from this one on."""
        piece = self._text.paragraphs.places.piece_at(self._start(token))
        if piece is None or not piece.first <= token:
            return 1
        return max(piece.first + len(piece.origins) - token, 1)

    def _start(self, token: int) -> int:
        """The position of a token's text; the end for one behind the last."""
        low, high = 0, self._text.document().characterCount() - 1
        while low < high:
            middle = (low + high) // 2
            piece = self._text.paragraphs.places.piece_at(middle)
            if piece is None or piece.first + len(piece.origins) <= token:
                low = middle + 1
            else:
                high = middle
        return low

    def _cursor(self, position: int) -> QTextCursor:
        cursor = QTextCursor(self._text.document())
        cursor.setPosition(position)
        return cursor
