"""A reply as Markdown: a column of blocks that grows at its end."""

from app.views.markdown.view import MarkdownView

__all__ = ["MarkdownView"]
