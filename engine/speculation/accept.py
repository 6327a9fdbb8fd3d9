"""Which of the draft is kept: the longest prefix the target agrees with, up to a stop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.events import Origin, StopReason, Strategy

Scan = Callable[[Sequence[int]], tuple[int, StopReason | None]]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The outcome of a step. `accepted` drafts and at most one token of the target are emitted.

    `dropped` is what had matched and was thrown away again (the discard rollback). `stop` is the
    reason the last emitted token ends the reply, None where it does not.
    """

    num_drafted: int
    accepted: int
    dropped: int
    emitted: tuple[int, ...]
    stop: StopReason | None

    @property
    def is_full(self) -> bool:
        """Whether the whole draft was kept, so that the caches already hold what they should."""
        return self.accepted == self.num_drafted

    def origins(self, strategy: Strategy | None) -> tuple[Origin, ...]:
        """Where each emitted token came from, `strategy` being the rollback applied, if any."""
        if self.num_drafted == 0 or self.dropped > 0:
            return ("generated",)
        rebuilt = strategy in ("replay", "carry", "local")
        kept: tuple[Origin, ...] = ("replayed" if rebuilt else "accepted",) * self.accepted
        own: Origin = "bonus" if self.is_full else "corrected"
        return kept if len(self.emitted) == self.accepted else (*kept, own)


def accept(
    draft: Sequence[int], choices: Sequence[int], scan: Scan, *, keep_partial: bool
) -> Acceptance:
    """Compare a draft with the target's choices (one more than the draft is long).

    `scan` says how many of some tokens may be emitted before a stop. Without `keep_partial` only a
    full accept keeps its drafts; anything less emits the target's first token alone.
    """
    matched = 0
    while matched < len(draft) and draft[matched] == choices[matched]:
        matched += 1
    num_emitted, stop = scan(choices[: matched + 1])
    accepted = min(matched, num_emitted)
    if keep_partial or accepted == len(draft):
        return Acceptance(len(draft), accepted, 0, tuple(choices[:num_emitted]), stop)
    _, stop = scan(choices[:1])
    return Acceptance(len(draft), 0, matched, (choices[0],), stop)
