"""What a request means on this model: checked against it, and turned into an effective config."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.account import EffectiveConfig
from engine.errors import ContextFullError, RequestError, TokenizerError
from engine.events import Started
from engine.model.cache import Caches, is_recurrent, quantised, speculation_refusal
from engine.model.cost import prefill_chunk
from engine.model.loaded_model import LoadedModel
from engine.model.words import WordBook
from engine.request import GenerationRequest, SpeculationParams
from engine.speculation.guard import Guard
from engine.speculation.rollback import choose_strategy
from engine.step_record import Strategy

RECURRENT_DRAFT_LENGTH = 2
ATTENTION_DRAFT_LENGTH = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """A request that met its model: the prompt's ids, what will run, on which fresh caches.

    The ids that a continued reply already has are the prompt's last.
    `notices` has a sentence for each thing that differs from what was asked.
    """

    prompt: list[int]
    config: EffectiveConfig
    caches: Caches
    notices: tuple[str, ...]


def plan_reply(model: LoadedModel, request: GenerationRequest) -> Plan:
    """Check a request against the model. Raises RequestError or ModelError; runs nothing."""
    rendered, mended = _prompt(model, request)
    prompt = [*rendered, *request.reply_ids]
    check_ids(model, request, prompt)
    context_limit = checked_context_limit(model, request, len(prompt))
    entries = model.make_caches()
    if request.kv_bits is not None:
        entries = quantised(entries, request.kv_bits)
    config, fallbacks = effective_config(model, request, entries, context_limit)
    return Plan(prompt, config, Caches(entries), (*mended, *fallbacks))


def opened(
    model: LoadedModel,
    request: GenerationRequest,
    config: EffectiveConfig,
    prompt: Sequence[int],
    words: WordBook,
    reply_text: str = "",
) -> Started:
    """How a reply to `prompt` begins, as far as it is known without running the prompt.

    `reply_text` is what is shown of the reply's beginning that the prompt ends in.
    """
    text, ends = model.words.laid_out(prompt)
    reply_length = len(request.reply_ids)
    asked = text[: ends[-1 - reply_length]]
    return Started(
        job=0,
        model=config.model,
        config=config,
        prompt_ids=tuple(prompt),
        reused=0,
        seed=request.sampling.seed,
        prefill_seconds=0.0,
        messages=request.messages,
        prompt_text=text,
        prompt_ends=ends,
        words=words.news((*config.excluded_ids, *config.stop_ids)),
        plain_seconds=model.costs.plain_seconds,
        reply_length=reply_length,
        reply_text=reply_text,
        opens_thinking=asked.rstrip().endswith("<think>"),
    )


def _prompt(model: LoadedModel, request: GenerationRequest) -> tuple[list[int], tuple[str, ...]]:
    if request.prompt_ids is not None:
        return list(request.prompt_ids), ()
    rendered = model.template.render(request.messages, request.thinking)
    if not rendered.ids:
        raise RequestError("The chat template turned this conversation into nothing to answer.")
    return list(rendered.ids), tuple(rendered.notices)


def checked_context_limit(
    model: LoadedModel, request: GenerationRequest, prompt_length: int
) -> int:
    """The context limit of this reply. Raises RequestError where the request does not fit it."""
    limit = request.context_limit or model.context_length
    if limit > model.context_length:
        raise RequestError(
            f"The context limit is {limit:,} tokens, but {model.info.name} goes no further than "
            f"{model.context_length:,}; choose a smaller one."
        )
    if prompt_length >= limit:
        what = "prompt and the reply so far are" if request.reply_ids else "prompt is"
        raise ContextFullError(
            f"The {what} {prompt_length:,} tokens long and the context holds {limit:,}; "
            "shorten it or start a new chat.",
            prompt_length,
            limit,
        )
    length = request.speculation.draft_length
    if length is not None and length >= limit:
        raise RequestError(
            f"The draft length is {length:,}, more than the context of {limit:,} tokens can hold; "
            "choose a smaller one (2 to 16 is usual)."
        )
    return limit


def check_ids(model: LoadedModel, request: GenerationRequest, prompt: Sequence[int]) -> None:
    """Raise for token ids the model does not have: the request's fault, or the tokenizer's.

    And for a reply that has its end already, which no token can follow.
    """
    size = model.info.vocabulary_size
    ids = (*prompt, *request.speculation.extra_excluded)
    wrong = next((token for token in ids if not 0 <= token < size), None)
    rendered = prompt[: len(prompt) - len(request.reply_ids)]
    if wrong is not None and request.prompt_ids is None and wrong in rendered:
        raise TokenizerError(
            f"The tokenizer of {model.info.name} names token {wrong}, but the model ends at "
            f"{size - 1}; its files do not belong together."
        )
    if wrong is not None:
        raise RequestError(
            f"Token id {wrong} does not exist; {model.info.name} has 0 to {size - 1}."
        )
    if not model.stop_ids.isdisjoint(request.reply_ids):
        raise RequestError(
            "This reply has come to its own end and cannot be continued; ask for another one."
        )


def effective_config(
    model: LoadedModel, request: GenerationRequest, entries: list[Any], context_limit: int
) -> tuple[EffectiveConfig, tuple[str, ...]]:
    """What will really run, and one sentence for each thing that differs from what was asked."""
    asked = request.speculation
    recurrent = is_recurrent(entries)
    refusal = speculation_refusal(entries)
    enabled = asked.enabled and refusal is None
    strategy, fallback = choose_strategy(
        asked, recurrent=recurrent, local_refusal=model.info.local_refusal
    )
    notices = [fallback] if enabled and fallback else []
    guard_asked = asked.pacing if asked.guard is None else asked.guard
    margin = Guard(model.probe).widest if enabled and guard_asked else 0.0
    base_length = RECURRENT_DRAFT_LENGTH if recurrent else ATTENTION_DRAFT_LENGTH
    excluded = model.excluded_ids | frozenset(asked.extra_excluded) if asked.exclude else ()
    config = EffectiveConfig(
        model=model.info.name,
        device=model.info.device,
        dtype=model.info.dtype,
        enabled=enabled,
        reason=refusal or _reason(asked, strategy),
        drafter=asked.drafter,
        draft_length=asked.draft_length,
        base_draft_length=asked.draft_length or base_length,
        ngram_max=asked.ngram_max,
        ngram_min=asked.ngram_min,
        rollback=strategy if enabled else None,
        rollback_requested=asked.rollback,
        replay=asked.replay,
        exclude=asked.exclude,
        excluded_ids=tuple(sorted(excluded)),
        stop_ids=tuple(sorted(model.stop_ids)),
        pacing=enabled and asked.pacing,
        guard=margin > 0.0,
        guard_margin=margin,
        min_acceptance=asked.min_acceptance,
        warmup_steps=asked.warmup_steps,
        probe_interval=asked.probe_interval,
        pending_limit=asked.pending_limit if asked.pacing else None,
        sampling=request.sampling,
        max_tokens=request.max_tokens,
        stop=request.stop,
        context_limit=context_limit,
        kv_bits=request.kv_bits,
        prefill_chunk=min(request.prefill_chunk, prefill_chunk(model.width_seconds)),
        thinking=_effective_thinking(model, request),
    )
    return config, tuple(notices)


def _reason(asked: SpeculationParams, strategy: Strategy) -> str:
    """What is speculated with, or that nothing is to be."""
    if not asked.enabled:
        return "it is switched off"
    names = {"lookup": "prompt lookup", "suffix": "suffix drafts", "auto": "automatic drafts"}
    return f"{names[asked.drafter]}, {strategy} rollback"


def _effective_thinking(model: LoadedModel, request: GenerationRequest) -> bool | None:
    is_rendered = request.prompt_ids is None
    return model.template.effective_thinking(request.thinking) if is_rendered else None
