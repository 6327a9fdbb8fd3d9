"""A chat template's switch for thinking: found, set, left alone, and the same in what is kept."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from jinja2 import Environment

from engine.events import Started
from engine.generate import generate
from engine.model.boundaries import find_boundaries
from engine.model.loaded_model import LoadedModel
from engine.model.prompt import ChatTemplate
from engine.model.template_source import has_thinking_switch
from engine.request import GenerationRequest, Message, SpeculationParams
from tests.engine.model.test_prompt import CHATML, tokenizer_with
from tests.fakes.toy_tokenizer import toy_tokenizer

# As Qwen's do: a closed thought where none is wanted, an open one where one is.
SWITCHED = CHATML + (
    "{% if add_generation_prompt %}{% if enable_thinking is defined and enable_thinking is false %}"
    "<think>\n\n</think>\n\n{% elif enable_thinking is defined %}<think>\n{% endif %}{% endif %}"
)
ALWAYS = CHATML + "{% if add_generation_prompt %}<think>\n{% endif %}"
PLAIN = SpeculationParams(enabled=False)
HELLO = Message("user", "Hello")
ENDS = {None: "<assistant>", False: "</think>\n\n", True: "<think>\n"}


@pytest.mark.parametrize("thinking", ENDS)
def test_the_switch_reaches_the_template_and_none_leaves_it_alone(thinking: bool | None) -> None:
    tokenizer = tokenizer_with(SWITCHED)
    template = ChatTemplate(tokenizer)
    assert template.has_thinking_switch
    ids = template.render([HELLO], thinking).ids
    assert tokenizer.decode(list(ids)).endswith(ENDS[thinking])


@pytest.mark.parametrize("template", [CHATML, ALWAYS, None])
def test_a_template_without_a_switch_is_told_nothing(template: str | None) -> None:
    chat = ChatTemplate(tokenizer_with(template))
    assert not chat.has_thinking_switch
    assert {chat.render([HELLO], wish).ids for wish in ENDS} == {chat.render([HELLO]).ids}
    assert chat.effective_thinking(True) is None


@pytest.mark.parametrize(
    ("source", "has_it"),
    [
        (SWITCHED, True),
        ("{# enable_thinking #}" + CHATML, False),
        ("enable_thinking" + CHATML, False),
        ({"default": CHATML, "tool_use": SWITCHED}, False),
        ({"default": SWITCHED, "tool_use": CHATML}, True),
        ("{% if enable_thinking", True),
        ("{% 'open", False),
        (None, False),
    ],
)
def test_a_switch_is_a_name_that_is_asked_for(source: Any, has_it: bool) -> None:
    assert has_thinking_switch(source) == has_it


def test_a_renderer_is_told_where_it_knows_the_switch() -> None:
    told: list[dict[str, Any]] = []

    def renderer(turns: Sequence[dict[str, str]], **options: Any) -> str:
        told.append(options)
        return "".join(turn["content"] for turn in turns)

    for knows in (True, False):
        ChatTemplate(toy_tokenizer(), renderer, renderer_switches=knows).render([HELLO], True)
    usual = {"add_generation_prompt": True}
    assert told[-3:].count(usual | {"enable_thinking": True}) == 1
    assert told[-1] == usual


def thinker(turns: Sequence[dict[str, str]], **options: Any) -> str:
    """Opens a thought unless told not to; takes thoughts out of earlier turns."""
    text = "".join(f"{turn['role'][0]}:{turn['content']}\n" for turn in turns)
    return text + ("a:" if options.get("enable_thinking") is False else "a:?-?-")


def test_boundaries_are_looked_for_with_the_prompts_own_switch() -> None:
    template = ChatTemplate(toy_tokenizer(), thinker, renderer_switches=True)
    asked = (Message("system", "be brief"), Message("user", "hello"))
    start, opened = len("s:be brief\nu:"), len("s:be brief\nu:hello\na:")
    for thinking, places in ((True, (start, opened)), (None, (start, opened)), (False, (start,))):
        prompt = template.render(asked, thinking).ids
        assert find_boundaries(template, asked, prompt, thinking) == places


def opening(model: LoadedModel, **changes: Any) -> Started:
    request = GenerationRequest((HELLO,), max_tokens=1, speculation=PLAIN, **changes)
    events = generate(model, request, job=1, is_cancelled=lambda: False)
    return next(event for event in events if isinstance(event, Started))


def test_a_reply_says_what_was_told_and_whether_it_begins_in_a_thought(demo: LoadedModel) -> None:
    source = Environment(autoescape=False).from_string(SWITCHED)

    def renderer(turns: Sequence[dict[str, str]], **options: Any) -> str:
        return source.render(messages=turns, **options)

    template = ChatTemplate(demo.tokenizer, renderer, renderer_switches=True)
    model = replace(demo, template=template)
    for thinking, opens in ((True, True), (False, False), (None, False)):
        started = opening(model, thinking=thinking)
        assert (started.config.thinking, started.opens_thinking) == (thinking, opens)
        assert started.prompt_text.endswith(ENDS[thinking])
    # What the reply has said since is no part of the prompt.
    said = tuple(demo.tokenizer.encode("Hm, so</think>", add_special_tokens=False))
    started = opening(model, thinking=True, reply_ids=said)
    assert started.opens_thinking
    assert started.reply_text == "Hm, so</think>"
    ready = opening(demo, prompt_ids=started.prompt_ids[: -len(said)], thinking=True)
    assert (ready.opens_thinking, ready.config.thinking) == (True, None)


def test_the_demo_model_has_no_switch_and_is_told_nothing(demo: LoadedModel) -> None:
    assert not demo.info.has_thinking_switch
    started = opening(demo, thinking=True)
    assert (started.config.thinking, started.opens_thinking) == (None, False)
