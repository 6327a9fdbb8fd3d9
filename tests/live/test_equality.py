"""On a model of yours: the same ids with speculation on and off, whoever drafts, whatever undoes.

The guard is on, as it is by default. `make live MODEL=folder` sets DRAFTSCOPE_LIVE_MODEL; without
it these tests are skipped.
"""

import os
from dataclasses import dataclass
from typing import get_args

import pytest

from engine import (
    DrafterChoice,
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
PLAIN = SpeculationParams(enabled=False)
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
    """What a run emitted, and what it says it did."""

    ids: tuple[int, ...]
    text: str
    rollback: str | None
    accepted: int
    reused: int


@pytest.fixture(scope="module")
def live_model():
    from engine.model.load import load

    return load(MODEL, on_progress=lambda _stage, _fraction: None, is_cancelled=lambda: False)


@pytest.fixture(scope="module")
def plain_replies():
    """Plain replies by (prompt, temperature), filled as they are needed."""
    return {}


def request_for(messages, temperature, speculation, *, reuse=False):
    return GenerationRequest(
        messages=messages,
        sampling=SamplingParams(temperature=temperature, seed=7),
        speculation=speculation,
        max_tokens=MAX_TOKENS,
        reuse=reuse,
    )


def reply_to(model, request, decode=None):
    from engine.generate import generate

    ids, spans, started, finished = [], [], None, None
    for event in (decode or generate)(model, request, job=1, is_cancelled=lambda: False):
        match event:
            case Started():
                started = event
            case Stepped():
                ids.extend(event.record.emitted)
                spans.extend(event.record.spans)
            case Finished():
                finished = event
    assert finished.stats.emitted == len(ids)
    assert finished.health.pld_ssm_replay.failures == 0
    text = "".join(span.text for span in (*spans, *finished.tail))
    return Reply(tuple(ids), text, started.config.rollback, finished.stats.accepted, started.reused)


def spoken_to(model, prompt, temperature, speculation):
    return reply_to(
        model, request_for((Message("user", PROMPTS[prompt]),), temperature, speculation)
    )


def plain_reply(model, plain_replies, prompt, temperature):
    key = (prompt, temperature)
    if key not in plain_replies:
        plain_replies[key] = spoken_to(model, prompt, temperature, PLAIN)
    return plain_replies[key]


def check(reply, truth, what):
    pairs = enumerate(zip(truth.ids, reply.ids, strict=False))
    first = next((at for at, (left, right) in pairs if left != right), None)
    assert reply.ids == truth.ids, f"first difference at token {first} ({what})"


@pytest.mark.parametrize("rollback", get_args(RollbackName))
@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_ids_equal_plain_decoding(live_model, plain_replies, prompt, temperature, rollback):
    params = SpeculationParams(rollback=rollback, draft_length=DRAFT_LENGTH, guard=True)
    spoken = spoken_to(live_model, prompt, temperature, params)
    plain = plain_reply(live_model, plain_replies, prompt, temperature)
    check(spoken, plain, f"ran {spoken.rollback}")


@pytest.mark.parametrize("draft_length", [DRAFT_LENGTH, None])
@pytest.mark.parametrize("drafter", get_args(DrafterChoice))
@pytest.mark.parametrize("prompt", PROMPTS)
def test_ids_are_the_same_whoever_drafts(live_model, plain_replies, prompt, drafter, draft_length):
    params = SpeculationParams(drafter=drafter, draft_length=draft_length, guard=True)
    spoken = spoken_to(live_model, prompt, 0.0, params)
    check(spoken, plain_reply(live_model, plain_replies, prompt, 0.0), drafter)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_plain_ids_are_those_of_mlx_lm(live_model, plain_replies, prompt):
    from engine.reference import reference

    request = request_for((Message("user", PROMPTS[prompt]),), 0.0, PLAIN)
    own = reply_to(live_model, request, reference)
    check(plain_reply(live_model, plain_replies, prompt, 0.0), own, "against mlx-lm")


@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_turn_from_kept_caches_has_the_ids_of_one_from_scratch(live_model, prompt, temperature):
    shipped = SpeculationParams()
    opening = (Message("user", PROMPTS[prompt]),)
    first = reply_to(live_model, request_for(opening, temperature, shipped, reuse=True))
    answer = Message("assistant", first.text)
    turns = (*opening, answer, Message("user", "Write it once more, and change nothing."))
    truth = reply_to(live_model, request_for(turns, temperature, PLAIN))
    for what in ("the second turn", "the same turn again"):
        kept = reply_to(live_model, request_for(turns, temperature, shipped, reuse=True))
        assert kept.reused > 0
        check(kept, truth, what)


def test_a_copy_accepts_drafts(live_model):
    if live_model.info.speculation_refusal is not None:
        pytest.skip(live_model.info.speculation_refusal)
    params = SpeculationParams(draft_length=DRAFT_LENGTH)
    assert spoken_to(live_model, "copy", 0.0, params).accepted > 0
