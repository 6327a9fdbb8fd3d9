"""What of a draft is kept: the longest prefix the target agrees with, to a stop or a near-tie."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.events import StopReason
from engine.step_record import Origin, Strategy

Scan = Callable[[Sequence[int]], tuple[int, StopReason | None]]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The outcome of a step. `accepted` drafts and at most one token of the target are emitted.

    `dropped` is what had matched and was thrown away again (the discard rollback). `stop` is the
    reason the last emitted token ends the reply, None where it does not. `is_guarded` says that the
    token after the accepted ones was too near a tie for a block to decide, and is not emitted here.
    """

    num_drafted: int
    accepted: int
    dropped: int
    emitted: tuple[int, ...]
    stop: StopReason | None
    is_guarded: bool = False

    @property
    def is_full(self) -> bool:
        """Whether the whole draft was kept, so that the caches already hold what they should."""
        return self.accepted == self.num_drafted and not self.is_guarded

    def num_to_cache(self, num_pending: int) -> int:
        """How many of the block's tokens the caches should hold after it.

        All that is emitted but the last token, which the next forward takes.
        """
        return num_pending + self.accepted - self.is_guarded

    def origins(self, strategy: Strategy | None) -> tuple[Origin, ...]:
        """Where each emitted token came from, `strategy` being the rollback applied, if any."""
        if self.num_drafted == 0 or self.dropped > 0 or (self.is_guarded and self.accepted == 0):
            return tuple[Origin, ...](["generated"] * len(self.emitted))
        rebuilt = strategy in ("replay", "carry", "local")
        kept: tuple[Origin, ...] = ("replayed" if rebuilt else "accepted",) * self.accepted
        own: Origin = "bonus" if self.is_full else "corrected"
        return kept if len(self.emitted) == self.accepted else (*kept, own)


def accept(
    draft: Sequence[int],
    choices: Sequence[int],
    scan: Scan,
    *,
    keep_partial: bool,
    num_decided: int | None = None,
) -> Acceptance:
    """Compare a draft with the target's choices (one more than the draft is long).

    `scan` says how many of some tokens may be emitted before a stop. Without `keep_partial` only a
    full accept keeps its drafts; anything less emits the target's first token alone. Of the choices
    the first `num_decided` are beyond doubt; None means all of them.
    """
    decided = len(choices) if num_decided is None else num_decided
    matched = 0
    while matched < min(len(draft), decided) and draft[matched] == choices[matched]:
        matched += 1
    num_emitted, stop = scan(choices[: min(matched + 1, decided)])
    is_guarded = matched == decided and stop is None
    accepted = min(matched, num_emitted)
    is_kept = keep_partial or matched == 0 or (accepted == len(draft) and not is_guarded)
    if is_kept:
        emitted = tuple(choices[:num_emitted])
        return Acceptance(len(draft), accepted, 0, emitted, stop, is_guarded)
    _, stop = scan(choices[:1])
    return Acceptance(len(draft), 0, matched, (choices[0],), stop)
