"""A conversation to prompt ids, through the model's chat template, mended where it refuses."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2.exceptions import TemplateError as JinjaError
from jinja2.exceptions import TemplateSyntaxError
from transformers import PreTrainedTokenizerBase

from engine.errors import TemplateError, TokenizerError
from engine.model.deadline import DeadlineError, deadline
from engine.model.faults import Translated, empty_frames
from engine.model.files import printable
from engine.model.shapes import is_whole, shapes
from engine.model.special_ids import (
    collect_excluded_ids,
    collect_start_ids,
    collect_stop_ids,
)
from engine.model.template_source import THINKING_SWITCH, has_power, has_thinking_switch
from engine.request import Message

__all__ = [
    "ChatTemplate",
    "Rendered",
    "collect_excluded_ids",
    "collect_start_ids",
    "collect_stop_ids",
]

# A template is a program: what its expressions can raise besides jinja's own errors.
_REFUSALS = (
    JinjaError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)

_RENDER_SECONDS = 5.0
_SPARE_CHARACTERS = 4_000_000  # what a template may add, however short the conversation
_NUM_REMEMBERED = 4  # prompts, so that a second reply to one is not rendered again

_SURROGATE_NOTICE = "A broken character in the conversation was replaced by \ufffd."
_PLAIN_NOTICE = (
    "This model has no chat template, so the conversation is sent as plain lines "
    "(User: ..., Assistant: ...)."
)
_LOST_NOTICE = "This model's chat template changed or left out part of the conversation."


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt: its token ids, and a sentence for each thing that had to be mended."""

    ids: tuple[int, ...]
    notices: tuple[str, ...] = ()


class ChatTemplate:
    """Renders conversations for one model; raises `TemplateError` at once on a syntax error.

    `has_thinking_switch` says whether the template can be told to let the model think, or not to.

    Without a template the fallback is the conversation in plain lines: the system text, then
    `User: ...` and `Assistant: ...` in turn, ending in `Assistant:`; a notice says so.
    """

    def __init__(
        self,
        tokenizer: Any,
        renderer: Callable[..., str] | None = None,
        *,
        renderer_switches: bool = False,
    ) -> None:
        """`renderer` stands in for the tokenizer's own template: (messages, **options) -> text.

        `renderer_switches` says that it knows the option `enable_thinking`.
        """
        own = type(tokenizer).apply_chat_template is not PreTrainedTokenizerBase.apply_chat_template
        self._tokenizer = tokenizer
        self._renderer = renderer
        self._remembered: dict[tuple[tuple[Message, ...], bool | None], Rendered] = {}
        self.is_plain = renderer is None and tokenizer.chat_template is None and not own
        self.has_thinking_switch = renderer_switches
        if not self.is_plain:
            self._check_syntax()

    def render(self, messages: Sequence[Message], thinking: bool | None = None) -> Rendered:
        """Prompt ids, with the model's turn opened; `TemplateError` if the template refuses.

        `thinking` is for the template's switch, None leaves it alone; ignored where there is none.
        """
        asked = tuple(messages), self.effective_thinking(thinking)
        if asked not in self._remembered:
            rendered = self._rendered(*asked)
            if len(self._remembered) == _NUM_REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
            self._remembered[asked] = rendered
        return self._remembered[asked]

    def effective_thinking(self, thinking: bool | None) -> bool | None:
        """What of this wish reaches the template: None where it has no switch for it."""
        return thinking if self.has_thinking_switch else None

    def _rendered(self, messages: Sequence[Message], thinking: bool | None) -> Rendered:
        chat, notices = _without_lone_surrogates(messages)
        text, more = (
            self._render_plain(chat) if self.is_plain else self._render_mended(chat, thinking)
        )
        with Translated(TokenizerError, "The model's tokenizer fails on this conversation."):
            ids = self._tokenizer.encode(text, add_special_tokens=self.is_plain)
        return Rendered(tuple(ids), (*notices, *more))

    def _render_plain(self, chat: Sequence[Message]) -> tuple[str, tuple[str, ...]]:
        names = {"system": "", "user": "User: ", "assistant": "Assistant: "}
        lines = [names[message.role] + message.content for message in chat]
        return "\n".join([*lines, "Assistant:"]), (_PLAIN_NOTICE,)

    def _render_mended(
        self, chat: list[Message], thinking: bool | None
    ) -> tuple[str, tuple[str, ...]]:
        refusal: tuple[str, str] | None = None
        lossy: str | None = None
        for shape, notices in shapes(chat):
            try:
                text = self._apply(shape, thinking)
            except _REFUSALS as error:
                # Its words alone, for a frame that keeps an error is in a cycle too.
                refusal = refusal or (str(error), repr(error))
                continue
            if is_whole(text, shape):
                return text, notices
            lossy = lossy or text
        if lossy is not None:
            return lossy, (_LOST_NOTICE,)
        words, details = refusal or ("", "")
        reason = (words.strip().splitlines() or ["no reason given"])[0]
        reason = printable(reason)[:200].rstrip(".!")
        raise TemplateError(
            f"The model's chat template refuses this conversation: {reason}.", details
        )

    def _apply(self, chat: Sequence[Message], thinking: bool | None = None) -> str:
        turns = [{"role": message.role, "content": message.content} for message in chat]
        with _limited():
            text = self._run_template(turns, thinking)
        if len(text) > _SPARE_CHARACTERS + 4 * sum(len(message.content) for message in chat):
            raise TemplateError(
                "The model's chat template makes far too long a prompt; choose another model.",
                f"{len(text)} characters",
            )
        return mended(text)

    def _run_template(self, turns: list[dict[str, str]], thinking: bool | None) -> str:
        options = {"add_generation_prompt": True}
        if thinking is not None:
            options[THINKING_SWITCH] = thinking
        try:
            if self._renderer is not None:
                return self._renderer(turns, **options)
            return str(self._tokenizer.apply_chat_template(turns, tokenize=False, **options))
        except (DeadlineError, *_REFUSALS) as error:
            empty_frames(error)
            raise

    def _check_syntax(self) -> None:
        template = self._tokenizer.chat_template
        with _limited():
            is_dangerous = has_power(template)
            if self._renderer is None:
                self.has_thinking_switch = has_thinking_switch(template)
        if is_dangerous:
            raise TemplateError("The model's chat template computes powers, which it may not.")
        with contextlib.suppress(*_REFUSALS):
            try:
                self._apply([Message("user", "Hello")])
            except TemplateSyntaxError as error:
                raise TemplateError(
                    f"The model's chat template has an error in line {error.lineno}.", str(error)
                ) from error


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    try:
        with deadline(_RENDER_SECONDS):
            yield
    except DeadlineError as error:
        raise TemplateError(
            "The model's chat template does not come to an end; choose another model.",
            f"stopped after {_RENDER_SECONDS} seconds",
        ) from error


def _without_lone_surrogates(messages: Sequence[Message]) -> tuple[list[Message], tuple[str, ...]]:
    chat = []
    notices: tuple[str, ...] = ()
    for message in messages:
        try:
            message.content.encode("utf-8")
            chat.append(message)
        except UnicodeEncodeError:
            content = mended(message.content)
            chat.append(Message(message.role, content))
            if "\ufffd" in content:
                notices = (_SURROGATE_NOTICE,)
    return chat, notices


def mended(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
