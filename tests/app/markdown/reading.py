"""Markdown read as the views read it."""

from app.models.markdown.blocks import Segment, Splitter
from app.models.markdown.render import render
from app.models.markdown.values import Block, Prose, Run


def segments(pieces: list[str], *, is_over: bool = True) -> list[Segment]:
    """The segments of a text that came in pieces."""
    splitter = Splitter()
    for piece in pieces:
        splitter.append(piece)
    if is_over:
        splitter.finish()
    return splitter.closed + splitter.open_segments()


def blocks(text: str, *, is_over: bool = True) -> list[Block]:
    """The blocks of a text."""
    return [block for each in segments([text], is_over=is_over) for block in render(each)]


def words(block: Block) -> str:
    """The text of a prose block."""
    assert isinstance(block, Prose)
    return "".join(run.text for run in block.runs)


def runs(text: str) -> tuple[Run, ...]:
    """The runs of a text that is one paragraph."""
    [block] = blocks(text)
    assert isinstance(block, Prose)
    return block.runs
