"""The runs of a line: what markdown-it found in it, with addresses made links."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markdown_it.token import Token

from app.models.markdown.clean import clean
from app.models.markdown.links import bare_links, host_of, is_followed
from app.models.markdown.values import Run, RunKind, Runs

_LONGEST_TARGET = 200
_VERBATIM: dict[str, RunKind] = {"code_inline": "code", "maths": "maths"}
_STYLES = ("strong", "em", "s")


@dataclass(slots=True)
class _Writer:
    """Runs so far, and the style that the next one has."""

    runs: list[Run]
    style: Run
    is_linked: bool = False
    refused: str = ""

    def add(self, run: Run) -> None:
        """One more run, joined to the last where both look the same."""
        if not run.text and run.kind != "break":
            return
        last = self.runs[-1] if self.runs else None
        if last is not None and run.kind == "text" and replace(last, text=run.text) == run:
            self.runs[-1] = replace(last, text=last.text + run.text)
        else:
            self.runs.append(run)

    def write(self, text: str) -> None:
        """Plain text in the style in force."""
        place = 0
        for start, end in () if self.is_linked else bare_links(text):
            self.add(replace(self.style, text=text[place:start]))
            address = text[start:end]
            self.add(replace(self.style, text=address, target=address))
            place = end
        self.add(replace(self.style, text=text[place:]))


def runs_of(tokens: Sequence[Token]) -> Runs:
    """The runs of an inline token's children."""
    writer = _Writer([], Run(""))
    for token in tokens:
        _write(writer, token)
    while writer.runs and writer.runs[-1].kind == "break":
        writer.runs.pop()
    return tuple(writer.runs)


def plain_runs(text: str) -> Runs:
    """Text as it is, line by line."""
    result: list[Run] = []
    for number, line in enumerate(clean(text).strip("\n").split("\n")):
        if number:
            result.append(Run("\n", "break"))
        if line:
            result.append(Run(line))
    return tuple(result)


def _write(writer: _Writer, token: Token) -> None:
    kind = token.type
    name, _, side = kind.rpartition("_")
    if name in _STYLES:
        writer.style = _switched(writer.style, name, is_on=side == "open")
    elif kind == "link_open":
        _open_link(writer, str(token.attrGet("href") or ""))
    elif kind == "link_close":
        writer.style = replace(writer.style, target="")
        if writer.refused:
            writer.write(f" ({writer.refused})")
        writer.is_linked, writer.refused = False, ""
    elif kind in ("hardbreak", "softbreak"):
        writer.add(replace(writer.style, text="\n", kind="break"))
    elif kind in _VERBATIM:
        writer.add(replace(writer.style, text=clean(token.content), kind=_VERBATIM[kind]))
    elif kind == "image":
        host = host_of(str(token.attrGet("src") or ""))
        alt = clean(token.content).replace("\n", " ")
        writer.add(replace(writer.style, text=alt or "image", kind="image", host=clean(host)))
    else:
        writer.write(clean(token.content))


def _switched(style: Run, name: str, *, is_on: bool) -> Run:
    if name == "strong":
        return replace(style, is_bold=is_on)
    return replace(style, is_italic=is_on) if name == "em" else replace(style, is_struck=is_on)


def _open_link(writer: _Writer, target: str) -> None:
    writer.is_linked = True
    if is_followed(target):
        writer.style = replace(writer.style, target=target)
    else:
        writer.refused = clean(target[:_LONGEST_TARGET])
