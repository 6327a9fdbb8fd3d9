"""The words of a reply as its Markdown look shows them, without the marks; kept per reply."""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from app.models.markdown.blocks import Segment, Splitter
from app.models.markdown.render import render
from app.models.markdown.thinking import held_tail, split_thinking
from app.models.markdown.values import Block, Code, Prose, Runs
from app.models.reply import Reply
from app.views.markdown.code_text import LINE_PIECE
from app.views.markdown.prose import shown

# Read at once, so that a long text can be read over several turns of the event loop.
_PART = 6_000
# As many columns as a table shows.
_MOST_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class _Known:
    """What a reply reads as, and of what text and state that holds."""

    text: str
    is_over: bool
    opens_thinking: bool
    stretches: tuple[str, ...]


class ShownWords:
    """Stretches of text, none of which a match goes beyond: rows, cells, pieces of code."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Reply, _Known] = WeakKeyDictionary()

    def clear(self) -> None:
        """Nobody looks for anything any more."""
        self._known.clear()

    def read(self, reply: Reply) -> Iterator[tuple[str, ...]]:
        """The stretches in order, in helpings; at once where they are known."""
        state = reply.text, reply.is_over, reply.opens_thinking
        known = self._known.get(reply)
        if known is not None and (known.text, known.is_over, known.opens_thinking) == state:
            yield known.stretches
            return
        read: list[str] = []
        for helping in _read(*state):
            read += helping
            yield helping
        self._known[reply] = _Known(*state, tuple(read))


def _read(text: str, is_over: bool, opens_thinking: bool) -> Iterator[tuple[str, ...]]:
    if not is_over:
        text = text[: len(text) - held_tail(text)]
    for part in split_thinking(text, opens_thinking):
        for segments in _segments(part.text, is_closed=is_over or part.is_closed):
            for segment in segments:
                yield tuple(words for block in render(segment) for words in _words(block))


def _segments(text: str, *, is_closed: bool) -> Iterator[list[Segment]]:
    """What the splitter finds in a text, as far as it is."""
    splitter, taken = Splitter(), 0
    for start in range(0, len(text), _PART):
        splitter.append(text[start : start + _PART])
        yield splitter.closed[taken:]
        taken = len(splitter.closed)
    if is_closed:
        splitter.finish()
        yield splitter.closed[taken:]
    else:
        yield splitter.open_segments()


def _words(block: Block) -> Iterator[str]:
    if isinstance(block, Code):
        for line in block.text.split("\n"):
            for start in range(0, len(line), LINE_PIECE):
                yield _plain(line[start : start + LINE_PIECE])
    elif isinstance(block, Prose):
        yield _read_out(block.runs)
    else:
        for row in (block.heads, *block.rows):
            cells = row[: min(len(block.heads), _MOST_COLUMNS)]
            for cell in reversed(cells) if block.is_rtl else cells:
                yield _read_out(cell)


def _read_out(runs: Runs) -> str:
    return _plain("".join(map(shown, runs)))


def _plain(words: str) -> str:
    """As a document gives its text back."""
    return words.replace("\u00a0", " ").replace("\u2028", "\n")
