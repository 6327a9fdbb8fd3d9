"""Reuse between turns as chat templates write them: rewritten turns, shared system prompts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.events import Event, Finished, PrefillProgress, Started, Stepped
from engine.generate import generate
from engine.model.boundaries import find_boundaries
from engine.model.loaded_model import LoadedModel
from engine.model.prompt import ChatTemplate
from engine.model.timeline import common_prefix
from engine.request import GenerationRequest, Message, SpeculationParams
from tests.fakes.tiny_models import tiny_loaded
from tests.fakes.toy_tokenizer import toy_tokenizer

SLACK = 16
FAMILIES = ("qwen3", "gemma3_text", "qwen3_5", "falcon_h1", "llama4")
SYSTEM = Message("system", "be brief and do not talk of the weather")

pytestmark = pytest.mark.tiny_model


def thinking(turns: Iterable[dict[str, str]], **_: Any) -> str:
    """Opens the model's turn with a thought, and takes thoughts (up to !) out of earlier turns."""
    text = "".join(f"{turn['role'][0]}:{turn['content'].split('!')[-1]}\n" for turn in turns)
    return f"{text}a:?-"


def plainly(turns: Iterable[dict[str, str]], **_: Any) -> str:
    return "".join(f"{turn['role'][0]}:{turn['content']}\n" for turn in turns) + "a:"


class Chat:
    """Turns through a template, each reply compared with the one from scratch."""

    def __init__(self, model: LoadedModel) -> None:
        self.model = model
        self.prompt: list[int] = []
        self.text: list[int] = []
        self.num_reused = 0

    def say(self, *messages: Message) -> str:
        events = self._events(messages, reuse=True)
        scratch = self._events(messages, reuse=False)
        ids = emitted(events)
        assert ids == emitted(scratch)
        started = next(event for event in events if isinstance(event, Started))
        self.prompt, self.num_reused = list(started.prompt_ids), started.reused
        self.text = [*self.prompt, *ids]
        assert isinstance(events[-1], Finished)
        spans = [
            span for event in events if isinstance(event, Stepped) for span in event.record.spans
        ]
        return "".join(span.text for span in (*spans, *events[-1].tail))

    def _events(self, messages: Sequence[Message], *, reuse: bool) -> list[Event]:
        request = GenerationRequest(
            messages=tuple(messages),
            max_tokens=20,
            prefill_chunk=32,
            speculation=SpeculationParams(draft_length=3),
            reuse=reuse,
        )
        return list(generate(self.model, request, job=1, is_cancelled=lambda: False))


def emitted(events: Sequence[Event]) -> list[int]:
    return [
        token for event in events if isinstance(event, Stepped) for token in event.record.emitted
    ]


def with_template(name: str, renderer: Any) -> LoadedModel:
    return replace(tiny_loaded(name), template=ChatTemplate(toy_tokenizer(), renderer))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("renderer", [thinking, plainly])
def test_a_template_that_rewrites_earlier_turns_reuses_up_to_the_change(
    name: str, renderer: Any
) -> None:
    chat = Chat(with_template(name, renderer))
    messages = [SYSTEM]
    for i in range(4):
        messages.append(Message("user", f"tell me more about the {'very ' * i}old house, please"))
        before_prompt, before = chat.prompt, chat.text
        reply = chat.say(*messages)
        new = len(chat.prompt) - common_prefix(before, chat.prompt)
        assert len(chat.prompt) - 1 - chat.num_reused <= new + SLACK
        if i and renderer is thinking:
            assert chat.num_reused >= len(before_prompt) - len("?-")
        messages.append(Message("assistant", f"{reply[:8]}!{reply[8:]}"))


@pytest.mark.parametrize("name", FAMILIES)
def test_a_new_chat_reuses_the_system_prompt_and_leaves_the_old_one_whole(name: str) -> None:
    chat = Chat(with_template(name, plainly))
    asked = Message("user", "what is the longest river of all, and where does it flow to")
    said = chat.say(SYSTEM, asked)
    first = chat.text
    chat.say(SYSTEM, Message("user", "name a colour"))
    assert chat.num_reused >= len(f"s:{SYSTEM.content}\nu:")
    chat.say(SYSTEM, asked, Message("assistant", said), Message("user", "and then"))
    assert chat.num_reused >= common_prefix(first, chat.prompt) - SLACK


def test_another_reply_to_the_same_messages_runs_no_prompt_at_all() -> None:
    for name in FAMILIES:
        chat = Chat(with_template(name, thinking))
        asked = (SYSTEM, Message("user", "tell me about the old house"))
        chat.say(*asked)
        assert chat.say(*asked)
        assert chat.num_reused == len(chat.prompt) - 1


def test_progress_counts_what_was_reused_as_done() -> None:
    model = with_template("qwen3_5", plainly)
    request = GenerationRequest(messages=(SYSTEM, Message("user", "hello")), max_tokens=2)
    runs = [list(generate(model, request, job=1, is_cancelled=lambda: False)) for _ in range(2)]
    progress = [[e for e in run if isinstance(e, PrefillProgress)] for run in runs]
    total = progress[0][0].total
    assert [progress[0][0].processed, progress[0][-1].processed] == [0, total]
    assert progress[1] == [PrefillProgress(1, total, total)]


def test_where_prompts_part() -> None:
    asked = (SYSTEM, Message("user", "hello"))
    start = len(f"s:{SYSTEM.content}\nu:")
    for renderer, expected in [
        (thinking, (start, start + len("hello\na:"))),
        (plainly, (start,)),  # the prompt stays whole when another turn follows
    ]:
        template = ChatTemplate(toy_tokenizer(), renderer)
        assert find_boundaries(template, asked, template.render(asked).ids) == expected


def test_a_template_that_refuses_the_other_conversations_names_no_places() -> None:
    def only_once(turns: Iterable[dict[str, str]], **_: Any) -> str:
        turns = list(turns)
        if len(turns) != 2:
            raise ValueError("no")
        return thinking(turns)

    asked = (Message("user", "hello"), Message("assistant", "yes"))
    template = ChatTemplate(toy_tokenizer(), only_once)
    assert find_boundaries(template, asked, template.render(asked).ids) == ()
