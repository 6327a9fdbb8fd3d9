"""Whether to draft now, and how much: never slower than plain decoding. Pure Python.

Two estimates meet. *Cost*: what a forward of some width takes against a plain step, measured when
the model was loaded and refreshed by every real step. *Gain*: how often drafts behind a match of
some length were accepted lately. `Pacing.length` picks the length with the most expected tokens per
second; 0 is a legitimate answer and means a plain step.

Above that stands a gate with a memory: when recent speculative steps were slower than plain ones
by the wall clock, or acceptance stays under its minimum after the warm-up, speculation stands down
with a reason, and probes again `probe_interval` steps later.
"""

from collections import deque

from engine.request import SpeculationParams

MAX_DRAFT_LENGTH = 16
# Acceptance by length of the match before anything was seen, worth PRIOR_WEIGHT observations.
PRIOR_ACCEPTANCE = {1: 0.3, 2: 0.5, 3: 0.65}
LONG_MATCH_ACCEPTANCE = 0.8
PRIOR_WEIGHT = 3.0
FORGETTING = 0.9
# A forward of w tokens against one token where nothing was measured: mildly more.
UNMEASURED_SLOPE = 0.05
SMOOTHING = 0.2
WORTHWHILE = 1.03
GATE_STEPS = 8
DECLINES_BEFORE_SAYING = 6
TABLE_WIDTH = 64


class CostTable:
    """Seconds of a forward by width, relative to a plain step; smoothed over real steps."""

    def __init__(self, seconds_by_width: dict[int, float] | None = None) -> None:
        measured = seconds_by_width or {}
        self.plain_seconds: float | None = measured.get(1)
        base = self.plain_seconds
        known = {width: s / base for width, s in measured.items()} if base else {}
        self._relative = _drawn_between({1: 1.0} | known)

    def observe(self, width: int, seconds: float) -> None:
        """Take in a real step of `width` tokens; one slow outlier moves little."""
        if width == 1:
            known = self.plain_seconds or seconds
            self.plain_seconds = known + SMOOTHING * (min(seconds, 3 * known) - known)
        elif self.plain_seconds and width < len(self._relative):
            expected = self._relative[width]
            ratio = min(seconds / self.plain_seconds, 3 * expected)
            self._relative[width] = expected + SMOOTHING * (ratio - expected)

    def relative(self, width: int) -> float:
        """The cost of `width` tokens in plain steps; past the table, as its last step goes on."""
        table = self._relative
        if width < len(table):
            return table[width]
        return table[-1] + max(0.0, table[-1] - table[-2]) * (width - len(table) + 1)


def _drawn_between(known: dict[int, float]) -> list[float]:
    """Relative cost at every width of the table, on straight lines between the known ones."""
    widths = sorted(known)
    table = [0.0]
    for width in range(1, TABLE_WIDTH):
        below = max(w for w in widths if w <= width)
        above = min((w for w in widths if w > width), default=None)
        if above is not None:
            slope = (known[above] - known[below]) / (above - below)
        else:
            slope = (known[below] - 1.0) / (below - 1) if below > 1 else UNMEASURED_SLOPE
        table.append(known[below] + max(slope, 0.0) * (width - below))
    return table


class AcceptanceTable:
    """The chance that the next draft token is accepted, by length of the match behind it."""

    def __init__(self) -> None:
        self._hits: dict[int, float] = {}
        self._tries: dict[int, float] = {}

    def observe(self, match_length: int, accepted: int, drafted: int) -> None:
        """Take in a verified draft: its accepted tokens, and the rejected one if there was one."""
        tries = accepted + (1 if accepted < drafted else 0)
        self._hits[match_length] = FORGETTING * self._hits.get(match_length, 0.0) + accepted
        self._tries[match_length] = FORGETTING * self._tries.get(match_length, 0.0) + tries

    def forget(self, match_length: int) -> None:
        """Lean back toward the prior, so that a length once given up is tried again some day."""
        for table in (self._hits, self._tries):
            table[match_length] = FORGETTING * table.get(match_length, 0.0)

    def chance(self, match_length: int) -> float:
        """Probability per draft token, between 0 and 1."""
        prior = PRIOR_ACCEPTANCE.get(match_length, LONG_MATCH_ACCEPTANCE)
        hits = self._hits.get(match_length, 0.0) + PRIOR_WEIGHT * prior
        return hits / (self._tries.get(match_length, 0.0) + PRIOR_WEIGHT)


class Pacing:
    """Chooses draft lengths and opens and closes the gate. One per reply."""

    def __init__(self, params: SpeculationParams, base_length: int, costs: CostTable) -> None:
        self._params = params
        self._base_length = base_length
        self._longest = base_length
        self._costs = costs
        self._chances = AcceptanceTable()
        self._recent: deque[tuple[int, float]] = deque(maxlen=GATE_STEPS)
        self._acceptance: float | None = None
        self._speculative_steps = 0
        self._rest = 0
        self._num_declined = 0
        self.is_active = True
        self.reason = "drafts pay here"

    @property
    def is_resting(self) -> bool:
        """Whether the gate is shut, so that looking a draft up is of no use."""
        return self._rest > 0

    def length(self, match_length: int, num_pending: int, available: int) -> int:
        """How many of `available` draft tokens to verify now; 0 for a plain step."""
        relative = self._costs.relative
        chance = self._chances.chance(match_length)
        best, best_rate = 0, WORTHWHILE / relative(num_pending)
        expected = reached = 1.0
        for length in range(1, min(available, self._longest) + 1):
            reached *= chance
            expected += reached
            rate = expected / relative(num_pending + length)
            if rate > best_rate:
                best, best_rate = length, rate
        if best == 0:
            self._chances.forget(match_length)
            self._decline(1 + chance, relative(num_pending + 1) / relative(num_pending))
        elif not self.is_active:
            self._take_up("a draft looks worth its cost now")
        return best

    def observe_plain(self, width: int, seconds: float) -> None:
        """A step without a draft took `seconds` for `width` pending tokens."""
        self._costs.observe(width, seconds)
        if self._rest > 0:
            self._rest -= 1
            if self._rest == 0:
                self._take_up(f"trying again after {self._params.probe_interval} plain steps")
                self._acceptance = None
                self._speculative_steps = 0
                self._longest = self._base_length

    def observe_speculative(
        self, match_length: int, accepted: int, drafted: int, width: int, seconds: float
    ) -> None:
        """A step verified `drafted` tokens and took `seconds`; emitted is `accepted` + 1."""
        self._costs.observe(width, seconds)
        self._chances.observe(match_length, accepted, drafted)
        if accepted == drafted:
            self._longest = min(MAX_DRAFT_LENGTH, max(self._longest, 2 * drafted))
        else:
            self._longest = self._base_length
        self._recent.append((accepted + 1, seconds))
        self._speculative_steps += 1
        self._num_declined = 0
        rate = accepted / drafted
        known = self._acceptance if self._acceptance is not None else rate
        self._acceptance = known + SMOOTHING * (rate - known)
        self._judge()

    def _judge(self) -> None:
        plain_seconds = self._costs.plain_seconds
        if plain_seconds and len(self._recent) == GATE_STEPS:
            emitted = sum(tokens for tokens, _ in self._recent)
            seconds = sum(spent for _, spent in self._recent)
            if emitted * plain_seconds < seconds:
                ours, plain = emitted / seconds, 1 / plain_seconds
                self._stand_down(
                    f"the last {GATE_STEPS} speculative steps made {ours:.1f} tok/s, "
                    f"plain decoding makes {plain:.1f}"
                )
        warm = self._speculative_steps > self._params.warmup_steps
        acceptance = self._acceptance or 0.0
        if self.is_active and warm and acceptance < self._params.min_acceptance:
            minimum = self._params.min_acceptance
            self._stand_down(f"acceptance is {acceptance:.0%}, under the minimum of {minimum:.0%}")

    def _decline(self, expected: float, cost: float) -> None:
        """A draft was found and left; after a few in a row, say why none is taken."""
        self._num_declined += 1
        if self.is_active and self._num_declined >= DECLINES_BEFORE_SAYING:
            self.is_active = False
            self.reason = (
                f"drafts do not pay here; with one more token a step would take {cost:.2f} times "
                f"as long for {expected:.2f} times the text"
            )

    def _stand_down(self, reason: str) -> None:
        self.is_active = False
        self.reason = f"{reason}; it is tried again in {self._params.probe_interval} steps"
        self._rest = self._params.probe_interval
        self._recent.clear()

    def _take_up(self, reason: str) -> None:
        self.is_active = True
        self.reason = reason
        self._num_declined = 0
