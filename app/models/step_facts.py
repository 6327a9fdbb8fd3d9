"""What became of each drafted token of a step, read from its record alone.

A draft falls apart in one order: tokens that are kept, or had matched and were thrown away; the one
that ends it (rejected, or too near a tie); those behind it, at which nobody looked; the excluded
one at which the filter had cut it before all this, and those behind that.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from engine import Origin, StepRecord

Fate = Literal[
    "accepted", "replayed", "dropped", "rejected", "undecided", "behind", "unreached", "excluded"
]

FATES: dict[Fate, str] = {
    "accepted": "the model agreed",
    "replayed": "the model agreed, and the recurrent state was rebuilt for it",
    "dropped": "the model agreed, but with replay off what comes before a rejection is thrown away",
    "rejected": "the model chose another token",
    "undecided": "too near a tie for a block to decide; a forward of one token decided it",
    "behind": "comes after the end of what was kept, so it was not looked at",
    "unreached": "the reply ended before it",
    "excluded": "never drafted: the draft was cut here before it was verified",
}
_LABELS: dict[Fate, str] = {
    "undecided": "near a tie",
    "behind": "behind it",
    "unreached": "past the end",
}


@dataclass(frozen=True, slots=True)
class DraftToken:
    """A proposed token, what became of it, and where it is known what the model chose instead."""

    token: int
    fate: Fate
    instead: int | None = None


@dataclass(frozen=True, slots=True)
class StepFacts:
    """A draft token by token, and the step's tokens that are the model's own."""

    draft: tuple[DraftToken, ...]
    own: tuple[tuple[int, Origin], ...]

    @property
    def first_rejected(self) -> DraftToken | None:
        """The token at which the model disagreed."""
        return next((token for token in self.draft if token.fate == "rejected"), None)

    @property
    def counts(self) -> dict[str, int]:
        """How many of each kind, in the order in which they are laid out."""
        fates = Counter(token.fate for token in self.draft)
        own = Counter(origin for _, origin in self.own)
        ordered: dict[str, int] = {"generated": own["generated"]}
        ordered |= {fate: fates[fate] for fate in ("accepted", "replayed", "dropped")}
        ordered |= {origin: own[origin] for origin in ("corrected", "bonus")}
        for fate in ("rejected", "undecided", "behind", "unreached", "excluded"):
            ordered[_LABELS.get(fate, fate)] = fates[fate]
        return {kind: count for kind, count in ordered.items() if count}

    @property
    def summary(self) -> str:
        """The counts in words: "3 accepted, 1 corrected, 1 rejected"."""
        return ", ".join(f"{count} {kind}" for kind, count in self.counts.items())


def step_facts(record: StepRecord) -> StepFacts:
    """Read a record. Works on records of every version."""
    num_kept = record.accepted or record.dropped
    draft = [
        DraftToken(token, _kept_fate(record, place))
        for place, token in enumerate(record.draft[:num_kept])
    ]
    if num_kept < len(record.draft):
        fate, instead = _end(record, num_kept)
        draft.append(DraftToken(record.draft[num_kept], fate, instead))
        rest: Fate = "unreached" if fate == "unreached" else "behind"
        draft += [DraftToken(token, rest) for token in record.draft[num_kept + 1 :]]
    draft += [DraftToken(token, "excluded") for token in record.cut[:1]]
    draft += [DraftToken(token, "behind") for token in record.cut[1:]]
    own = tuple(zip(record.emitted, record.origins, strict=True))[record.accepted :]
    return StepFacts(tuple(draft), own)


def _kept_fate(record: StepRecord, place: int) -> Fate:
    if record.dropped:
        return "dropped"
    return "replayed" if record.origins[place] == "replayed" else "accepted"


def _end(record: StepRecord, place: int) -> tuple[Fate, int | None]:
    """What became of the first token that was not kept."""
    if record.guarded:
        # Where nothing had been accepted before it, the step went on to decide it alone.
        return "undecided", record.emitted[0] if place == 0 else None
    if record.dropped:
        # The target's choice there was thrown away with the rest, and is in no record.
        return "rejected", None
    if len(record.emitted) > place:
        return "rejected", record.emitted[place]
    return "unreached", None
