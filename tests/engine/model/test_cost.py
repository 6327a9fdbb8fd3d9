"""The cost by width: there, ordered, and given up early where it tells nothing more."""

from itertools import pairwise
from typing import Any

import mlx.core as mx
import pytest

from engine.model.cost import WIDTHS, NoNumbersError, measure_width_seconds, prefill_chunk
from tests.fakes.counting_model import counting_loaded


@pytest.mark.parametrize("recurrent", [True, False])
def test_wider_is_never_cheaper(recurrent: bool) -> None:
    model = counting_loaded(recurrent=recurrent)
    seconds = measure_width_seconds(model.model, model.make_caches())
    assert set(seconds) <= set(WIDTHS)
    assert all(0 < narrow <= wide for narrow, wide in pairwise(seconds.values()))


def test_cancelled_between_widths() -> None:
    model = counting_loaded(recurrent=False)
    answers = iter([False, False, True])
    seconds = measure_width_seconds(model.model, model.make_caches(), lambda: next(answers))
    assert list(seconds) == list(WIDTHS[:2])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_model_without_numbers_is_refused(value: float) -> None:
    def model(ids: mx.array, cache: list[Any]) -> mx.array:
        assert cache == []
        return mx.full((*ids.shape, 8), value)

    with pytest.raises(NoNumbersError):
        measure_width_seconds(model, [])


@pytest.mark.parametrize(
    ("seconds", "chunk"),
    [({}, 512), ({1: 0.025, 2: 0.045}, 32), ({1: 0.02, 16: 0.03}, 512), ({1: 2.0, 2: 4.0}, 16)],
)
def test_a_slow_machine_prefills_in_shorter_blocks(seconds: dict[int, float], chunk: int) -> None:
    assert prefill_chunk(seconds) == chunk
