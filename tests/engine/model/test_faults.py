"""Which faults of the libraries become sentences, and that none of them holds on to anything."""

import weakref
from contextlib import suppress

import pytest

from engine.errors import TemplateError, TokenizerError
from engine.model.faults import Translated
from engine.model.prompt import ChatTemplate
from tests.engine.model.test_prompt import HELLO, NO_SYSTEM, SYSTEM, tokenizer_with


class PanicException(BaseException):
    """Stands for `pyo3_runtime.PanicException`, which cannot be imported."""


@pytest.mark.parametrize(
    "fault", [PanicException("index out of range"), UnboundLocalError("x"), Exception("bad file")]
)
def test_a_fault_of_a_library_becomes_the_sentence(fault: BaseException) -> None:
    damaged = Translated(TokenizerError, "It is damaged.")
    with pytest.raises(TokenizerError, match=r"^It is damaged\.$") as caught, damaged:
        raise fault
    assert type(fault).__name__ in caught.value.details


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), StopIteration()])
def test_others_pass(fault: BaseException) -> None:
    with pytest.raises(type(fault)), Translated(TokenizerError, "It is damaged."):
        raise fault


@pytest.mark.parametrize(
    "template", [NO_SYSTEM, "{{ raise_exception('Never') }}", "{{ messages.x.y }}", "{{ messages"]
)
def test_what_a_template_refuses_keeps_no_caller_alive(template: str) -> None:
    """Nobody collects garbage here; a caller's frame has a model and its caches in it."""

    class Held:
        pass

    def refused() -> "weakref.ref[Held]":
        held = Held()
        with suppress(TemplateError):
            ChatTemplate(tokenizer_with(template)).render([SYSTEM, HELLO])
        return weakref.ref(held)

    assert refused()() is None
