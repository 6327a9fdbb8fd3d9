"""The cost by width: ordered, and what follows from it for prefill; and models without numbers."""

import mlx.core as mx
import pytest

from engine.model.cache import Caches
from engine.model.cost import (
    NoNumbersError,
    check_numbers,
    is_hopeless,
    prefill_chunk,
    timed_forward,
    width_seconds,
)
from engine.model_info import Probe, WidthProbe
from tests.fakes.counting_model import counting_loaded


def probe_of(seconds: dict[int, float]) -> Probe:
    widths = (WidthProbe(width, True, 0.0, 1.0, spent) for width, spent in seconds.items())
    return Probe(tuple(widths), 24, "0", "cpu", is_cached=False)


def test_wider_is_never_cheaper() -> None:
    measured = probe_of({1: 0.05, 2: 0.09, 4: 0.07, 8: 0.08})
    assert width_seconds(measured) == {1: 0.05, 2: 0.07, 4: 0.07, 8: 0.08}


def test_a_timed_forward_is_a_forward() -> None:
    model = counting_loaded(recurrent=True)
    caches = Caches(model.make_caches())
    logits, seconds = timed_forward(model.model, caches, [3, 1, 4])
    assert logits.shape == (3, model.info.vocabulary_size)
    assert seconds > 0
    assert caches.entries[0].offset == 3


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_model_without_numbers_is_refused(value: float) -> None:
    with pytest.raises(NoNumbersError):
        check_numbers(mx.full((2, 8), value))
    with pytest.raises(NoNumbersError):
        check_numbers(mx.array([[0.0, 1.0], [0.0, float("nan")]]))


def test_a_masked_vocabulary_is_no_fault() -> None:
    check_numbers(mx.array([[0.0, -float("inf")]]))


def test_a_block_that_costs_nearly_its_tokens_is_hopeless() -> None:
    assert is_hopeless(4, seconds=3.3, plain_seconds=1.0)
    assert not is_hopeless(4, seconds=3.1, plain_seconds=1.0)
    assert not is_hopeless(1, seconds=1.0, plain_seconds=1.0)


@pytest.mark.parametrize(
    ("seconds", "chunk"),
    [({}, 512), ({1: 0.025, 2: 0.045}, 32), ({1: 0.02, 16: 0.03}, 512), ({1: 2.0, 2: 4.0}, 16)],
)
def test_a_slow_machine_prefills_in_shorter_blocks(seconds: dict[int, float], chunk: int) -> None:
    assert prefill_chunk(seconds) == chunk
