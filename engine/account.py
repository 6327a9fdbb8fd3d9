"""The account of a reply: what it really ran with, its numbers, how speculation did, what is kept.

Frozen records of plain values; events carry them, and a trace stores them.
"""

from dataclasses import dataclass

from engine.request import DrafterChoice, RollbackName, SamplingParams
from engine.step_record import Strategy


@dataclass(frozen=True, slots=True)
class Statistics:
    """A reply in numbers; see ARCHITECTURE's glossary for each definition.

    `histogram` maps accepted length to the number of steps that had a draft. Rates are tokens per
    second; None means there was nothing to divide by.
    """

    prompt_tokens: int
    reused_tokens: int
    emitted: int
    steps: int
    forwards: int
    drafted: int
    excluded: int
    verified: int
    accepted: int
    dropped: int
    replayed: int
    corrected: int
    bonus: int
    generated: int
    guarded: int
    acceptance: float | None
    tokens_per_step: float | None
    histogram: dict[int, int]
    prefill_seconds: float
    decode_seconds: float
    first_token_seconds: float | None
    prefill_tps: float | None
    decode_tps: float | None


@dataclass(frozen=True, slots=True)
class ReplayHealth:
    """`attempts` partial-accept steps whose recurrent state was rebuilt; tokens they emitted."""

    enabled: bool
    attempts: int
    emitted: int
    failures: int


@dataclass(frozen=True, slots=True)
class SpeculationHealth:
    """Whether speculation ran in the last reply, why or why not, and what it brought."""

    enabled: bool
    reason: str
    steps: int
    tokens_emitted: int
    acceptance_rate: float | None
    accept_histogram: dict[int, int]


@dataclass(frozen=True, slots=True)
class EffectiveConfig:
    """What a reply really ran with, after defaults, the model and fallbacks had their say.

    `guard_margin` is the lead in logits under which a block may not decide (widest block probed).
    `thinking` is what the chat template was told, None where it was told nothing.
    """

    model: str
    device: str
    dtype: str
    enabled: bool
    reason: str
    drafter: DrafterChoice
    draft_length: int | None
    base_draft_length: int
    ngram_max: int
    ngram_min: int
    rollback: Strategy | None
    rollback_requested: RollbackName
    replay: bool
    exclude: bool
    excluded_ids: tuple[int, ...]
    stop_ids: tuple[int, ...]
    pacing: bool
    guard: bool
    guard_margin: float
    min_acceptance: float
    warmup_steps: int
    probe_interval: int
    pending_limit: int | None
    sampling: SamplingParams
    max_tokens: int | None
    stop: tuple[str, ...]
    context_limit: int
    kv_bits: int | None
    prefill_chunk: int
    thinking: bool | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """The engine's own account of speculation and replay in the last run."""

    pld_ssm_replay: ReplayHealth
    speculative_decoding: SpeculationHealth
    config: EffectiveConfig | None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of conversations' caches for later turns, and how much may be.

    `bytes` counts keys and values and the checkpoints of recurrent and sliding layers;
    `budget_bytes` is the limit they are held under. `num_tokens` is the length of the latest
    conversation in them, `num_checkpoints` how many places one can return to in all.
    """

    num_conversations: int
    num_tokens: int
    num_checkpoints: int
    bytes: int
    budget_bytes: int
