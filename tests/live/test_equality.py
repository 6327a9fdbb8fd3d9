"""On a model of yours: the same ids with speculation on and off, whatever undoes rejected drafts.

`make live MODEL=folder` sets DRAFTSCOPE_LIVE_MODEL; without it these tests are skipped.
"""

import os
from dataclasses import dataclass
from typing import get_args

import pytest

from engine import (
    Finished,
    GenerationRequest,
    Message,
    RollbackName,
    SamplingParams,
    SpeculationParams,
    Started,
    Stepped,
)

MODEL = os.environ.get("DRAFTSCOPE_LIVE_MODEL", "")

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not MODEL, reason="set DRAFTSCOPE_LIVE_MODEL, or use make live MODEL=..."),
    pytest.mark.timeout(1800),
]

MAX_TOKENS = 64
DRAFT_LENGTH = 4
TEMPERATURES = (0.0, 0.7, 1.3)
PROMPTS = {
    "copy": "Repeat this text exactly: The cat sat on the mat. The cat sat on the hat. "
    "The cat sat on the mat.",
    "rename": "Rename the variable total to amount:\n\ndef add(items):\n    total = 0\n"
    "    for item in items:\n        total = total + item\n    return total\n",
    "records": 'Add a field "ok": true to each record: [{"id": 1, "name": "Ann"}, '
    '{"id": 2, "name": "Bob"}, {"id": 3, "name": "Eve"}]',
    "story": "Tell a short story about a lighthouse.",
}


@dataclass(frozen=True)
class Reply:
    """What a run emitted, and the strategy it says it used."""

    ids: tuple[int, ...]
    rollback: str | None
    accepted: int


@pytest.fixture(scope="module")
def live_model():
    from engine.model.load import load

    return load(MODEL, on_progress=lambda _stage, _fraction: None, is_cancelled=lambda: False)


@pytest.fixture(scope="module")
def plain_replies():
    """Plain replies by (prompt, temperature), filled as they are needed."""
    return {}


def reply_to(model, prompt, temperature, speculation):
    from engine.generate import generate

    request = GenerationRequest(
        messages=(Message("user", PROMPTS[prompt]),),
        sampling=SamplingParams(temperature=temperature, seed=7),
        speculation=speculation,
        max_tokens=MAX_TOKENS,
    )
    ids, rollback, accepted = [], None, 0
    for event in generate(model, request, job=1, is_cancelled=lambda: False):
        match event:
            case Started():
                rollback = event.config.rollback
            case Stepped():
                ids.extend(event.record.emitted)
            case Finished():
                accepted = event.stats.accepted
                assert event.stats.emitted == len(ids)
                assert event.health.pld_ssm_replay.failures == 0
    return Reply(tuple(ids), rollback, accepted)


@pytest.mark.parametrize("rollback", get_args(RollbackName))
@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_ids_equal_plain_decoding(live_model, plain_replies, prompt, temperature, rollback):
    key = (prompt, temperature)
    if key not in plain_replies:
        off = SpeculationParams(enabled=False)
        plain_replies[key] = reply_to(live_model, prompt, temperature, off)
    plain = plain_replies[key]
    params = SpeculationParams(rollback=rollback, draft_length=DRAFT_LENGTH)
    spoken = reply_to(live_model, prompt, temperature, params)
    pairs = enumerate(zip(plain.ids, spoken.ids, strict=False))
    first = next((at for at, (left, right) in pairs if left != right), None)
    assert spoken.ids == plain.ids, f"first difference at token {first} (ran {spoken.rollback})"


def test_a_copy_accepts_drafts(live_model):
    if live_model.info.speculation_refusal is not None:
        pytest.skip(live_model.info.speculation_refusal)
    params = SpeculationParams(draft_length=DRAFT_LENGTH)
    assert reply_to(live_model, "copy", 0.0, params).accepted > 0
