"""The columns of a benchmark: what decodes, from mlx-lm's own loop to each way of rolling back."""

import dataclasses
from dataclasses import dataclass
from typing import get_args

from engine import DrafterChoice, RequestError, SpeculationParams, Strategy
from engine.terminal.arguments import Arguments
from engine.terminal.session import Reply

OWN_LOOP = "mlx-lm"
PLAIN = "plain"
DEFAULT = (OWN_LOOP, PLAIN, "lookup", "suffix", "auto")
DRAFTERS: tuple[DrafterChoice, ...] = get_args(DrafterChoice)
ROLLBACKS: tuple[Strategy, ...] = get_args(Strategy)
NAMES = (OWN_LOOP, PLAIN, *DRAFTERS, *ROLLBACKS)


@dataclass(frozen=True, slots=True)
class Column:
    """One way to decode the same reply. `is_reference` is mlx-lm's own loop."""

    name: str
    speculation: SpeculationParams
    is_reference: bool = False

    def refusal(self, reply: Reply) -> str | None:
        """Why this model does not run this column, as a reply of it shows; None where it does."""
        if not self.speculation.enabled:
            return None
        config = reply.started.config
        wanted = self.speculation.rollback
        if config.enabled and wanted in ("auto", config.rollback):
            return None
        return " ".join(reply.notices) or f"{config.reason}."


def choose_columns(arguments: Arguments) -> tuple[Column, ...]:
    """The columns the command line asks for, each once; the first is what others are held to.

    A name is mlx-lm, plain, a drafter or a rollback; ":K" behind it fixes the draft length.
    """
    drafter = arguments.drafter
    names = arguments.columns or ((OWN_LOOP, PLAIN, drafter) if drafter else DEFAULT)
    more = ROLLBACKS if arguments.with_rollbacks else ()
    asked = arguments.speculation()
    return tuple(_column(name, asked) for name in dict.fromkeys((*names, *more)))


def _column(typed: str, asked: SpeculationParams) -> Column:
    name, colon, length = typed.partition(":")
    if name in (OWN_LOOP, PLAIN) and not colon:
        plain = dataclasses.replace(asked, enabled=False)
        return Column(name, plain, is_reference=name == OWN_LOOP)
    if colon:
        if not (length.isascii() and length.isdigit()):
            raise RequestError(f"The column {typed!r} has no draft length behind its colon.")
        asked = dataclasses.replace(asked, draft_length=int(length))
    for drafter in DRAFTERS:
        if drafter == name:
            return Column(typed, dataclasses.replace(asked, drafter=drafter))
    for rollback in ROLLBACKS:
        if rollback == name:
            return Column(typed, dataclasses.replace(asked, rollback=rollback))
    raise RequestError(f"There is no column named {typed!r}; use {', '.join(NAMES)}.")
