"""Going back after a rejected draft: the strategies, chosen before the forward, applied after it.

    trim      drop the rejected positions
    discard   restore to before the step; the accepted drafts are lost too
    replay    restore, then run pending and accepted tokens forward again at once
    carry     restore; accepted tokens stay pending and ride in front of the next verify, so no
              forward is spent on them
    local     (not built yet) rebuild each recurrent layer's state from inputs captured in verify

Each only moves the caches. What is pending follows from how far they got (see `context`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.events import Strategy
from engine.model.cache import Caches, Checkpoint
from engine.request import RollbackName, SpeculationParams
from engine.speculation.accept import Acceptance


def untrimmed(replay: bool) -> Strategy:
    """What takes the place of trim where a cache cannot be trimmed."""
    return "carry" if replay else "discard"


def choose_strategy(params: SpeculationParams, *, recurrent: bool) -> tuple[Strategy, str | None]:
    """The strategy a reply will use, and a sentence where that is not the one asked for."""
    asked: RollbackName = params.rollback
    if asked == "auto":
        return (untrimmed(params.replay) if recurrent else "trim"), None
    if asked == "local":
        fallback: Strategy = "carry" if recurrent else "trim"
        return fallback, f"Local rollback is not built yet; {fallback} is used instead."
    if asked == "trim" and recurrent:
        sentence = "This model's recurrent layers cannot be trimmed; carry is used instead."
        return "carry", sentence
    return asked, None


@dataclass(frozen=True, slots=True)
class RollbackCost:
    """What was done to roll back: nothing (`strategy` None), or a strategy and its price."""

    strategy: Strategy | None = None
    num_replayed: int = 0
    forwards: int = 0


class Rollback:
    """One step's way back. Made before the forward, used at most once after it."""

    def __init__(
        self, caches: Caches, wanted: Strategy, num_pending: int, num_drafted: int, *, replay: bool
    ) -> None:
        width = num_pending + num_drafted
        self._caches = caches
        self._num_pending = num_pending
        self._checkpoint: Checkpoint | None = None
        # A rotating cache near its wrap can no longer be trimmed after this forward.
        self.strategy: Strategy = wanted
        if wanted == "trim" and not caches.can_trim(width):
            self.strategy = untrimmed(replay)
        if self.strategy != "trim":
            self._checkpoint = caches.checkpoint(width)

    def apply(self, outcome: Acceptance, rerun: Callable[[Sequence[int]], None]) -> RollbackCost:
        """Undo what `outcome` did not keep. `rerun` runs pending and those drafts forward again."""
        if outcome.is_full:
            return RollbackCost()
        if self._checkpoint is None:
            self._caches.trim(outcome.num_drafted - outcome.accepted)
            return RollbackCost(self.strategy)
        self._caches.restore(self._checkpoint)
        num_replayed = self._num_pending + outcome.accepted if outcome.accepted else 0
        if self.strategy == "replay" and num_replayed:
            rerun(outcome.emitted[: outcome.accepted])
            return RollbackCost(self.strategy, num_replayed, forwards=1)
        return RollbackCost(self.strategy, num_replayed)
