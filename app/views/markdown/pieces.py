"""The widgets that blocks are shown by, and which block gets which."""

from PySide6.QtWidgets import QWidget

from app.models.markdown.values import Block, Code, Table
from app.views.markdown.code import CodeBlock
from app.views.markdown.look import Look
from app.views.markdown.prose import ProseBlock
from app.views.markdown.table import TableBlock

Piece = ProseBlock | CodeBlock | TableBlock


def make_piece(block: Block, before: Block | None, look: Look, parent: QWidget) -> Piece:
    """The widget of a block; `before` is the block above it."""
    if isinstance(block, Code):
        return CodeBlock(block, look, parent)
    if isinstance(block, Table):
        return TableBlock(block, look, parent)
    piece = ProseBlock(look, parent)
    piece.add(block, before)
    return piece
