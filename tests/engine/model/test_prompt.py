"""Conversations through chat templates: as they are, mended with a notice, or refused clearly."""

from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from engine.errors import TemplateError
from engine.model import prompt
from engine.model.prompt import (
    ChatTemplate,
    collect_excluded_ids,
    collect_start_ids,
    collect_stop_ids,
)
from engine.request import Message
from tests.engine.model.test_deadline import ENDLESS

CHATML = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% endif %}" + CHATML
)
ALTERNATE = (
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/...') }}"
    "{% endif %}{% endfor %}" + CHATML
)
DROPS_SYSTEM = (
    "{% for m in messages if m.role != 'system' %}<{{ m.role }}>{{ m.content }}</>{% endfor %}"
)

SYSTEM = Message("system", "Be brief.")
HELLO = Message("user", "Hello")
HI = Message("assistant", "Hi!")
MORE = Message("user", "More")


def tokenizer_with(template: str | None, **special: Any) -> Any:
    """One id for one byte, and the chat template under test."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE({c: i for i, c in enumerate(alphabet)}, []))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        chat_template=template,
        clean_up_tokenization_spaces=False,
        **special,
    )


def rendered(template: str | None, *messages: Message) -> tuple[str, tuple[str, ...]]:
    tokenizer = tokenizer_with(template)
    result = ChatTemplate(tokenizer).render(messages)
    return tokenizer.decode(list(result.ids)), result.notices


def test_an_ordinary_conversation_needs_no_notice() -> None:
    text, notices = rendered(CHATML, SYSTEM, HELLO, HI, MORE)
    assert text == ("<system>Be brief.</><user>Hello</><assistant>Hi!</><user>More</><assistant>")
    assert notices == ()


@pytest.mark.parametrize("template", [NO_SYSTEM, DROPS_SYSTEM])
def test_a_system_prompt_the_template_will_not_take_is_folded(template: str) -> None:
    text, notices = rendered(template, SYSTEM, HELLO)
    assert "<user>Be brief.\n\nHello</>" in text
    assert len(notices) == 1
    assert "system prompt" in notices[0]


def test_neighbours_of_one_role_are_merged_where_roles_must_alternate() -> None:
    text, notices = rendered(ALTERNATE, HELLO, MORE, HI, HELLO)
    assert text.startswith("<user>Hello\n\nMore</><assistant>Hi!</><user>Hello</>")
    assert len(notices) == 1
    assert "joined" in notices[0]


def test_folding_and_merging_together() -> None:
    text, notices = rendered(ALTERNATE, SYSTEM, HELLO, MORE)
    assert text.startswith("<user>Be brief.\n\nHello\n\nMore</>")
    assert len(notices) == 2


def test_a_system_prompt_before_an_assistant_turn_becomes_a_user_turn() -> None:
    text, notices = rendered(ALTERNATE, SYSTEM, HI, HELLO)
    assert text.startswith("<user>Be brief.</><assistant>Hi!</><user>Hello</>")
    assert len(notices) == 1


def test_a_refusal_that_cannot_be_mended_is_one_sentence_with_the_reason() -> None:
    template = ChatTemplate(tokenizer_with("{{ raise_exception('No tools on Sundays.\\nNever') }}"))
    with pytest.raises(TemplateError, match=r"refuses this conversation: No tools on Sundays\.$"):
        template.render([HELLO])


@pytest.mark.parametrize("body", ["{{ messages.x.y }}", "{{ 1 / 0 }}", "{{ 'a' + 1 }}"])
def test_a_template_that_breaks_while_it_runs(body: str) -> None:
    template = ChatTemplate(tokenizer_with(body))
    with pytest.raises(TemplateError, match="refuses this conversation") as caught:
        template.render([HELLO])
    assert "\n" not in str(caught.value)
    assert caught.value.details


@pytest.mark.parametrize("body", ["{% if %}", "{{ messages", "{% endfor %}", "{% nonsense %}"])
def test_a_syntax_error_is_found_at_once(body: str) -> None:
    with pytest.raises(TemplateError, match=r"an error in line 2\."):
        ChatTemplate(tokenizer_with("\n" + body))


def test_a_template_cannot_reach_out_of_its_sandbox() -> None:
    reach = "{{ messages.__class__.__mro__[1].__subclasses__() }}"
    with pytest.raises(TemplateError):
        ChatTemplate(tokenizer_with(reach)).render([HELLO])


def test_without_a_template_the_conversation_is_plain_lines_and_says_so() -> None:
    text, notices = rendered(None, SYSTEM, HELLO, HI, MORE)
    assert text == "Be brief.\nUser: Hello\nAssistant: Hi!\nUser: More\nAssistant:"
    assert len(notices) == 1
    assert "no chat template" in notices[0]


def test_a_template_that_leaves_the_message_out_is_reported() -> None:
    _, notices = rendered("<start>", HELLO)
    assert notices == ("This model's chat template changed or left out part of the conversation.",)


def test_lone_surrogates_are_replaced_and_said_so() -> None:
    text, notices = rendered(CHATML, Message("user", "a\ud83db"))
    assert "a\ufffdb" in text
    assert len(notices) == 1
    assert "broken character" in notices[0]


def test_a_surrogate_pair_becomes_its_character_without_a_notice() -> None:
    text, notices = rendered(CHATML, Message("user", "a\ud83d\ude00b"))
    assert "a😀b" in text
    assert notices == ()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (ENDLESS, "does not come to an end"),
        ("{{ 'a ' * 9999999 }}", "far too long a prompt"),
        ("{{ 2 ** 3 }}", "computes powers"),
    ],
)
def test_a_template_without_measure(body: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if body == ENDLESS:
        monkeypatch.setattr(prompt, "_RENDER_SECONDS", 0.2)
    with pytest.raises(TemplateError, match=words):
        ChatTemplate(tokenizer_with(body))


def test_a_template_that_wants_all_memory_refuses() -> None:
    template = ChatTemplate(tokenizer_with("{{ 'a' * 999999999999999 }}"))
    with pytest.raises(TemplateError, match="refuses this conversation"):
        template.render([HELLO])


def test_named_arguments_passed_on_are_no_power() -> None:
    text, _ = rendered("{{ dict(**{'a': 1}).a }}" + CHATML, HELLO)
    assert text.startswith("1<user>")


def test_a_lone_surrogate_of_the_template_is_replaced() -> None:
    text, _ = rendered("{{ '\\ud800' }}" + CHATML, HELLO)
    assert text.startswith("\ufffd<user>Hello")


def test_text_of_a_renderer_in_python() -> None:
    tokenizer = tokenizer_with(None)
    template = ChatTemplate(
        tokenizer, lambda turns, add_generation_prompt: turns[0]["content"] + ">"
    )
    assert tokenizer.decode(list(template.render([HELLO]).ids)) == "Hello>"


def test_a_megabyte_is_rendered_once() -> None:
    lengths: list[int] = []

    def renderer(turns: list[dict[str, str]], *, add_generation_prompt: bool) -> str:
        assert add_generation_prompt
        lengths.append(sum(len(turn["content"]) for turn in turns))
        return "".join(turn["content"] for turn in turns)

    template = ChatTemplate(tokenizer_with(None), renderer)
    chat = [SYSTEM, Message("user", "word " * 200_000)]
    result = template.render(chat)
    assert template.render(chat) is result
    assert len(result.ids) > 1_000_000
    assert sum(length > 1_000_000 for length in lengths) == 1


def test_stop_and_start_ids_come_from_every_place() -> None:
    tokenizer = tokenizer_with(CHATML, eos_token="a", bos_token="b")
    eos, bos = tokenizer.eos_token_id, tokenizer.bos_token_id
    config = {"eos_token_id": [7, 8], "text_config": {"eos_token_id": 9, "bos_token_id": 3}}
    generation = {"eos_token_id": 10, "bos_token_id": None}
    assert collect_stop_ids(tokenizer, (config, generation)) == {7, 8, 9, 10, eos}
    assert collect_start_ids(tokenizer, (config, generation)) == {3, bos}


@pytest.mark.parametrize("value", [None, -1, True, "2", 1.5, {}])
def test_odd_stop_ids_are_left_out(value: Any) -> None:
    assert collect_stop_ids(tokenizer_with(CHATML), ({"eos_token_id": value},)) == frozenset()


def test_excluded_ids_are_media_pad_and_additional_tokens_but_never_stops() -> None:
    tokenizer = tokenizer_with(CHATML, pad_token="p")
    a, b, c, d = tokenizer.convert_tokens_to_ids(list("abcd"))
    config = {
        "image_token_id": 300,
        "video_token_index": 301,
        "boi_token_index": 302,
        "audio_token_ids": [303, 304],
        "hidden_size": 64,
        "num_image_tokens": 5,
        "image_size": 6,
        "mask_token_id": 7,
        "text_config": {"pad_token_id": 305},
        "vision_config": {"vision_start_token_id": 306, "patch_size": 14},
    }
    processor = {"image_token": "a", "image_seq_length": 256}
    own = {
        "additional_special_tokens": ["b", {"content": "c"}, "unknown token"],
        "extra_special_tokens": {"image_token": "d"},
    }
    keep = frozenset({300, c})
    found = collect_excluded_ids(tokenizer, (config, processor), (own,), keep)
    assert found == {*range(301, 307), a, b, d, tokenizer.pad_token_id}
