"""The embedded model through the shipped code: real weights, tokenizer and partial accepts."""

import pytest

from engine.model.loaded_model import LoadedModel
from engine.request import Message, RollbackName, SamplingParams, SpeculationParams
from engine.terminal.tasks import TASKS
from tests.fakes.replies import Run, run

NUM_TOKENS = 44
TEMPERATURES = (0.0, 0.7, 1.3)


def sampled(model: LoadedModel, temperature: float, speculation: SpeculationParams) -> Run:
    """The task whose drafts are accepted in part, over and over."""
    sampling = SamplingParams(temperature=temperature, seed=11)
    prompt = model.template.render([Message("user", TASKS["partial"].prompt)]).ids
    return run(model, prompt, speculation, sampling=sampling, max_tokens=NUM_TOKENS)


@pytest.fixture(scope="module")
def plain(demo: LoadedModel) -> dict[float, Run]:
    off = SpeculationParams(enabled=False)
    return {temperature: sampled(demo, temperature, off) for temperature in TEMPERATURES}


@pytest.mark.parametrize("rollback", ["replay", "carry", "discard"])
@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_the_same_seed_gives_the_same_text(
    demo: LoadedModel, plain: dict[float, Run], temperature: float, rollback: RollbackName
) -> None:
    reply = sampled(demo, temperature, SpeculationParams(draft_length=5, rollback=rollback))
    truth = plain[temperature]
    assert reply.ids == truth.ids
    assert reply.text == truth.text
    stats, replay = reply.finished.stats, reply.finished.health.pld_ssm_replay
    assert stats.drafted > 0
    assert stats.accepted > 0 or rollback == "discard"
    assert replay.failures == 0
    if rollback != "discard" and temperature == 0.0:
        assert replay.attempts > 0
        assert replay.emitted > replay.attempts
        assert stats.forwards < stats.emitted
