"""A whole reply: limits, cancelling, standing down, failures, and the pipelined plain lane."""

from dataclasses import replace
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models import llama
from mlx_lm.models.cache import KVCache

from engine.errors import RequestError, RollbackError, TokenizerError
from engine.events import (
    Event,
    Finished,
    Notice,
    PrefillProgress,
    SpeculationChanged,
    Started,
    Stepped,
)
from engine.generate import generate, prepare
from engine.model.cache import Caches
from engine.model.loaded_model import LoadedModel
from engine.request import GenerationRequest, Message, SamplingParams, SpeculationParams
from tests.fakes.counting_model import VOCABULARY, counting_loaded
from tests.fakes.loaded import stand_in
from tests.fakes.replies import next_logits, run, sequential_logits
from tests.fakes.scripted_drafter import ScriptedDrafter
from tests.fakes.tiny_models import tiny_loaded

PROMPT = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]


def never() -> bool:
    return False


@pytest.fixture(params=[False, True], ids=["attention", "recurrent"])
def model(request: pytest.FixtureRequest) -> LoadedModel:
    return counting_loaded(recurrent=request.param)


def always_right(model: LoadedModel, num_tokens: int = 60) -> ScriptedDrafter:
    truth = run(model, PROMPT, max_tokens=num_tokens).ids
    return ScriptedDrafter(truth, len(PROMPT), [99], VOCABULARY)


@pytest.mark.parametrize("max_tokens", range(1, 12))
def test_a_block_never_passes_max_tokens(model: LoadedModel, max_tokens: int) -> None:
    drafter = always_right(model)
    reply = run(
        model, PROMPT, SpeculationParams(draft_length=5), drafter=drafter, max_tokens=max_tokens
    )
    assert len(reply.ids) == max_tokens
    assert reply.finished.reason == "max_tokens"
    assert reply.context.caches.length < len(PROMPT) + max_tokens


@pytest.mark.parametrize("room", range(1, 9))
def test_a_block_never_passes_the_context(model: LoadedModel, room: int) -> None:
    request = GenerationRequest(
        prompt_ids=tuple(PROMPT),
        speculation=SpeculationParams(draft_length=4),
        context_limit=len(PROMPT) + room,
    )
    reply, _ = prepare(model, request, job=1, drafter=always_right(model))
    finished = list(reply.run(never))[-1]
    assert isinstance(finished, Finished)
    assert finished.reason == "context_full"
    assert finished.stats.emitted == room


@pytest.mark.parametrize("index", range(14))
def test_eos_ends_the_reply_wherever_in_a_block_it_falls(model: LoadedModel, index: int) -> None:
    unstopped = run(model, PROMPT, max_tokens=40).ids
    stopping = replace(model, stop_ids=frozenset({unstopped[index]}))
    expected = unstopped[: unstopped.index(unstopped[index]) + 1]
    drafter = ScriptedDrafter(unstopped, len(PROMPT), [99], VOCABULARY)
    reply = run(stopping, PROMPT, SpeculationParams(draft_length=6), drafter=drafter, max_tokens=40)
    assert reply.ids == expected
    assert reply.finished.reason == "eos"
    assert reply.finished.stats.accepted > 0 or len(expected) == 1
    assert reply.context.caches.length <= len(PROMPT) + len(expected)


def test_cancel_takes_effect_within_one_step(model: LoadedModel) -> None:
    request = GenerationRequest(prompt_ids=tuple(PROMPT), max_tokens=50)
    events: list[Event] = []

    def is_cancelled() -> bool:
        return sum(isinstance(event, Stepped) for event in events) == 3

    events.extend(generate(model, request, job=1, is_cancelled=is_cancelled))
    assert sum(isinstance(event, Stepped) for event in events) == 3
    assert isinstance(events[-1], Finished)
    assert events[-1].reason == "cancelled"


def test_cancel_during_prefill_between_chunks(model: LoadedModel) -> None:
    request = GenerationRequest(prompt_ids=tuple(PROMPT * 5), prefill_chunk=4, max_tokens=5)
    events: list[Event] = []

    def is_cancelled() -> bool:
        return any(isinstance(event, PrefillProgress) and event.processed == 8 for event in events)

    events.extend(generate(model, request, job=1, is_cancelled=is_cancelled))
    progress = [event.processed for event in events if isinstance(event, PrefillProgress)]
    assert progress == [0, 4, 8]
    assert isinstance(events[-1], Finished)
    assert (events[-1].reason, events[-1].stats.emitted) == ("cancelled", 0)


def test_events_come_in_order_and_prefill_leaves_the_last_token(model: LoadedModel) -> None:
    request = GenerationRequest(prompt_ids=tuple(PROMPT), prefill_chunk=4, max_tokens=3)
    events = list(generate(model, request, job=7, is_cancelled=never))
    assert [event.job for event in events] == [7] * len(events)
    kinds = [type(event) for event in events]
    assert kinds == [PrefillProgress] * 4 + [Started] + [Stepped] * 3 + [Finished]
    first = next(event for event in events if isinstance(event, Stepped)).record
    assert (first.position, first.pending) == (len(PROMPT), (PROMPT[-1],))


def test_one_token_prompt(model: LoadedModel) -> None:
    assert len(run(model, [4], max_tokens=6).ids) == 6


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "prompt fills the context": ({"prompt_ids": (1,) * 512}, "512 tokens long"),
    "limit past the model": ({"context_limit": 513}, "no further than 512"),
    "draft longer than context": (
        {"speculation": SpeculationParams(draft_length=512)},
        "draft length is 512",
    ),
    "unknown prompt id": ({"prompt_ids": (1, VOCABULARY)}, f"0 to {VOCABULARY - 1}"),
    "unknown excluded id": (
        {"speculation": SpeculationParams(extra_excluded=(999,))},
        "Token id 999",
    ),
}


@pytest.mark.parametrize(("change", "sentence"), BAD.values(), ids=BAD.keys())
def test_what_does_not_fit_the_model(
    model: LoadedModel, change: dict[str, Any], sentence: str
) -> None:
    request = replace(GenerationRequest(prompt_ids=tuple(PROMPT)), **change)
    with pytest.raises(RequestError, match=sentence):
        list(generate(model, request, job=1, is_cancelled=never))


def test_a_tokenizer_larger_than_the_model_is_caught_before_it_is_run() -> None:
    model = counting_loaded(recurrent=True)
    request = GenerationRequest(messages=(Message("user", "Zzz.-?!"),), max_tokens=3)
    with pytest.raises(TokenizerError, match="do not belong together"):
        list(generate(model, request, job=1, is_cancelled=never))


def test_fallbacks_are_said_and_effective() -> None:
    model = counting_loaded(recurrent=True)
    for rollback, sentence in [("trim", "cannot be trimmed"), ("local", "no adapter for")]:
        params = SpeculationParams(rollback=rollback, draft_length=2)  # type: ignore[arg-type]
        request = GenerationRequest(prompt_ids=tuple(PROMPT), speculation=params, max_tokens=8)
        events = list(generate(model, request, job=1, is_cancelled=never))
        assert any(isinstance(e, Notice) and sentence in e.sentence for e in events)
        started = next(event for event in events if isinstance(event, Started))
        assert started.config.rollback == "carry"
        assert started.config.rollback_requested == rollback


def test_replay_off_means_discard_only_where_trim_cannot_help() -> None:
    params = SpeculationParams(replay=False, draft_length=3)
    recurrent, attention = counting_loaded(recurrent=True), counting_loaded(recurrent=False)
    assert run(recurrent, PROMPT, params).started.config.rollback == "discard"
    assert run(attention, PROMPT, params).started.config.rollback == "trim"
    for asked in ("trim", "local"):
        fallback = replace(params, rollback=asked)
        assert run(recurrent, PROMPT, fallback).started.config.rollback == "discard"


@pytest.mark.parametrize("replay", [True, False])
def test_past_its_wrap_a_sliding_window_is_not_trimmed(replay: bool) -> None:
    model = tiny_loaded("gemma3_text")
    truth = run(model, PROMPT, max_tokens=30).ids
    drafter = ScriptedDrafter(truth, len(PROMPT), [1, 0, 2], model.info.vocabulary_size)
    params = SpeculationParams(draft_length=3, replay=replay)
    reply = run(model, PROMPT, params, drafter=drafter, max_tokens=30)
    assert reply.ids == truth
    assert reply.started.config.rollback == "trim"
    early = {step.rollback for step in reply.steps if step.position < 8}
    late = {step.rollback for step in reply.steps if step.position > 20}
    assert early <= {"trim", None}
    assert late - {None} == {"local" if replay else "discard"}


def test_quantised_caches_stand_down_with_a_reason() -> None:
    wide_heads = llama.ModelArgs(
        model_type="llama",
        hidden_size=64,
        num_hidden_layers=2,
        intermediate_size=64,
        num_attention_heads=1,
        rms_norm_eps=1e-5,
        vocab_size=VOCABULARY,
        head_dim=64,
    )
    target = llama.Model(wide_heads)
    target.make_cache = lambda: [KVCache(), KVCache()]
    model = stand_in(target, VOCABULARY)
    request = GenerationRequest(prompt_ids=tuple(PROMPT), kv_bits=8, max_tokens=6)
    events = list(generate(model, request, job=1, is_cancelled=never))
    started = next(event for event in events if isinstance(event, Started))
    assert not started.config.enabled
    assert "quantised" in started.config.reason
    assert all(e.record.origins == ("generated",) for e in events if isinstance(e, Stepped))


def test_excluded_tokens_end_the_draft_and_are_counted(model: LoadedModel) -> None:
    truth = run(model, PROMPT, max_tokens=30).ids
    excluded = truth[3]
    limited = replace(model, excluded_ids=frozenset({excluded}))
    for exclude in (True, False):
        drafter = ScriptedDrafter(truth, len(PROMPT), [99], VOCABULARY)
        params = SpeculationParams(draft_length=4, exclude=exclude)
        reply = run(limited, PROMPT, params, drafter=drafter, max_tokens=30)
        assert reply.ids == truth
        assert (reply.finished.stats.excluded > 0) == exclude
        drafted = {token for step in reply.steps for token in step.draft}
        assert (excluded in drafted) == (not exclude)


def test_a_cache_that_does_not_go_back_costs_drafts_not_the_reply(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = run(model, PROMPT, max_tokens=30).ids

    def broken(*_: object) -> None:
        raise RollbackError("A cache did not go back.")

    monkeypatch.setattr(Caches, "trim", broken)
    monkeypatch.setattr(Caches, "restore", broken)
    drafter = ScriptedDrafter(truth, len(PROMPT), [2, 1, 0], VOCABULARY)
    reply = run(model, PROMPT, SpeculationParams(draft_length=2), drafter=drafter, max_tokens=30)
    assert reply.ids == truth
    assert reply.finished.health.pld_ssm_replay.failures == 1
    changes = [event for event in reply.events if isinstance(event, SpeculationChanged)]
    assert [change.active for change in changes] == [False]


def test_plain_steps_are_pipelined_and_a_queued_forward_is_undone(model: LoadedModel) -> None:
    unstopped = run(model, PROMPT, max_tokens=30).ids
    stopping = replace(model, stop_ids=frozenset({unstopped[9]}))
    model.model.num_forwards = 0
    reply = run(stopping, PROMPT, max_tokens=30)
    num_prefill = sum(isinstance(event, PrefillProgress) for event in reply.events) - 1
    ahead = model.model.num_forwards - num_prefill - reply.finished.stats.forwards
    assert ahead == 1  # queued before the stop was read; run, undone, not counted
    assert reply.context.pending == [unstopped[9]]
    expected = sequential_logits(model, reply.context.tokens)
    assert (next_logits(model, reply.context) == expected).all()


def test_pipelining_enters_and_leaves_speculation_without_a_trace() -> None:
    """Auto length: idle stretches pipeline, drafts take over, ids stay those of plain decoding."""
    model = counting_loaded(recurrent=True)
    truth = run(model, PROMPT, max_tokens=120).ids
    script = [4, -1, -1, -1, -1, -1, 2, 3, 99, -1, -1, -1, -1, 0]
    drafter = ScriptedDrafter(truth, len(PROMPT), script, VOCABULARY)
    reply = run(model, PROMPT, SpeculationParams(), drafter=drafter, max_tokens=120)
    assert reply.ids == truth
    assert reply.finished.stats.accepted > 0
    assert reply.finished.stats.generated > 10
    assert reply.finished.stats.forwards <= 120


def test_auto_length_flushes_a_long_pending_list() -> None:
    model = counting_loaded(recurrent=True)
    truth = run(model, PROMPT, max_tokens=60).ids
    drafter = ScriptedDrafter(truth, len(PROMPT), [0], VOCABULARY)
    params = SpeculationParams(pending_limit=3, min_acceptance=0.0)
    reply = run(model, PROMPT, params, drafter=drafter, max_tokens=60)
    assert reply.ids == truth
    assert max(len(step.pending) for step in reply.steps) <= 4


@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.3])
def test_alternatives_are_recorded_when_asked(model: LoadedModel, temperature: float) -> None:
    request = GenerationRequest(
        prompt_ids=tuple(PROMPT),
        num_alternatives=3,
        max_tokens=20,
        sampling=SamplingParams(temperature=temperature),
        speculation=SpeculationParams(draft_length=3),
    )
    reply, _ = prepare(model, request, job=1, drafter=always_right(model))
    steps = [event.record for event in reply.run(never) if isinstance(event, Stepped)]
    for step in steps:
        assert step.logprobs is not None
        assert step.alternatives is not None
        assert len(step.logprobs) == len(step.alternatives) == len(step.emitted)
        for token, logprob, top in zip(step.emitted, step.logprobs, step.alternatives, strict=True):
            assert len(top) == 3
            assert dict(top).get(token, logprob) == logprob
            assert top[0][1] >= logprob - 1e-6


def test_the_reply_keeps_nothing_of_mlx_in_its_events(model: LoadedModel) -> None:
    reply = run(model, PROMPT, SpeculationParams(draft_length=3), max_tokens=10)
    seen: list[object] = list(reply.events)
    while seen:
        value = seen.pop()
        assert not isinstance(value, mx.array)
        if isinstance(value, (tuple, list)):
            seen.extend(value)
        elif hasattr(value, "__slots__"):
            seen.extend(value.__getattribute__(name) for name in value.__slots__)
