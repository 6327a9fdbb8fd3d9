"""A reply after reuse is the reply from scratch, on every architecture, and runs only what is new.

`Talk.say` compares the ids of each reply with the same one in fresh caches, and its counts.
"""

import pytest

from engine.events import Stepped
from engine.generate import generate
from engine.request import GenerationRequest, SpeculationParams
from tests.fakes.counting_model import counting_loaded
from tests.fakes.loaded import stand_in
from tests.fakes.replies import PLAIN, run
from tests.fakes.talk import NUM_TOKENS, Talk, after, num_processed
from tests.fakes.tiny_configs import CONFIGS, VOCABULARY
from tests.fakes.tiny_models import make_tiny, tiny_loaded

# What may be run again besides what is new.
SLACK = 16
FAMILIES = (
    "llama",
    "gemma3_text",
    "llama4",
    "qwen3_5",
    "falcon_h1",
    "recurrent_gemma",
    "baichuan_m1",
    "rwkv7",
)

pytestmark = pytest.mark.tiny_model


def grow(talk: Talk, num_turns: int) -> None:
    """Turns that each run what is new and no more than the slack."""
    for _ in range(num_turns):
        before = talk.text
        prompt = [*before, *talk.words()]
        reply = talk.say(prompt)
        new = len(prompt) - len(before)
        assert num_processed(reply) <= new + SLACK


@pytest.mark.parametrize("name", CONFIGS)
def test_a_conversation(name: str) -> None:
    talk = Talk(tiny_loaded(name))
    grow(talk, 3)
    first_two = talk.prompt

    again = talk.say(talk.prompt, max_tokens=40)
    assert again.started.reused == talk.num_prompt - 1
    assert num_processed(talk.say(talk.text)) <= SLACK

    place = len(first_two) - 5
    edited = [*first_two[:place], *talk.words()]
    assert talk.say(edited).started.reused > 0

    cut = talk.say([*talk.text, *talk.words(30, 30)], is_cancelled=after(2))
    assert talk.text == talk.prompt
    halfway = talk.say(talk.prompt, is_cancelled=after(9))
    assert halfway.started.reused == cut.started.reused + num_processed(cut)
    assert num_processed(talk.say(talk.text)) <= SLACK
    grow(talk, 2)


def prompts_after(text: list[int], talk: Talk, others: list[list[int]]) -> dict[str, list[int]]:
    """What a person may ask next."""
    return {
        "go on": [*text, *talk.words()],
        "continue": text,
        "again": talk.prompt,
        "edit": [*text[: talk.rng.randrange(len(text))], *talk.words()],
        "another": [*text[:8], *talk.words()],
        "back": [*talk.rng.choice([*others, text]), *talk.words()],
    }


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_asked_in_whatever_order(name: str, seed: int) -> None:
    talk = Talk(tiny_loaded(name), seed)
    talk.say(talk.words())
    others: list[list[int]] = []
    for _ in range(12):
        text, was_answered = talk.text, len(talk.text) > talk.num_prompt
        prompts = prompts_after(text, talk, others)
        asked = talk.rng.choice([asked for asked in prompts if len(prompts[asked]) < 400])
        is_cancelled = after(talk.rng.randrange(10)) if talk.rng.random() < 0.3 else lambda: False
        max_tokens = talk.rng.choice([3, NUM_TOKENS])
        reply = talk.say(prompts[asked], max_tokens=max_tokens, is_cancelled=is_cancelled)
        others.append(text)
        if asked in ("go on", "continue") and was_answered:
            new = len(prompts[asked]) - len(text)
            assert len(prompts[asked]) - 1 - reply.started.reused <= new + SLACK


@pytest.mark.parametrize("name", ["llama", "gemma3_text", "qwen3_5"])
def test_the_tenth_turn_of_a_long_conversation(name: str) -> None:
    model = stand_in(make_tiny(name), VOCABULARY, context_length=8192)
    talk = Talk(model)
    text: list[int] = []
    for _ in range(9):
        prompt = [*text, *talk.words(620, 640)]
        turn = run(model, prompt, reuse=True, prefill_chunk=512, max_tokens=NUM_TOKENS)
        assert num_processed(turn) <= len(prompt) - len(text) + SLACK
        text = [*prompt, *turn.ids]
    assert 5500 < len(text) < 6500
    reply = talk.say([*text, *talk.words(20, 20)], prefill_chunk=512)
    assert reply.started.reused >= len(text) - SLACK
    assert num_processed(reply) <= 20 + SLACK
    again = talk.say(talk.prompt, prefill_chunk=512)
    assert num_processed(again) == 0


@pytest.mark.parametrize("recurrent", [False, True])
@pytest.mark.parametrize("speculation", [PLAIN, SpeculationParams()])
def test_another_reply_is_one_forward_from_its_first_token(
    recurrent: bool, speculation: SpeculationParams
) -> None:
    model = counting_loaded(recurrent=recurrent)
    request = GenerationRequest(prompt_ids=tuple(range(20)), speculation=speculation, max_tokens=8)
    list(generate(model, request, job=1, is_cancelled=lambda: False))
    model.model.num_forwards = 0
    events = generate(model, request, job=2, is_cancelled=lambda: False)
    first = next(event for event in events if isinstance(event, Stepped))
    assert (first.record.index, model.model.num_forwards) == (0, 1)
