"""Going back after a rejected draft: the strategies, chosen before the forward, applied after it.

    trim      drop the rejected positions
    discard   restore to before the step; the accepted drafts are lost too
    replay    restore, then run pending and accepted tokens forward again at once
    carry     restore; accepted tokens stay pending and ride in front of the next verify, so no
              forward is spent on them
    local     trim the attention caches, rerun each recurrent layer's recurrence alone over the
              accepted tokens, from inputs captured during verify (`engine.model.local`)

Each only moves the caches. What is pending follows from how far they got (see `context`).
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from engine.model.cache import Caches, Checkpoint
from engine.model.local.rollback import LocalRollback
from engine.model.local.watch import BlockWatch
from engine.request import RollbackName, SpeculationParams
from engine.speculation.accept import Acceptance
from engine.step_record import Strategy


def untrimmed(*, replay: bool, can_local: bool) -> Strategy:
    """What takes the place of trim where a cache cannot be trimmed."""
    if not replay:
        return "discard"
    return "local" if can_local else "carry"


def choose_strategy(
    params: SpeculationParams, *, recurrent: bool, local_refusal: str | None
) -> tuple[Strategy, str | None]:
    """The strategy a reply will use, and a sentence where that is not the one asked for."""
    asked: RollbackName = params.rollback
    can_local = local_refusal is None
    if asked == "auto":
        strategy = untrimmed(replay=params.replay, can_local=can_local) if recurrent else "trim"
        return strategy, None
    if asked == "local" and not can_local:
        fallback = untrimmed(replay=params.replay, can_local=False) if recurrent else "trim"
        return fallback, f"Local rollback is not possible, {fallback} is used: {local_refusal}."
    if asked == "trim" and recurrent:
        fallback = untrimmed(replay=params.replay, can_local=can_local)
        return fallback, f"This model's recurrent layers cannot be trimmed; {fallback} is used."
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
        self,
        caches: Caches,
        wanted: Strategy,
        num_pending: int,
        num_drafted: int,
        *,
        replay: bool,
        local: LocalRollback | None,
    ) -> None:
        self._width = num_pending + num_drafted
        self._caches = caches
        self._num_pending = num_pending
        self._checkpoint: Checkpoint | None = None
        self._watch: BlockWatch | None = None
        # A rotating cache near its wrap can no longer be trimmed after this forward.
        self.strategy: Strategy = wanted
        if wanted == "trim" and not caches.can_trim(self._width):
            self.strategy = untrimmed(replay=replay, can_local=local is not None)
        if self.strategy == "local" and local is not None:
            self._watch = local.watch(caches, self._width)
        elif self.strategy != "trim":
            self._checkpoint = caches.checkpoint(self._width)

    def watching(self) -> AbstractContextManager[object]:
        """To be entered around the forward, and left before anything else runs."""
        return self._watch or nullcontext()

    def apply(
        self, outcome: Acceptance, rerun: Callable[[Sequence[int]], None], block: Sequence[int]
    ) -> RollbackCost:
        """Undo what `outcome` did not keep of `block`; `rerun` runs tokens forward again."""
        if outcome.is_full:
            return RollbackCost()
        num_kept = outcome.num_to_cache(self._num_pending)
        num_replayed = num_kept if outcome.accepted else 0
        if self._watch is not None:
            self._watch.keep(num_kept)
            return RollbackCost(self.strategy, num_replayed)
        if self._checkpoint is None:
            self._caches.trim(self._width - num_kept)
            return RollbackCost(self.strategy)
        self._caches.restore(self._checkpoint)
        if self.strategy == "replay" and num_replayed:
            rerun(block[:num_kept])
            return RollbackCost(self.strategy, num_replayed, forwards=1)
        return RollbackCost(self.strategy, num_replayed)
