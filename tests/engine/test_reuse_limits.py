"""When caches are not kept or not taken, what is reported, and that memory does not grow."""

import gc
from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models import llama
from mlx_lm.models.cache import KVCache

from engine import EngineWorker, Failed, Loaded, RequestError, Unloaded
from engine.errors import RollbackError
from engine.events import Event, Finished, Notice, Started
from engine.generate import generate
from engine.model.cache import Caches
from engine.model.loaded_model import LoadedModel
from engine.request import GenerationRequest, SpeculationParams
from tests.fakes.counting_model import VOCABULARY, CountingModel, counting_loaded
from tests.fakes.loaded import stand_in
from tests.fakes.replies import Run, run
from tests.fakes.scripted_drafter import ScriptedDrafter
from tests.fakes.talk import Talk, after
from tests.fakes.tiny_models import tiny_loaded

PROMPT = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
PATIENCE_SECONDS = 60


@pytest.fixture(params=[False, True], ids=["attention", "recurrent"])
def model(request: pytest.FixtureRequest) -> LoadedModel:
    return counting_loaded(recurrent=request.param)


def reused(reply: Run) -> int:
    return reply.started.reused


def test_reuse_switched_off_takes_nothing_and_keeps_nothing(model: LoadedModel) -> None:
    first = run(model, PROMPT, reuse=True)
    kept = model.prefixes.report()
    assert first.finished.kept == kept
    assert kept.num_conversations == 1
    off = run(model, PROMPT)
    assert (reused(off), off.finished.kept, off.ids) == (0, None, first.ids)
    assert model.prefixes.report() == kept
    assert reused(run(model, PROMPT, reuse=True)) == len(PROMPT) - 1


def test_no_budget_turns_reuse_off(model: LoadedModel) -> None:
    model.prefixes.resize(0)
    replies = [run(model, PROMPT, reuse=True) for _ in range(2)]
    assert [reused(reply) for reply in replies] == [0, 0]
    kept = replies[1].finished.kept
    assert kept is not None
    assert (kept.num_conversations, kept.bytes, kept.budget_bytes) == (0, 0, 0)


def test_a_budget_too_small_for_one_conversation_is_said_once(model: LoadedModel) -> None:
    model.prefixes.resize(100)
    replies = [run(model, PROMPT, reuse=True) for _ in range(2)]
    assert [reused(reply) for reply in replies] == [0, 0]
    notices = [[e.sentence for e in r.events if isinstance(e, Notice)] for r in replies]
    assert [len(sentences) for sentences in notices] == [1, 0]
    assert "may be kept" in notices[0][0]


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", ["qwen3", "gemma3_text", "qwen3_5"])
@pytest.mark.parametrize("share", [1.2, 2.5])
def test_under_a_tight_budget_replies_stay_the_same(name: str, share: float) -> None:
    model = tiny_loaded(name)
    one = run(model, PROMPT * 5, reuse=True).finished.kept
    assert one is not None
    model.prefixes.resize(int(one.bytes * share))
    talk = Talk(model)
    texts: list[list[int]] = [[], [], []]
    for i in range(9):
        talk.say([*texts[i % 3], *talk.words()])
        texts[i % 3] = talk.text
    assert model.prefixes.report().bytes <= one.bytes * share


def test_quantised_caches_are_not_reused() -> None:
    arguments = llama.ModelArgs(
        model_type="llama",
        hidden_size=64,
        num_hidden_layers=1,
        intermediate_size=64,
        num_attention_heads=1,
        rms_norm_eps=1e-5,
        vocab_size=VOCABULARY,
        head_dim=64,
    )
    target = llama.Model(arguments)
    target.make_cache = lambda: [KVCache()]
    model = stand_in(target, VOCABULARY)
    request = GenerationRequest(prompt_ids=tuple(PROMPT), kv_bits=8, max_tokens=6)
    for _ in range(2):
        events = list(generate(model, request, job=1, is_cancelled=lambda: False))
        assert next(event for event in events if isinstance(event, Started)).reused == 0
    assert model.prefixes.report().num_conversations == 0


class Breaking(CountingModel):
    """Raises in the forward after `num_good` more."""

    num_good = 10**9

    def __call__(self, inputs: mx.array, *, cache: list[Any]) -> mx.array:
        self.num_good -= 1
        if self.num_good < 0:
            raise RuntimeError("out of memory")
        return super().__call__(inputs, cache=cache)


@pytest.mark.parametrize("num_good", [0, 1, 6])
def test_after_an_exception_the_caches_are_given_up(num_good: int) -> None:
    target = Breaking(recurrent=True)
    model = stand_in(target, VOCABULARY)
    first = run(model, PROMPT, reuse=True)
    text = [*PROMPT, *first.ids, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    target.num_good = num_good
    with pytest.raises(RuntimeError, match="out of memory"):
        run(model, text, reuse=True)
    target.num_good = 10**9
    assert model.prefixes.report().num_conversations == 0
    assert run(model, text, reuse=True).ids == run(model, text).ids


def test_caches_that_did_not_go_back_are_given_up(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = run(model, PROMPT, max_tokens=30).ids

    def broken(*_: object) -> None:
        raise RollbackError("A cache did not go back.")

    drafter = ScriptedDrafter(truth, len(PROMPT), [2, 1, 0], VOCABULARY)
    with monkeypatch.context() as patched:
        patched.setattr(Caches, "trim", broken)
        patched.setattr(Caches, "restore", broken)
        params = SpeculationParams(
            draft_length=2, rollback="carry" if model.info.is_recurrent else "trim"
        )
        reply = run(model, PROMPT, params, drafter=drafter, max_tokens=30, reuse=True)
    assert reply.finished.health.pld_ssm_replay.failures == 1
    assert reply.finished.kept is not None
    assert reply.finished.kept.num_conversations == 0
    again = run(model, PROMPT, max_tokens=30, reuse=True)
    assert (reused(again), again.ids) == (0, truth)


def test_tokens_left_pending_are_caught_up_with_before_the_caches_are_kept() -> None:
    model = counting_loaded(recurrent=True)
    truth = run(model, PROMPT, max_tokens=60).ids
    reply = run(
        model,
        PROMPT,
        SpeculationParams(draft_length=2, rollback="carry"),
        drafter=ScriptedDrafter(truth, len(PROMPT), [0], VOCABULARY),
        max_tokens=60,
        is_cancelled=after(40),
        reuse=True,
        prefill_chunk=64,
    )
    assert len(reply.steps[-1].pending) > 16
    text = [*PROMPT, *reply.ids, 5]
    again = run(model, text, reuse=True)
    assert reused(again) == len(text) - 2
    assert again.ids == run(model, text).ids


def test_a_cancelled_prefill_is_kept_as_far_as_it_got(model: LoadedModel) -> None:
    cut = run(model, PROMPT * 10, is_cancelled=after(1), reuse=True, prefill_chunk=64)
    assert (cut.finished.reason, cut.context.caches.length) == ("cancelled", 64)
    again = run(model, PROMPT * 10, reuse=True)
    assert reused(again) == 64
    assert again.ids == run(model, PROMPT * 10).ids


@pytest.mark.parametrize("cut", [1, 5])
def test_a_stop_string_cut_out_of_the_text_costs_no_more_than_the_slack(
    model: LoadedModel, cut: int
) -> None:
    """The next prompt lacks the end of what was emitted."""
    first = run(model, PROMPT, max_tokens=50, reuse=True)
    prompt = [*PROMPT, *first.ids[:-cut], 30, 30, 30]
    again = run(model, prompt, reuse=True)
    assert len(prompt) - 1 - reused(again) <= 3 + 16
    assert again.ids == run(model, prompt).ids


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", ["qwen3", "gemma3_text", "falcon_h1"])
def test_fifty_replies_hold_no_more_than_ten(name: str) -> None:
    model = tiny_loaded(name)
    model.prefixes.resize(2**19)
    talk = Talk(model)

    def ask(num_replies: int) -> int:
        """That many replies; the memory then in use."""
        for i in range(num_replies):
            text = talk.text if len(talk.text) < 200 else []
            prompt = talk.prompt if i % 3 == 2 and text else [*text, *talk.words()]
            reply = run(model, prompt, reuse=True, max_tokens=16)
            talk.text, talk.num_prompt = [*prompt, *reply.ids], len(prompt)
        del reply
        gc.collect()
        return mx.get_active_memory()

    after_ten = ask(10)
    assert ask(50) - after_ten < 2**19
    assert model.prefixes.report().bytes <= 2**19


def last(worker: EngineWorker, job: int, seen: Callable[[Event], None] = lambda _: None) -> Event:
    while True:
        event = worker.events.get(timeout=PATIENCE_SECONDS)
        assert event.job == job
        seen(event)
        if isinstance(event, Loaded | Finished | Failed | Unloaded):
            return event


@pytest.mark.parametrize("budget", [None, 0])
def test_the_worker_keeps_conversations_within_its_budget(budget: int | None) -> None:
    before = mx.get_active_memory()
    worker = EngineWorker(reuse_budget_bytes=budget)
    try:
        assert isinstance(last(worker, worker.load("demo")), Loaded)
        request = GenerationRequest(prompt_ids=tuple(range(100, 120)), max_tokens=4)
        finished = [last(worker, worker.generate(request)) for _ in range(2)]
        for reply, num_reused in zip(finished, [0, 0 if budget == 0 else 19], strict=True):
            assert isinstance(reply, Finished)
            assert reply.stats.reused_tokens == num_reused
            assert reply.kept is not None
            assert reply.kept.num_conversations == (0 if budget == 0 else 1)
            assert (reply.kept.budget_bytes == 0) == (budget == 0)
        assert isinstance(last(worker, worker.unload()), Unloaded)
        assert mx.get_active_memory() <= before + 2**16
    finally:
        worker.close(PATIENCE_SECONDS)


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(RequestError, match="negative"):
        EngineWorker(reuse_budget_bytes=-1)
