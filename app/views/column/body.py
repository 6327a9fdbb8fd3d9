"""The text of a reply in its two looks: tokens to be chosen, or Markdown to be read.

Only the look that is shown is fed; the other catches up when it is shown. One that begins anew
keeps its height until it is whole again, so that what stands around it does not jump.
"""

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.reply import Piece, Reply
from app.theme import Theme
from app.views.column.thinking_time import thinking_seconds
from app.views.markdown.view import MarkdownView
from app.views.token_text import TokenText

# One helping of text.
MOST_PIECES, MOST_CHARACTERS = 1_000, 12_000
_HOLD_MS = 120


@dataclass(slots=True)
class _Fed:
    """How far a look is; the last piece tells whether the text goes on where it was."""

    reply: Reply | None = None
    count: int = 0
    last: Piece | None = None

    def is_stale(self, reply: Reply) -> bool:
        """Whether what was shown is not the beginning of this reply."""
        if self.reply is not reply or self.count > len(reply.pieces):
            return True
        return self.count > 0 and reply.pieces[self.count - 1] is not self.last

    def take(self, reply: Reply, count: int) -> None:
        """So many pieces are shown."""
        self.reply, self.count = reply, count
        self.last = reply.pieces[count - 1] if count else None


class ReplyBody(QWidget):
    """`restarted`: what was known of the places in the text no longer holds."""

    link_requested = Signal(str)
    restarted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self._theme, self._pixels = theme, 0
        self._is_tokens = True
        self._reply: Reply | None = None
        self._seen, self._in_tokens, self._in_prose = _Fed(), _Fed(), _Fed()
        self._is_finished = self._has_time = False
        self.prose: MarkdownView | None = None
        self.text = TokenText(theme, self)
        self.text.setAccessibleName(self.tr("The model's reply"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.text)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self._feed)
        self._let_go = QTimer(self)
        self._let_go.setSingleShot(True)
        self._let_go.setInterval(_HOLD_MS)
        self._let_go.timeout.connect(self._release)

    @property
    def is_tokens(self) -> bool:
        """Whether tokens are shown, not Markdown."""
        return self._is_tokens

    @property
    def is_whole(self) -> bool:
        """Whether the look that is shown has all of the text."""
        is_settled = self._is_tokens or self.prose is None or self.prose.is_settled
        return is_settled and not self._rest.isActive()

    @property
    def num_fed(self) -> int:
        """How many pieces the look that is shown has."""
        return self._in_tokens.count if self._is_tokens else self._in_prose.count

    def show_look(self, is_tokens: bool) -> None:
        """Change to the other look."""
        if is_tokens != self._is_tokens:
            self._is_tokens = is_tokens
            self.text.set_token_view(is_tokens)
            self._feed()

    def set_pixels(self, pixels: int) -> None:
        """The size of the text."""
        self._pixels = pixels
        self.text.set_pixels(pixels)
        if self.prose is not None:
            self.prose.set_pixels(pixels)

    def show_reply(self, reply: Reply) -> None:
        """Show what is new in a reply, or another one."""
        is_news = self._seen.is_stale(reply)
        if is_news:
            self.restarted.emit()
        self._reply = reply
        self._seen.take(reply, len(reply.pieces))
        self.text.num_tokens = reply.log.num_tokens
        # Where a helping is due, the rest comes with it, however often this is asked for.
        if is_news or not self._rest.isActive():
            self._feed()

    def _feed(self) -> None:
        reply = self._reply
        if reply is None:
            return
        if self._is_tokens:
            self._feed_tokens(reply)
        elif reply.pieces or self.prose is not None:
            self._feed_prose(reply)
        has_text = bool(reply.pieces)
        self.text.setVisible(self._is_tokens and has_text)
        if self.prose is not None:
            self.prose.setVisible(not self._is_tokens and has_text)

    def _feed_tokens(self, reply: Reply) -> None:
        """Of very much new text a helping a turn, so that the window keeps answering."""
        if self._in_tokens.is_stale(reply):
            had_text = self._in_tokens.count > 0
            # What both begin with stays: a trace that goes back by a step loses no more than that.
            kept = self.text.keep_pieces(reply.pieces)
            if had_text and kept < len(reply.pieces):
                self._hold()
            self._in_tokens.take(reply, kept)
        first, count, size = self._in_tokens.count, 0, 0
        for piece in reply.pieces[first : first + MOST_PIECES + 1]:
            if count >= MOST_PIECES or (count and size + len(piece.text) > MOST_CHARACTERS):
                break
            count, size = count + 1, size + len(piece.text)
        if count:
            self.text.append_pieces(reply.pieces[first : first + count])
            self._in_tokens.take(reply, first + count)
        if first + count < len(reply.pieces):
            self._rest.start()
        elif self._let_go.isActive():
            self._release()

    def _feed_prose(self, reply: Reply) -> None:
        prose = self.prose or self._make_prose()
        if self._in_prose.is_stale(reply) or (self._is_finished and not reply.is_over):
            text = reply.text
            # Tokens that came from disk do not change what is read.
            if not (self._is_finished and reply.is_over and text == prose.source):
                if self._in_prose.count and text:
                    self._hold()
                prose.set_source(text, reply.is_over, reply.opens_thinking)
                self._is_finished = reply.is_over
            self._has_time = False
        else:
            fresh = "".join(piece.text for piece in reply.pieces[self._in_prose.count :])
            if fresh:
                prose.append(fresh)
        self._in_prose.take(reply, len(reply.pieces))
        if reply.is_over and not self._is_finished:
            self._is_finished = True
            prose.finish()
        self._tell_time(reply, prose)

    def _tell_time(self, reply: Reply, prose: MarkdownView) -> None:
        """Once the thinking is over; until then nobody asks."""
        if self._has_time or not len(reply.log):
            return
        recent = "".join(piece.text for piece in reply.pieces[-32:])
        if reply.is_over or "</think>" in recent:
            prose.thinking_seconds(thinking_seconds(reply))
            self._has_time = reply.is_over

    def _make_prose(self) -> MarkdownView:
        self.prose = prose = MarkdownView(self._theme, self)
        if self._pixels:
            prose.set_pixels(self._pixels)
        prose.link_requested.connect(self.link_requested)
        self._column.addWidget(prose)
        return prose

    def _hold(self) -> None:
        self.setMinimumHeight(self.height())
        self._let_go.start()

    def _release(self) -> None:
        self._let_go.stop()
        self.setMinimumHeight(0)
