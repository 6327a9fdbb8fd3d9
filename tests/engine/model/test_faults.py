"""Which faults of the libraries become sentences."""

import pytest

from engine.errors import TokenizerError
from engine.model.faults import Translated


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
