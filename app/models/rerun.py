"""A reply's request made again with other speculation: same prompt, same law, same seed.

A reply read from a trace has no request; the trace says enough to write one.
"""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from app.models.model_title import model_title
from app.models.reply import Reply
from engine import (
    EffectiveConfig,
    GenerationRequest,
    ModelInfo,
    RequestError,
    SpeculationParams,
)

# Likeliest tokens kept beside each emitted one, where the trace's own request is not known.
NUM_ALTERNATIVES = 4


def rerun_refusal(reply: Reply | None, info: ModelInfo | None) -> str | None:
    """Why this reply cannot be run again on the loaded model, in a sentence; None where it can."""
    if reply is None:
        return _tr("There is no reply to run again yet; ask something first.")
    if not reply.is_over and reply.request is None:
        return _tr("The end of this reply is not here: play the trace on, or it was cut short.")
    if not reply.is_over:
        return _tr("The reply is still being written; compare when it is complete.")
    if reply.started is None or not reply.log.num_tokens:
        return _tr("This reply has no tokens to compare with.")
    if info is None:
        return _tr("No model is loaded; load {0}, which wrote this reply, to run it again.").format(
            model_title(reply.started.model)
        )
    if reply.started.model != info.name:
        return _tr(
            "This reply was written by {0}, and {1} is loaded; load {0} to run it again."
        ).format(model_title(reply.started.model), model_title(info.name))
    try:
        asked_of(reply, reply.started.config, info)
    except RequestError as error:
        return _tr("The settings of this reply are none to run with. {0}").format(error.sentence)
    return None


def missing_model(reply: Reply | None, info: ModelInfo | None) -> str:
    """The model that has to be loaded to run this reply again, empty where that is not enough."""
    if reply is None or not reply.is_over or reply.started is None or not reply.log.num_tokens:
        return ""
    wrote = reply.started.model
    return "" if info is not None and info.name == wrote else wrote


def asked_of(reply: Reply, config: EffectiveConfig, info: ModelInfo) -> SpeculationParams:
    """The speculation settings a reply was asked with; from its configuration if need be.

    A trace does not tell the model's own excluded tokens from added ones: what this model would
    not exclude by itself was added.
    """
    if reply.request is not None:
        return reply.request.speculation
    extra = set(config.excluded_ids) - set(info.excluded_ids) if info.excluded_ids else set()
    usual = SpeculationParams()
    limit = config.pending_limit
    return SpeculationParams(
        enabled=config.enabled,
        drafter=config.drafter,
        draft_length=config.draft_length,
        ngram_max=config.ngram_max,
        ngram_min=config.ngram_min,
        rollback=config.rollback_requested,
        replay=config.replay,
        exclude=config.exclude,
        extra_excluded=tuple(sorted(extra)),
        min_acceptance=config.min_acceptance,
        warmup_steps=config.warmup_steps,
        probe_interval=config.probe_interval,
        pending_limit=usual.pending_limit if limit is None else limit,
        guard=True if config.guard else None,
    )


def rerun_request(reply: Reply, speculation: SpeculationParams) -> GenerationRequest:
    """The reply's request with this speculation, from an empty cache; RequestError as ever.

    A reply without a request has to have begun.
    """
    if reply.request is not None:
        return replace(reply.request, speculation=speculation, reuse=False)
    assert reply.started is not None
    started, config = reply.started, reply.started.config
    cut = len(started.prompt_ids) - started.reply_length
    return GenerationRequest(
        messages=started.messages,
        prompt_ids=None if started.messages else started.prompt_ids[:cut],
        reply_ids=started.prompt_ids[cut:],
        thinking=config.thinking,
        sampling=config.sampling,
        speculation=speculation,
        max_tokens=config.max_tokens,
        stop=config.stop,
        context_limit=config.context_limit,
        kv_bits=4 if config.kv_bits == 4 else 8 if config.kv_bits == 8 else None,
        num_alternatives=NUM_ALTERNATIVES,
        prefill_chunk=config.prefill_chunk,
        reuse=False,
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Rerun", text)
