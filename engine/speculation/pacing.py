"""Whether to draft now, and how much: never slower than plain decoding. Pure Python.

Two estimates meet. *Cost*: what a forward of some width takes against a plain step, measured when
the model was loaded and refreshed by every real step. *Gain*: the chances that come with a draft,
learned from what earlier drafts of this reply came to. `Pacing.choose` picks the length with the
most expected tokens per second; 0 is a legitimate answer and means a plain step.

Above that stands a gate with a memory: when recent speculative steps lost time against plain ones
by the wall clock, or acceptance stays under its minimum after the warm-up, speculation stands down
with a reason, and probes again `probe_interval` steps later; much sooner where plain steps turn out
to have become as slow.
"""

from collections import deque
from math import inf

from engine.model.cost_table import CostTable
from engine.request import SpeculationParams
from engine.speculation.acceptance import AcceptanceTable, ladder
from engine.speculation.draft import Draft
from engine.step_record import LengthChoice

# With one pending token a block is then as wide as the widest that is probed.
MAX_DRAFT_LENGTH = 31
# A draft must promise so much more text a second than a plain step.
WORTHWHILE = 1.15
# A draft is not looked at beyond where it is so unlikely to be right.
NEGLIGIBLE = 0.02
# So many speculative steps are looked back on, and may have lost the time of so many plain ones.
GATE_STEPS = 16
MOST_LOST = 6.0
# A step that took so many times what was expected was held up by something else.
OUTLIER = 3.0
# After so many plain steps their time has settled, and a gate that the clock has shut is looked at.
RECHECK_STEPS = 8
# Acceptance is counted over about the last 20 drafts.
FADING = 0.95
DECLINES_BEFORE_SAYING = 10
UNRATED = AcceptanceTable()


class Pacing:
    """Chooses draft lengths and opens and closes the gate. One per reply.

    A drafter that does not rate its drafts gets usual chances, and at most `base_length` tokens.
    """

    def __init__(self, params: SpeculationParams, base_length: int, costs: CostTable) -> None:
        self._params = params
        self._base_length = base_length
        self._costs = costs
        self._recent: deque[tuple[int, float]] = deque(maxlen=GATE_STEPS)
        self._num_accepted = 0.0
        self._num_judged = 0.0
        self._num_drafts = 0
        self._rest = 0
        # The tokens and seconds for which the gate was shut.
        self._shut_for = (0, 0.0)
        self._num_declined = 0
        self.is_active = True
        self.reason = "drafts pay here"

    @property
    def is_resting(self) -> bool:
        """Whether the gate is shut, so that looking a draft up is of no use."""
        return self._rest > 0

    def choose(self, proposed: Draft, num_pending: int) -> LengthChoice:
        """How much of a proposal to verify now; length 0 for a plain step."""
        chances = self._chances(proposed)
        costs = self._costs.relatives(num_pending, len(chances) + 1)
        best, best_rate, best_expected = 0, WORTHWHILE / costs[0], 1.0
        reached, expected = 1.0, 1.0
        closest, closest_rate = (1.0, 1.0), 0.0  # of the drafts: tokens and cost
        for length, chance in enumerate(chances, 1):
            reached *= chance
            expected += reached
            rate = expected / costs[length]
            if rate > closest_rate:
                closest, closest_rate = (expected, costs[length]), rate
                if rate > best_rate:
                    best, best_rate, best_expected = length, rate, expected
            if reached < NEGLIGIBLE:
                break
        if best == 0:
            self._decline(closest[0], closest[1] / costs[0])
        elif not self.is_active:
            self._take_up("a draft looks worth its cost now")
        cost = costs[best]
        plain_seconds = self._costs.plain_seconds
        return LengthChoice(
            len(proposed.tokens), best, chances[0], best_expected, cost, plain_seconds
        )

    def observe_plain(self, width: int, seconds: float) -> None:
        """A step without a draft took `seconds` for `width` pending tokens."""
        self._costs.observe(width, seconds)
        if self._rest > 0:
            self._rest -= 1
            if self._rest == 0:
                self._take_up(f"trying again after {self._params.probe_interval} plain steps")
                self._num_accepted = self._num_judged = 0.0
                self._num_drafts = 0
            elif self._params.probe_interval - self._rest == RECHECK_STEPS and not self._lost():
                self._rest = 0
                self._take_up("plain decoding has become as slow as the steps that lost time")

    def observe_draft(
        self,
        draft: Draft,
        accepted: int,
        *,
        num_emitted: int,
        width: int,
        seconds: float,
        forwards: int = 1,
    ) -> None:
        """A step that verified `draft` in a forward of `width` tokens took `seconds`.

        With more than one of its `forwards` it says nothing about the cost of that width. Drafts
        behind the last emitted token, at a stop or a near-tie, were not judged.
        """
        if forwards == 1:
            self._costs.observe(width, seconds)
        self._recent.append((num_emitted, min(seconds, self._most_seconds(width, forwards))))
        self._num_declined = 0
        self._num_drafts += 1
        num_judged = len(draft.tokens) if num_emitted > accepted else accepted
        self._num_accepted = FADING * self._num_accepted + accepted
        self._num_judged = FADING * self._num_judged + num_judged
        self._judge()

    def _chances(self, proposed: Draft) -> tuple[float, ...]:
        num_tokens = len(proposed.tokens)
        if proposed.chances:
            return proposed.chances[:num_tokens]
        num_tokens = min(num_tokens, self._base_length)
        return UNRATED.chances(ladder("match", max(1, proposed.match_length), num_tokens))

    def _most_seconds(self, width: int, forwards: int) -> float:
        """What one step may count for: the first of its width can wait for a kernel to be built."""
        plain_seconds = self._costs.plain_seconds
        if not plain_seconds:
            return inf
        return OUTLIER * plain_seconds * self._costs.relative(width) * forwards

    def _judge(self) -> None:
        plain_seconds = self._costs.plain_seconds
        if not plain_seconds:
            return
        emitted, seconds = self._spent()
        num_lost = seconds / plain_seconds - emitted
        acceptance = self._num_accepted / self._num_judged if self._num_judged else 1.0
        minimum = self._params.min_acceptance
        is_warm = self._num_drafts > self._params.warmup_steps
        if num_lost > MOST_LOST:
            self._stand_down(
                f"{self._lately} made "
                f"{emitted / seconds:.1f} tok/s, plain decoding makes {1 / plain_seconds:.1f}"
            )
        elif is_warm and acceptance < minimum and num_lost > MOST_LOST / 2:
            self._stand_down(
                f"acceptance is {_percent(acceptance)}, under the minimum of {_percent(minimum)}, "
                f"and {self._lately} lost time"
            )

    def _spent(self) -> tuple[int, float]:
        """The tokens of the steps that are looked back on, and their seconds."""
        return sum(each[0] for each in self._recent), sum(each[1] for each in self._recent)

    def _lost(self) -> bool:
        """Whether what shut the gate lost time by what a plain step takes now."""
        emitted, seconds = self._shut_for
        return seconds > emitted * (self._costs.plain_seconds or 0.0)

    @property
    def _lately(self) -> str:
        number = len(self._recent)
        return f"the last {number} speculative steps" if number > 1 else "the last speculative step"

    def _decline(self, expected: float, cost: float) -> None:
        """A draft was found and left; after a few in a row, say why none is taken."""
        self._num_declined += 1
        if self.is_active and self._num_declined >= DECLINES_BEFORE_SAYING:
            self.is_active = False
            self.reason = (
                f"drafts do not pay here; with the best one a step would take {cost:.2f} times as "
                f"long for {expected:.2f} times the text, and drafting starts at a gain of "
                f"{_percent(WORTHWHILE - 1)}"
            )

    def _stand_down(self, reason: str) -> None:
        self.is_active = False
        self.reason = f"{reason}; it is tried again in {self._params.probe_interval} steps"
        self._rest = self._params.probe_interval
        self._shut_for = self._spent()
        self._recent.clear()

    def _take_up(self, reason: str) -> None:
        self.is_active = True
        self.reason = reason
        self._num_declined = 0


def _percent(share: float) -> str:
    """A share, never torn from its sign."""
    return f"{share * 100:.0f}\u00a0%"
