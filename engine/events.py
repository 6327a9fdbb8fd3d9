"""What the engine tells the world: frozen records of plain Python values, never an `mx.array`.

The life of a reply in events, in this order:

    PrefillProgress*  Started  (Stepped | SpeculationChanged | Notice)*  Finished
    ... or, at any point instead, Failed

and of a model: LoadProgress* Loaded | Failed, later Unloaded. Every event carries the `job` number
that the worker gave when the job was handed in. A `StepRecord` is what a trace stores, unchanged.
"""

from dataclasses import dataclass
from typing import Literal

from engine.request import DrafterName, RollbackName, SamplingParams

Origin = Literal["generated", "accepted", "replayed", "corrected", "bonus"]
StopReason = Literal["eos", "stop_string", "max_tokens", "context_full", "cancelled", "failed"]
Strategy = Literal["trim", "discard", "replay", "carry", "local"]

ORIGINS: tuple[Origin, ...] = ("generated", "accepted", "replayed", "corrected", "bonus")


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Text that became printable, and the reply tokens `first .. first + num_tokens - 1` it is.

    Token is not text: bytes of an incomplete character are held back, so one span may stand for
    several tokens; the stop token has a span with no text.
    """

    first: int
    num_tokens: int
    text: str


@dataclass(frozen=True, slots=True)
class PhaseSeconds:
    """Wall-clock seconds of a step's phases."""

    draft: float
    verify: float
    rollback: float


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step: what was proposed, what the target said, what was emitted, what it cost.

    `position` is the context length before the step (cached + pending); `pending` the emitted
    tokens that ran in front of the draft; `draft` what was verified, and `excluded` how many
    proposed tokens the filter cut, so drafted = len(draft) + excluded. `match` is (start, length)
    in the context of the n-gram whose continuation was copied. `accepted` counts drafts that
    matched and were emitted; `dropped` what had matched but was thrown away (discard). `emitted`
    and `origins` go together.
    `rollback` is the strategy that undid rejected drafts, None where nothing had to be undone.
    `num_replayed` counts tokens rerun, pending included. `time` is seconds from the start of the
    request to the emission. `logprobs` and `alternatives` (id, log-probability) are there if asked.
    """

    index: int
    position: int
    pending: tuple[int, ...]
    draft: tuple[int, ...]
    excluded: int
    match: tuple[int, int] | None
    accepted: int
    dropped: int
    emitted: tuple[int, ...]
    origins: tuple[Origin, ...]
    rollback: Strategy | None
    num_replayed: int
    forwards: int
    guarded: int
    seconds: PhaseSeconds
    time: float
    spans: tuple[TextSpan, ...] = ()
    logprobs: tuple[float, ...] | None = None
    alternatives: tuple[tuple[tuple[int, float], ...], ...] | None = None


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
    """What a reply really ran with, after defaults, the model and fallbacks had their say."""

    model: str
    device: str
    dtype: str
    enabled: bool
    reason: str
    drafter: DrafterName
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


@dataclass(frozen=True, slots=True)
class Health:
    """The engine's own account of speculation and replay in the last run."""

    pld_ssm_replay: ReplayHealth
    speculative_decoding: SpeculationHealth
    config: EffectiveConfig | None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A loaded model, as far as a person or the window needs to know it.

    `memory_bytes` counts the weights. `cache_families` are the plain-English kinds of its caches
    ("attention", "sliding", "recurrent", "chunked", "mixed"). `speculation_refusal` says why
    speculation is not possible on it, None where it is.
    """

    name: str
    path: str
    model_type: str
    num_parameters: int
    bits: int | None
    dtype: str
    device: str
    context_length: int
    vocabulary_size: int
    memory_bytes: int
    cache_families: tuple[str, ...]
    is_recurrent: bool
    is_demo: bool
    speculation_refusal: str | None


@dataclass(frozen=True, slots=True)
class LoadProgress:
    """`fraction` 0..1 of loading, with a word for the stage."""

    job: int
    stage: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    """The model is ready for requests."""

    job: int
    model: ModelInfo


@dataclass(frozen=True, slots=True)
class Unloaded:
    """No model is loaded and its memory is back."""

    job: int


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """`processed` of `total` prompt tokens are in the caches."""

    job: int
    processed: int
    total: int


@dataclass(frozen=True, slots=True)
class Started:
    """Prefill is done and decoding begins; the first line of a trace."""

    job: int
    model: str
    config: EffectiveConfig
    prompt_ids: tuple[int, ...]
    reused: int
    seed: int
    prefill_seconds: float


@dataclass(frozen=True, slots=True)
class Stepped:
    """One step happened."""

    job: int
    record: StepRecord


@dataclass(frozen=True, slots=True)
class SpeculationChanged:
    """Speculation stood down, or takes up again, and why."""

    job: int
    active: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know, in one sentence; the job goes on."""

    job: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The reply is over. `tail` is text that had been held back and is now known to be final."""

    job: int
    reason: StopReason
    stats: Statistics
    health: Health
    tail: tuple[TextSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """The job could not be done: one sentence for a person, details for a report."""

    job: int
    sentence: str
    details: str = ""


Event = (
    LoadProgress
    | Loaded
    | Unloaded
    | PrefillProgress
    | Started
    | Stepped
    | SpeculationChanged
    | Notice
    | Finished
    | Failed
)
