"""Two replies that should be one, id by id: equal how far, and what stood where they part.

Walks along while a reply grows, so that no look at it costs more than the tokens that are new.
"""

import math
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from app.models.reply import Reply
from app.models.step_log import StepLog

Verdict = Literal["nothing", "so far", "equal", "as far as both go", "differs"]

NUM_LIKELIEST = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reply chose at a place: `token` None where it had already ended.

    `margin` is by how many logits the token won its draw, `likeliest` the texts of the likeliest
    tokens there with their probabilities; None and empty where the reply did not record them.
    """

    token: int | None
    text: str = ""
    margin: float | None = None
    likeliest: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place, from 0, where two replies chose differently.

    `guard_margin` is the lead in logits up to which rounding in a block may turn a choice; 0 where
    neither reply knew it.
    """

    position: int
    first: Choice
    other: Choice
    guard_margin: float

    @property
    def is_near_tie(self) -> bool | None:
        """Whether rounding alone explains it; None where that is not known."""
        if self.guard_margin <= 0.0 or self.first.margin is None:
            return None
        return self.first.margin <= self.guard_margin


class IdsCheck:
    """Compares the ids of a reply with those of the first one."""

    def __init__(self, first: Reply, other: Reply) -> None:
        self._first, self._other = first, other
        self._first_ids, self._other_ids = _Ids(first.log), _Ids(other.log)
        self.num_equal = 0
        self.difference: Difference | None = None

    def advance(self) -> None:
        """Look at the tokens that are new."""
        first, other = self._first.log.num_tokens, self._other.log.num_tokens
        shared = min(first, other)
        while self.difference is None and self.num_equal < shared:
            if self._first_ids[self.num_equal] != self._other_ids[self.num_equal]:
                self._part()
            else:
                self.num_equal += 1
        if self.difference is None and first != other:
            shorter = self._first if first < other else self._other
            # It ended by itself where the other one goes on.
            if shorter.stop in ("eos", "stop_string"):
                self._part()

    @property
    def verdict(self) -> Verdict:
        """What can be said so far, or in the end; a reply that was cut says nothing of the rest."""
        if self.difference is not None:
            return "differs"
        if not self._other.log.num_tokens:
            return "nothing"
        if not (self._first.is_over and self._other.is_over):
            return "so far"
        is_cut = {self._first.stop, self._other.stop} & {"cancelled", "failed", None}
        is_same_length = self._first.log.num_tokens == self._other.log.num_tokens
        return "equal" if is_same_length and not is_cut else "as far as both go"

    def _part(self) -> None:
        margins = [reply.config.guard_margin for reply in self._both if reply.config is not None]
        self.difference = Difference(
            self.num_equal,
            choice_at(self._first, self.num_equal),
            choice_at(self._other, self.num_equal),
            max(margins, default=0.0),
        )

    @property
    def _both(self) -> tuple[Reply, Reply]:
        return self._first, self._other


class _Ids:
    """Ids of a reply, read from its steps as far as somebody asks."""

    def __init__(self, log: StepLog) -> None:
        self._log = log
        self._num_steps = 0
        self._ids = array("q")

    def __getitem__(self, token: int) -> int:
        while len(self._ids) <= token:
            self._ids.extend(self._log[self._num_steps].emitted)
            self._num_steps += 1
        return self._ids[token]


def choice_at(reply: Reply, token: int) -> Choice:
    """What a reply has as its token of this number, from 0."""
    log = reply.log
    if token >= log.num_tokens:
        return Choice(None)
    step = log.step_of(token)
    record, at = log[step], token - log.first_token(step)
    chosen = record.emitted[at]
    rows = record.alternatives
    likeliest = tuple(
        (reply.words.get(other, f"#{other}"), math.exp(logprob))
        for other, logprob in (rows[at][:NUM_LIKELIEST] if rows is not None else ())
    )
    margin = record.margins[at] if record.margins is not None else None
    return Choice(chosen, _text_of(reply, chosen, token), margin, likeliest)


def _text_of(reply: Reply, chosen: int, token: int) -> str:
    """The text of an id; in an old trace, which names none, that of the piece it is part of."""
    if chosen in reply.words:
        return reply.words[chosen]
    at = bisect_right(reply.pieces, token, key=lambda piece: piece.first) - 1
    piece = reply.pieces[at] if at >= 0 else None
    if piece is None or token >= piece.first + len(piece.origins):
        return f"#{chosen}"
    return piece.text
