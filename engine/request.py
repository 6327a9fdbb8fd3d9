"""What a caller may ask for: validated, immutable, and free of MLX.

Every class checks itself when it is made and raises `RequestError` with one sentence, so a value
that exists is a value that can be run. What depends on the model (its context length, its caches)
is checked when the request meets the model.
"""

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

from engine.errors import RequestError

Role = Literal["system", "user", "assistant"]
_ROLES = get_args(Role)
DrafterName = Literal["lookup", "suffix"]
DrafterChoice = Literal["auto", "lookup", "suffix"]
RollbackName = Literal["auto", "trim", "discard", "replay", "carry", "local"]

MAX_SEED = 2**63 - 1
LONGEST_NGRAM = 64
# Below this, logits divided by the temperature leave float32.
LOWEST_TEMPERATURE = 0.001


def _require(condition: bool, sentence: str) -> None:
    if not condition:
        raise RequestError(sentence)


def _require_number(name: str, value: float, low: float, high: float) -> None:
    fits = math.isfinite(value) and low <= value <= high
    _require(fits, f"{name} is {value}; it must be a number from {low:g} to {high:g}.")


def _require_count(name: str, value: int, low: int, high: int | None = None) -> None:
    fits = value >= low and (high is None or value <= high)
    upper = "" if high is None else f" and at most {high}"
    _require(fits, f"{name} is {value}; it must be at least {low}{upper}.")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str

    def __post_init__(self) -> None:
        if self.role not in _ROLES:
            raise RequestError(
                f"A message has the role {self.role!r}; use system, user or assistant."
            )


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """The target law: processors (penalties), filters (top-p, min-p, top-k), temperature, seed.

    Temperature 0 is greedy. Penalties look at the last `penalty_window` tokens of prompt and reply;
    `repetition_penalty` divides, the other two subtract. 0 turns a filter or penalty off
    (for `repetition_penalty` and `top_p`, 1 does).
    """

    temperature: float = 0.0
    top_p: float = 1.0
    min_p: float = 0.0
    top_k: int = 0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    penalty_window: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        _require_number("temperature", self.temperature, 0.0, 10.0)
        _require(
            self.temperature == 0.0 or self.temperature >= LOWEST_TEMPERATURE,
            f"temperature is {self.temperature}; use 0 (greedy) or at least {LOWEST_TEMPERATURE}.",
        )
        _require_number("top-p", self.top_p, 0.0, 1.0)
        _require_number("min-p", self.min_p, 0.0, 1.0)
        _require_count("top-k", self.top_k, 0)
        _require_number("repetition penalty", self.repetition_penalty, 0.01, 10.0)
        _require_number("presence penalty", self.presence_penalty, -10.0, 10.0)
        _require_number("frequency penalty", self.frequency_penalty, -10.0, 10.0)
        _require_count("penalty window", self.penalty_window, 1)
        _require_count("seed", self.seed, 0, MAX_SEED)


@dataclass(frozen=True, slots=True)
class SpeculationParams:
    """Every speculation flag.

    `draft_length` None means auto: as long as its tokens are likely to pay, with pacing on. A
    number fixes the length and turns pacing (and the flush of `pending`) off.
    `drafter` auto lets whichever guessed better lately propose. `replay` off means the `discard`
    rollback wherever rejected drafts cannot be trimmed. `guard` keeps a block from deciding a
    near-tie; None means on unless the draft length is fixed.
    """

    enabled: bool = True
    drafter: DrafterChoice = "auto"
    draft_length: int | None = None
    ngram_max: int = 4
    ngram_min: int = 2
    rollback: RollbackName = "auto"
    replay: bool = True
    exclude: bool = True
    extra_excluded: tuple[int, ...] = ()
    min_acceptance: float = 0.30
    warmup_steps: int = 20
    probe_interval: int = 200
    pending_limit: int = 16
    guard: bool | None = None

    def __post_init__(self) -> None:
        _require(
            self.drafter in get_args(DrafterChoice),
            f"The drafter is {self.drafter!r}; use auto, lookup or suffix.",
        )
        _require(
            self.rollback in get_args(RollbackName),
            f"The rollback is {self.rollback!r}; use one of {', '.join(get_args(RollbackName))}.",
        )
        if self.draft_length is not None:
            _require_count("draft length", self.draft_length, 1)
        _require_count("smallest n-gram", self.ngram_min, 1, LONGEST_NGRAM)
        _require_count("largest n-gram", self.ngram_max, 1, LONGEST_NGRAM)
        _require(
            self.ngram_min <= self.ngram_max,
            f"The smallest n-gram, {self.ngram_min}, is longer than the largest, {self.ngram_max}; "
            "lower the one or raise the other.",
        )
        _require(
            all(token >= 0 for token in self.extra_excluded),
            "An excluded token id is negative; ids start at 0.",
        )
        _require_number("minimum acceptance", self.min_acceptance, 0.0, 1.0)
        _require_count("warm-up", self.warmup_steps, 0)
        _require_count("probe interval", self.probe_interval, 1)
        _require_count("pending limit", self.pending_limit, 1)

    @property
    def pacing(self) -> bool:
        """Whether the engine may choose the draft length, and stand down."""
        return self.draft_length is None


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """One reply to generate: a conversation (or ready prompt ids) and how to continue it.

    `reply_ids` are the tokens the reply already has: they follow the prompt, rendered or ready ids,
    and it goes on as if it had never stopped. Text that was held back then (bytes of a character,
    what might have begun a stop string) comes with the first new tokens, and a stop string may
    begin in it; one that lies in the text shown before is not looked for again.
    `thinking` sets the switch of a chat template that has one (`ModelInfo.has_thinking_switch`);
    None leaves it as the template has it.
    `max_tokens` counts new tokens; None means up to the end of the context, `context_limit` None
    the model's own.
    `kv_bits` asks mlx-lm for quantised key-value caches; speculation then stands down.
    `prefill_chunk` is the longest block of prompt between two chances to cancel; a slow machine
    gets shorter ones. `reuse` starts from the caches kept of earlier replies as far as the prompt
    is the same, and keeps this one's. `num_alternatives` > 0 records each emitted token's
    log-probability, the lead of its draw, and that many top tokens.
    """

    messages: tuple[Message, ...] = ()
    prompt_ids: tuple[int, ...] | None = None
    sampling: SamplingParams = field(default_factory=SamplingParams)
    speculation: SpeculationParams = field(default_factory=SpeculationParams)
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    context_limit: int | None = None
    kv_bits: Literal[4, 8] | None = None
    num_alternatives: int = 0
    prefill_chunk: int = 512
    reuse: bool = True
    reply_ids: tuple[int, ...] = ()
    thinking: bool | None = None

    def __post_init__(self) -> None:
        if self.prompt_ids is None:
            _require(bool(self.messages), "There is nothing to answer: the conversation is empty.")
            asked = self.messages[-1].content.strip()
            _require(bool(asked), "The prompt is empty; type something for the model to answer.")
        else:
            _require(bool(self.prompt_ids), "The prompt is empty; it needs at least one token.")
        if self.max_tokens is not None:
            _require(
                self.max_tokens >= 1,
                f"The number of tokens to generate is {self.max_tokens}; it must be at least 1.",
            )
        _require(all(self.stop), "A stop string is empty; remove it or type its text.")
        if self.context_limit is not None:
            _require_count("context limit", self.context_limit, 2)
        _require(
            self.kv_bits in (None, 4, 8), f"The cache bits are {self.kv_bits}; use 4 or 8, or none."
        )
        _require_count("number of alternatives", self.num_alternatives, 0, 20)
        _require_count("prefill chunk", self.prefill_chunk, 1)
