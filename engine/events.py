"""What the engine tells the world: frozen records of plain Python values, never an `mx.array`.

The life of a reply in events, in this order:

    PrefillProgress*  Started  (Stepped | SpeculationChanged | Notice)*  Finished
    ... or, at any point instead, Failed

of a model: LoadProgress* Loaded | Failed, later Unloaded; of a probe, a count, a spelling: Probed,
Counted, Spelled | Failed. Every event carries the `job` number that the worker gave when the job
was handed in. A `StepRecord` is what a trace stores, unchanged.
"""

from dataclasses import dataclass
from typing import Literal

from engine.account import EffectiveConfig, Health, Kept, Statistics
from engine.model_info import ModelInfo, Probe
from engine.request import Message
from engine.step_record import StepRecord, TextSpan

StopReason = Literal["eos", "stop_string", "max_tokens", "context_full", "cancelled", "failed"]


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
class Spelled:
    """The tokens that were asked for, in their order: (id, what it reads as)."""

    job: int
    tokens: tuple[tuple[int, str], ...]


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
    | Spelled
    | Failed
)
