"""How often drafted tokens come true, by what speaks for them. Pure Python.

Every proposal is settled against the tokens that came, whether it was verified or not: the reply
itself says which guesses would have been right, so a drafter is judged without being run. A token
is judged given that all before it in its draft were right.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

Kind = Literal["match", "ambiguous", "dissent", "trail", "edit", "proven edit"]

# Chances before a reply has shown its own, by support: 0, 1, 2, 3, 4, 5, 7, 10, 16, 32 and more
# tokens. Each is worth PRIOR_WEIGHT observations.
SUPPORTS = (0, 1, 2, 3, 4, 5, 7, 10, 16, 32)
PRIORS: dict[Kind, tuple[float, ...]] = {
    "match": (0.02, 0.36, 0.62, 0.75, 0.82, 0.86, 0.91, 0.93, 0.95, 0.98),
    "ambiguous": (0.02, 0.12, 0.20, 0.30, 0.30, 0.30, 0.40, 0.40, 0.40, 0.40),
    "dissent": (0.02, 0.10, 0.20, 0.40, 0.70, 0.70, 0.70, 0.90, 0.90, 0.90),
    "trail": (0.20, 0.33, 0.70, 0.80, 0.87, 0.88, 0.92, 0.94, 0.95, 0.98),
    "edit": (0.50,),
    "proven edit": (0.90,),
}
PRIOR_WEIGHT = 4.0
FORGETTING = 0.9


class Evidence(NamedTuple):
    """What speaks for a drafted token: a kind of guess, and the level of its support.

    `match`: matching text was followed by this token, and by no other; `ambiguous`: by others too;
    `dissent`: matching text, but a better informed drafter says otherwise; `trail`: the source that
    the reply has been copying goes on so; `edit`: the reply made this change to its source before,
    `proven edit`: more than once.
    """

    kind: Kind
    level: int


def _level(support: int) -> int:
    return max(level for level, least in enumerate(SUPPORTS) if least <= support)


_LADDERS: dict[Kind, tuple[Evidence, ...]] = {
    kind: tuple(
        Evidence(kind, min(_level(support), len(priors) - 1)) for support in range(SUPPORTS[-1] + 1)
    )
    for kind, priors in PRIORS.items()
}


def ladder(kind: Kind, support: int, num_tokens: int) -> tuple[Evidence, ...]:
    """Evidence for tokens copied in a row behind `support` matching ones: each adds to the next."""
    rungs = _LADDERS[kind][support : support + num_tokens]
    return rungs + _LADDERS[kind][-1:] * (num_tokens - len(rungs))


class AcceptanceTable:
    """The chance that a drafted token is right, by the evidence for it."""

    def __init__(self) -> None:
        self._hits: dict[Evidence, float] = {}
        self._tries: dict[Evidence, float] = {}
        self._chances = {
            evidence: PRIORS[kind][evidence.level]
            for kind, rungs in _LADDERS.items()
            for evidence in rungs
        }

    def chances(self, evidence: Sequence[Evidence]) -> tuple[float, ...]:
        """Probability of each token, given the ones before it."""
        known = self._chances
        return tuple([known[each] for each in evidence])

    def observe(self, evidence: Evidence, *, is_right: bool) -> None:
        """Take in what became of one drafted token."""
        prior = PRIORS[evidence.kind][evidence.level]
        hits = self._hits[evidence] = FORGETTING * self._hits.get(evidence, 0.0) + is_right
        tries = self._tries[evidence] = FORGETTING * self._tries.get(evidence, 0.0) + 1.0
        self._chances[evidence] = (hits + PRIOR_WEIGHT * prior) / (tries + PRIOR_WEIGHT)


class Account:
    """What became of a drafter's proposals in this reply."""

    def __init__(self) -> None:
        self._table = AcceptanceTable()
        self._open: list[tuple[tuple[int, ...], Sequence[Evidence]]] = []

    def chances(self, tokens: tuple[int, ...], evidence: Sequence[Evidence]) -> tuple[float, ...]:
        """How likely the tokens of a proposal are, which is settled when the next tokens come."""
        self._open.append((tokens, evidence))
        return self._table.chances(evidence[: len(tokens)])

    def settle(self, emitted: Sequence[int]) -> None:
        """Compare the open proposals with the tokens that came after them."""
        for tokens, evidence in self._open:
            for drafted, right, why in zip(tokens, emitted, evidence, strict=False):
                self._table.observe(why, is_right=drafted == right)
                if drafted != right:
                    break
        self._open.clear()
