"""The counts and rates of a reply, recomputable from its step records alone.

`Tally` is fed the same records the trace stores, so live numbers and numbers read back from a trace
are the same numbers. Definitions: drafted = proposed; verified = drafted - excluded; accepted =
matched and emitted before a stop (origins accepted and replayed); emitted = generated + accepted +
corrected + bonus; acceptance = accepted / verified.
"""

from collections import Counter

from engine.account import EffectiveConfig, Health, ReplayHealth, SpeculationHealth, Statistics
from engine.step_record import Origin, StepRecord


def _ratio(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator > 0 else None


def is_replay_attempt(record: StepRecord) -> bool:
    """Whether this step accepted part of its draft and had the recurrent state rebuilt for it."""
    return record.accepted > 0 and record.rollback in ("replay", "carry", "local")


class Tally:
    """Running totals of one reply; `add` each record, read `snapshot` at any time."""

    def __init__(
        self, prompt_tokens: int, reused_tokens: int = 0, prefill_seconds: float = 0.0
    ) -> None:
        self._prompt_tokens = prompt_tokens
        self._reused_tokens = reused_tokens
        self._prefill_seconds = prefill_seconds
        self._counts: Counter[str] = Counter()
        self._origins: Counter[Origin] = Counter()
        self._histogram: Counter[int] = Counter()
        self._first: tuple[float, int] | None = None
        self._last_time = 0.0
        self._attempts = 0
        self._attempt_tokens = 0
        self.num_failures = 0

    def add(self, record: StepRecord) -> None:
        """Count one step. Records come in order of their index."""
        self._counts.update(
            steps=1,
            emitted=len(record.emitted),
            forwards=record.forwards,
            drafted=len(record.draft) + record.excluded,
            excluded=record.excluded,
            verified=len(record.draft),
            accepted=record.accepted,
            dropped=record.dropped,
            guarded=record.guarded,
        )
        self._origins.update(record.origins)
        if record.draft:
            self._histogram[record.accepted] += 1
        if is_replay_attempt(record):
            self._attempts += 1
            self._attempt_tokens += len(record.emitted)
        if self._first is None:
            self._first = (record.time, len(record.emitted))
        self._last_time = record.time

    def snapshot(self) -> Statistics:
        """The statistics of the steps so far."""
        counts, origins = self._counts, self._origins
        processed = self._prompt_tokens - 1 - self._reused_tokens
        first_time, first_tokens = self._first or (None, 0)
        decode_seconds = self._last_time - first_time if first_time is not None else 0.0
        return Statistics(
            prompt_tokens=self._prompt_tokens,
            reused_tokens=self._reused_tokens,
            emitted=counts["emitted"],
            steps=counts["steps"],
            forwards=counts["forwards"],
            drafted=counts["drafted"],
            excluded=counts["excluded"],
            verified=counts["verified"],
            accepted=counts["accepted"],
            dropped=counts["dropped"],
            replayed=origins["replayed"],
            corrected=origins["corrected"],
            bonus=origins["bonus"],
            generated=origins["generated"],
            guarded=counts["guarded"],
            acceptance=_ratio(counts["accepted"], counts["verified"]),
            tokens_per_step=_ratio(counts["emitted"], counts["steps"]),
            histogram=dict(sorted(self._histogram.items())),
            prefill_seconds=self._prefill_seconds,
            decode_seconds=decode_seconds,
            first_token_seconds=first_time,
            prefill_tps=_ratio(processed, self._prefill_seconds) if processed > 0 else None,
            decode_tps=_ratio(counts["emitted"] - first_tokens, decode_seconds),
        )

    def replay_health(self, enabled: bool) -> ReplayHealth:
        """Partial-accept steps that rebuilt recurrent state, and the tokens they emitted."""
        return ReplayHealth(enabled, self._attempts, self._attempt_tokens, self.num_failures)

    def health(self, config: EffectiveConfig) -> Health:
        """The engine's account of this reply, for `health()` and the window's badge."""
        stats = self.snapshot()
        speculation = SpeculationHealth(
            enabled=config.enabled,
            reason=config.reason,
            steps=stats.steps,
            tokens_emitted=stats.emitted,
            acceptance_rate=stats.acceptance,
            accept_histogram=stats.histogram,
        )
        replays = config.enabled and config.rollback in ("replay", "carry", "local")
        return Health(self.replay_health(replays), speculation, config)
