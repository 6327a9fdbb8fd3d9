"""A chat template's source, read without running it: what it computes and which names it uses."""

import contextlib
from collections.abc import Iterator
from itertools import pairwise

from jinja2 import Environment
from jinja2.exceptions import TemplateSyntaxError

THINKING_SWITCH = "enable_thinking"

_Token = tuple[str, str]


def has_power(template: object) -> bool:
    """Whether a template has a power: the one operation that can run for days out of any reach."""
    # Behind a bracket or a comma it passes named arguments on.
    return any(
        text == "**" and before not in "(,"
        for tokens in _sources(template)
        for (_, before), (_, text) in pairwise(tokens)
    )


def has_thinking_switch(template: object) -> bool:
    """Whether a template asks if it is to let the model think; what a comment says is no asking."""
    # Of several templates the others are for tools.
    used = template.get("default") if isinstance(template, dict) else template
    return any(("name", THINKING_SWITCH) in tokens for tokens in _sources(used))


def _sources(template: object) -> Iterator[list[_Token]]:
    """(kind, text) of the tokens of each source of a template, as far as it can be read."""
    sources = template.values() if isinstance(template, dict) else [template]
    with contextlib.suppress(TemplateSyntaxError):  # said when it is run, with its line
        for source in sources:
            tokens = Environment(autoescape=True).lex(source) if isinstance(source, str) else ()
            yield [(kind, text) for _, kind, text in tokens if kind not in ("whitespace", "data")]
