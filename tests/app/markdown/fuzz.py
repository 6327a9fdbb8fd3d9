"""Random Markdown: its own signs in any order, and letters that are hard to show."""

import random

_SIGNS = (
    "# ", "- ", "* ", "1. ", "99999999. ", "> ", "```", "```python\n", "~~~", "````md\n", "`",
    "**", "*", "_", "~~", "[", "](", ")", "![", "](https://a.org/x.png)", "](javascript:x)", "|",
    "|---|\n", "| a |\n", "$", "$$", "\\(", "\\)", "\\[", "\\]", "<think>", "</think>", "<b>",
    "<!--", "&amp;", "&#0;", "&#xD800;", "https://a.org/(x", "mailto:a@b", "[ ] ", "[x] ", "---\n",
    "===\n", "    ", "\t", "  \n", "\\", "[a]: https://b\n", "<http://a>", "```js\nlet x;\n```\n",
)  # fmt: skip
_LETTERS = (
    "word", "a", " ", " ", "\n", "\n\n", "\r\n", "\r", "שלום", "مرحبا", "漢字", "🎉", "👩‍👩‍👧",
    "e\u0301", "\u200b", "\u202e", "\ufeff", "\0", "\ud83d", "\udc00", "\u2028", "\u2029", "\x0b",
    "\x85", "\ufffe", "x" * 300, "ﷺ", "\U000e0041", "Z" + "\u0300" * 40,
)  # fmt: skip


def make_text(numbers: random.Random) -> str:
    """One such text."""
    choices = range(numbers.randrange(1, 40))
    return "".join(numbers.choice(_SIGNS if numbers.random() < 0.55 else _LETTERS) for _ in choices)
