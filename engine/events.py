"""What the engine tells the world: frozen records of plain Python values, never an `mx.array`.

The life of a reply in events, in this order:

    PrefillProgress*  Started  (Stepped | SpeculationChanged | Notice)*  Finished
    ... or, at any point instead, Failed

of a model: LoadProgress* Loaded | Failed, later Unloaded; of a probe: Probed | Failed; of a count:
Counted | Failed. Every event carries the `job` number that the worker gave when the job was handed
in. A `StepRecord` is what a trace stores, unchanged.
"""

from dataclasses import dataclass
from typing import Literal

from engine.model_info import ModelInfo, Probe
from engine.request import DrafterChoice, Message, RollbackName, SamplingParams
from engine.step_record import StepRecord, Strategy, TextSpan

StopReason = Literal["eos", "stop_string", "max_tokens", "context_full", "cancelled", "failed"]


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
class LoadProgress:
    """`fraction` 0..1 of loading, with a word for the stage.

    `done_bytes` of `total_bytes` of the weights are in memory; 0 while that is not known.
    """

    job: int
    stage: str
    fraction: float
    done_bytes: int = 0
    total_bytes: int = 0


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
    """Prefill is done and decoding begins; the first line of a trace.

    `prompt_text` is the prompt as the model reads it, the chat template's marks included, and
    `prompt_ends[i]` where in it token i ends; a token that only begins a character ends where it
    starts. `messages` are the request's, empty where it came as ids. `words` has (id, text) of the
    excluded and the stop ids. `plain_seconds` is what a plain step was known to take.

    Where a reply is continued, the last `reply_length` of `prompt_ids` are its beginning and
    `reply_text` is their text, which the spans of the new tokens follow; what of it was held back
    (see `GenerationRequest`) comes with those. `opens_thinking` says that the prompt, without them,
    ends inside an open `<think>`.
    """

    job: int
    model: str
    config: EffectiveConfig
    prompt_ids: tuple[int, ...]
    reused: int
    seed: int
    prefill_seconds: float
    messages: tuple[Message, ...] = ()
    prompt_text: str = ""
    prompt_ends: tuple[int, ...] = ()
    words: tuple[tuple[int, str], ...] = ()
    plain_seconds: float | None = None
    reply_length: int = 0
    reply_text: str = ""
    opens_thinking: bool = False


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


@dataclass(frozen=True, slots=True)
class Finished:
    """The reply is over. `tail` is text that had been held back and is now known to be final."""

    job: int
    reason: StopReason
    stats: Statistics
    health: Health
    tail: tuple[TextSpan, ...] = ()
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Probed:
    """The loaded model was probed."""

    job: int
    probe: Probe


@dataclass(frozen=True, slots=True)
class Counted:
    """How many tokens each of the texts has, in their order."""

    job: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The job could not be done: one sentence for a person, details for a report.

    `kind` is `EngineError.kind`: "context_full" where the prompt does not fit the context; and
    "cancelled" where a load was ended on request.
    """

    job: int
    sentence: str
    details: str = ""
    kind: str = ""


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
    | Probed
    | Counted
    | Failed
)
