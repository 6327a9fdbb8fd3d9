"""Token for token the same as plain decoding: every architecture, rollback, length and outcome.

Drafters that are always right, always wrong, and scripted through every number of accepted drafts,
on random models of mlx-lm's own classes and caches; afterwards the caches must give the logits that
running the text one token at a time gives.
"""

from functools import cache

import numpy as np
import pytest

from engine.model.cache import is_recurrent
from engine.model.loaded_model import LoadedModel
from engine.request import RollbackName, SpeculationParams
from tests.fakes.replies import Run, next_logits, run, sequential_logits
from tests.fakes.scripted_drafter import ScriptedDrafter
from tests.fakes.tiny_configs import CONFIGS, RECURRENT_NAMES, WINDOW
from tests.fakes.tiny_models import tiny_loaded

PROMPT = [5, 17, 3, 42, 8, 8, 23, 11, 30, 2, 9]
NUM_TOKENS = 20
LENGTHS = range(1, 9)
ROLLBACKS: tuple[RollbackName, ...] = ("trim", "discard", "replay", "carry", "local")
ROTATING = ("llama_sliding", "gemma3_text", "gpt_oss", "olmo3", "cohere2", "exaone4")


@cache
def plain(name: str) -> tuple[LoadedModel, list[int], np.ndarray]:
    model = tiny_loaded(name)
    reply = run(model, PROMPT, max_tokens=NUM_TOKENS)
    assert len(reply.ids) == NUM_TOKENS
    assert reply.finished.stats.forwards == NUM_TOKENS
    return model, reply.ids, sequential_logits(model, [*PROMPT, *reply.ids])


def scripts(length: int) -> dict[str, list[int]]:
    return {
        "always right": [length],
        "always wrong": [0],
        "every number accepted": [*range(length + 1), -1],
    }


def check_counts(reply: Run, script: str, rollback: RollbackName) -> None:
    stats = reply.finished.stats
    assert stats.drafted > 0
    if script == "always wrong":
        assert stats.accepted == 0
    else:
        assert stats.accepted > 0
    if rollback != "replay":
        assert stats.forwards <= stats.emitted
    if script == "always right" and rollback != "trim":
        assert all(step.rollback is None for step in reply.steps)


@pytest.mark.tiny_model
@pytest.mark.parametrize("rollback", ROLLBACKS)
@pytest.mark.parametrize("name", CONFIGS)
def test_ids_and_caches_equal_plain_decoding(name: str, rollback: RollbackName) -> None:
    model, truth, expected = plain(name)
    num_partial = 0
    for length in LENGTHS:
        params = SpeculationParams(draft_length=length, rollback=rollback)
        for script, outcomes in scripts(length).items():
            drafter = ScriptedDrafter(truth, len(PROMPT), outcomes, model.info.vocabulary_size)
            reply = run(model, PROMPT, params, drafter=drafter, max_tokens=NUM_TOKENS)
            where = f"{name}, {rollback}, length {length}, {script}"
            assert reply.ids == truth, where
            check_counts(reply, script, rollback)
            num_partial += reply.finished.health.pld_ssm_replay.attempts
            logits = next_logits(model, reply.context)
            scale = np.abs(expected).max()
            assert np.abs(logits - expected).max() <= 2e-4 * scale, where
    if rollback in ("replay", "carry", "local"):
        assert num_partial > 0


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", ROTATING)
def test_auto_trims_before_the_wrap_and_is_local_past_it(name: str) -> None:
    model, truth, expected = plain(name)
    assert model.info.local_refusal is None
    drafter = ScriptedDrafter(truth, len(PROMPT), [1, 0, 2, 3], model.info.vocabulary_size)
    params = SpeculationParams(draft_length=3)
    reply = run(model, PROMPT, params, drafter=drafter, max_tokens=NUM_TOKENS)
    assert reply.ids == truth
    assert reply.finished.stats.forwards <= reply.finished.stats.emitted
    rolled_back = [(step.position, step.rollback) for step in reply.steps if step.rollback]
    before = {strategy for position, strategy in rolled_back if position + 3 < WINDOW}
    past = {strategy for position, strategy in rolled_back if position + 3 >= WINDOW}
    assert before == {"trim"}
    assert past == {"local"}
    logits = next_logits(model, reply.context)
    assert np.abs(logits - expected).max() <= 2e-4 * np.abs(expected).max()


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", RECURRENT_NAMES)
def test_auto_is_local_on_recurrent_models(name: str) -> None:
    model, truth, _ = plain(name)
    drafter = ScriptedDrafter(truth, len(PROMPT), [1, 0, 2], model.info.vocabulary_size)
    params = SpeculationParams(draft_length=3)
    reply = run(model, PROMPT, params, drafter=drafter, max_tokens=NUM_TOKENS)
    assert reply.ids == truth
    assert reply.started.config.rollback == "local"
    assert {step.rollback for step in reply.steps if step.rollback} == {"local"}
    assert all(len(step.pending) == 1 for step in reply.steps)


@pytest.mark.tiny_model
@pytest.mark.parametrize(
    "name", ["qwen3_next", "mamba2", "rwkv7", "lfm2", "falcon_h1", "gemma3_text"]
)
def test_a_prompt_of_one_token_is_local_too(name: str) -> None:
    """The first block meets empty caches."""
    model, _, _ = plain(name)
    prompt = PROMPT[:1]
    truth = run(model, prompt, max_tokens=NUM_TOKENS).ids
    for length in (2, 5):
        for script in ([0], [1], [1, 0, 2, -1]):
            drafter = ScriptedDrafter(truth, 1, script, model.info.vocabulary_size)
            params = SpeculationParams(draft_length=length, rollback="local")
            reply = run(model, prompt, params, drafter=drafter, max_tokens=NUM_TOKENS)
            assert reply.ids == truth
            assert reply.steps[0].rollback == "local"


@pytest.mark.tiny_model
def test_the_architectures_cover_every_cache_class() -> None:
    entries = {name: tiny_loaded(name).make_caches() for name in CONFIGS}
    classes = {type(leaf).__name__ for caches in entries.values() for leaf in caches}
    assert {"KVCache", "RotatingKVCache", "ArraysCache", "CacheList", "ChunkedKVCache"} <= classes
    assert len(entries) >= 14
    assert sum(is_recurrent(caches) for caches in entries.values()) >= 8
