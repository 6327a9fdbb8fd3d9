"""The probe: what it finds where blocks differ in known ways, how far it goes, what it keeps."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache

from engine.errors import RequestError, WeightsError
from engine.model import cost as cost_module
from engine.model import probe as probe_module
from engine.model.cost import NoNumbersError, width_seconds
from engine.model.load import LoadCancelled, load
from engine.model.loaded_model import LoadedModel
from engine.model.probe import (
    FARTHEST,
    FEWEST_POSITIONS,
    MOST_POSITIONS,
    WIDTHS,
    ProbeCancelled,
    known_or_measured,
    probe,
)
from engine.model_info import Probe, WidthProbe
from tests.fakes.counting_model import counting_loaded
from tests.fakes.loaded import stand_in
from tests.fakes.model_folders import (
    WEIGHTS,
    demo_folder,
    edit_weights,
    load_quietly,
    without_numbers,
)
from tests.fakes.tiny_models import tiny_loaded

VOCABULARY = 12


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAFTSCOPE_CACHE", str(tmp_path / "cache"))


Logits = Callable[[mx.array, int], mx.array]


class BlockModel:
    """Logits are `logits(states, width)`; a state counts tokens, and each block adds `drift`."""

    def __init__(self, logits: Logits, drift: float = 0.0) -> None:
        self._logits = logits
        self._drift = drift
        self.seen: list[int] = []

    def make_cache(self) -> list[Any]:
        return [ArraysCache(size=1)]

    def __call__(self, inputs: mx.array, *, cache: list[Any]) -> mx.array:
        self.seen.extend(inputs[0].tolist())
        width = inputs.shape[1]
        before = cache[0][0] if cache[0][0] is not None else mx.array(0.0)
        # The context is a block in either run, so its drift is in both.
        states = before + mx.arange(1, width + 1) + (self._drift if width > 1 else 0.0)
        cache[0][0] = states[-1]
        return self._logits(states, width)[None]


def flat(states: mx.array, _width: int) -> mx.array:
    return mx.broadcast_to(states[:, None], (states.size, VOCABULARY)) + mx.arange(VOCABULARY)


def block_model(logits: Logits, drift: float = 0.0) -> LoadedModel:
    return stand_in(BlockModel(logits, drift), VOCABULARY)


def measured(model: LoadedModel) -> Probe:
    return probe(model, is_cancelled=lambda: False)


def blocks(found: Probe) -> list[WidthProbe]:
    assert found.widths[0].width == 1
    assert len(found.widths) > 1
    return list(found.widths[1:])


class Clock:
    """Time that passes only when a model runs: `seconds(width)` for each forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: Callable[[int], float]) -> None:
        self.now = 0.0
        self._seconds = seconds
        monkeypatch.setattr(cost_module, "perf_counter", lambda: self.now)
        monkeypatch.setattr(probe_module, "perf_counter", lambda: self.now)

    def model(self) -> LoadedModel:
        def logits(states: mx.array, width: int) -> mx.array:
            self.now += self._seconds(width)
            return flat(states, width)

        return block_model(logits)


@pytest.mark.parametrize("recurrent", [True, False])
def test_exact_arithmetic_is_bit_equal_at_every_width(recurrent: bool) -> None:
    found = measured(counting_loaded(recurrent=recurrent))
    assert [each.width for each in found.widths] == sorted({each.width for each in found.widths})
    assert {each.width for each in found.widths} <= {1, *WIDTHS}
    for each in found.widths:
        assert (each.is_bit_equal, each.largest_difference, each.argmax_agreement) == (True, 0, 1)
        assert each.seconds > 0
    assert FEWEST_POSITIONS <= found.num_positions <= MOST_POSITIONS
    assert not found.is_cached


@pytest.mark.tiny_model
@pytest.mark.parametrize(
    "name", ["qwen3", "qwen3_5", "mamba2", "gemma3_text", "llama4", "falcon_h1"]
)
def test_real_layers_part_by_last_bits_only(name: str) -> None:
    for each in measured(tiny_loaded(name)).widths:
        assert each.largest_difference < 1e-2
        assert each.argmax_agreement > 0.9
        assert each.is_bit_equal == (each.largest_difference == 0)


def test_a_known_difference_is_found_and_its_flips_counted() -> None:
    def biased(states: mx.array, width: int) -> mx.array:
        # Two tokens tie but for 0.125 in favour of token 5; a block favours token 3 by 0.25.
        tied = mx.where(mx.arange(VOCABULARY) == 5, 2.0, 0.0)
        tied = tied + mx.where(mx.arange(VOCABULARY) == 3, 1.875 + 0.25 * (width > 1), 0.0)
        odd = (states % 2 == 1)[:, None]
        return mx.where(odd, tied, flat(states, width))

    found = measured(block_model(biased))
    for each in blocks(found):
        assert (each.is_bit_equal, each.largest_difference) == (False, 0.25)
        assert each.argmax_agreement == pytest.approx(0.5, abs=0.03)
    assert found.widths[0].largest_difference == 0


def test_drift_of_the_caches_adds_up() -> None:
    """Each block leaves 0.5 in the state, so narrow ones have drifted further at the end."""
    found = measured(block_model(flat, drift=0.5))
    for each in blocks(found):
        num_blocks = -(-found.num_positions // each.width)
        assert each.largest_difference == 0.5 * num_blocks


@pytest.mark.parametrize(("in_block", "difference"), [(-mx.inf, 0.0), (mx.nan, FARTHEST)])
def test_infinities_that_are_equal_do_not_differ_and_nan_does(
    in_block: float, difference: float
) -> None:
    def padded(states: mx.array, width: int) -> mx.array:
        # The context is a block too, and must have numbers.
        is_compared = width > 1 and states[0].item() > 16
        value = in_block if is_compared else -mx.inf
        return mx.where(mx.arange(VOCABULARY) == 7, value, flat(states, width))

    for each in blocks(measured(block_model(padded))):
        assert each.largest_difference == pytest.approx(difference)
        assert each.is_bit_equal == (difference == 0)


def test_only_tokens_that_the_model_has_are_run() -> None:
    model = counting_loaded(recurrent=False)
    strict = BlockModel(flat)
    probe(stand_in(strict, VOCABULARY), is_cancelled=lambda: False)
    assert set(strict.seen) <= set(range(VOCABULARY))
    assert len(set(strict.seen)) > 5
    model.tokenizer = _Mute()
    assert measured(model).num_positions >= FEWEST_POSITIONS


class _Mute:
    def encode(self, _text: str, **_: bool) -> list[int]:
        return []


def test_where_blocks_are_cheap_every_width_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(Clock(monkeypatch, lambda width: 0.05 + 0.001 * width).model())
    assert [each.width for each in found.widths] == sorted({1, *WIDTHS})
    assert found.num_positions == FEWEST_POSITIONS
    assert found.widths[-1].seconds == pytest.approx(0.05 + 0.001 * 32)


def test_where_blocks_save_nothing_wide_ones_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, lambda width: 0.01 * width)
    found = measured(clock.model())
    assert [each.width for each in found.widths] == [1, 2, 6]
    assert clock.now < 2.0


def test_wide_blocks_that_cost_too_much_end_the_widening(monkeypatch: pytest.MonkeyPatch) -> None:
    cost = {1: 0.01, 16: 0.2}
    found = measured(Clock(monkeypatch, lambda width: cost.get(width, 0.012)).model())
    assert [each.width for each in found.widths] == [1, 2, 3, 4, 5, 6, 8, 12, 16]


def test_a_very_slow_model_is_measured_at_the_first_widths_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = measured(Clock(monkeypatch, lambda _width: 2.0).model())
    assert [each.width for each in found.widths] == [1, 2, 6]


def test_a_fast_model_is_compared_at_more_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(Clock(monkeypatch, lambda _width: 0.001).model())
    assert found.num_positions == MOST_POSITIONS


def test_a_model_without_numbers_is_refused() -> None:
    nothing = block_model(lambda states, _width: mx.full((states.size, VOCABULARY), mx.nan))
    with pytest.raises(NoNumbersError):
        known_or_measured(nothing, lambda: False)
    # Single tokens may take another path than blocks.
    single = block_model(
        lambda states, width: flat(states, width) if width > 1 else states * mx.nan
    )
    with pytest.raises(NoNumbersError):
        known_or_measured(single, lambda: False)


@pytest.mark.parametrize("after", [0, 3, 10, 40])
def test_it_can_be_cancelled_between_forwards(after: int) -> None:
    model = counting_loaded(recurrent=True)
    before = model.costs
    answers = iter([False] * after)
    with pytest.raises(RequestError, match="cancelled"):
        probe(model, is_cancelled=lambda: next(answers, True))
    assert model.model.num_forwards <= after + 1
    assert model.costs is before
    with pytest.raises(ProbeCancelled):
        known_or_measured(model, lambda: True)


def test_probing_again_refreshes_costs_but_not_what_prefill_follows() -> None:
    model = counting_loaded(recurrent=False)
    model.width_seconds = {1: 1.0, 2: 1.5}
    found = measured(model)
    assert model.width_seconds == {1: 1.0, 2: 1.5}
    assert model.costs.plain_seconds == width_seconds(found)[1]


def test_a_loaded_model_has_its_probe_and_costs_and_the_next_load_remembers(tmp_path: Path) -> None:
    folder = demo_folder(tmp_path)
    first = load_quietly(folder)
    assert first.probe is not None
    assert not first.probe.is_cached
    assert first.width_seconds == width_seconds(first.probe)
    assert first.costs.plain_seconds == first.width_seconds[1]
    second = load_quietly(folder)
    assert second.probe is not None
    assert second.probe.is_cached
    assert second.probe.widths == first.probe.widths
    assert second.width_seconds == first.width_seconds


def test_timings_that_were_disturbed_are_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = counting_loaded(recurrent=False)
    model.info = _with_path(model, demo_folder(tmp_path))
    monkeypatch.setattr(probe_module, "DISTURBED_SHARE", 0.0)
    assert not known_or_measured(model, lambda: False).is_cached
    assert known_or_measured(model, lambda: False).is_cached
    monkeypatch.setattr(probe_module, "DISTURBED_SHARE", 1e9)
    assert not known_or_measured(model, lambda: False).is_cached


def _with_path(model: LoadedModel, folder: Path) -> Any:
    from dataclasses import replace

    return replace(model.info, path=str(folder))


def test_a_remembered_probe_does_not_hide_damaged_weights(tmp_path: Path) -> None:
    folder = demo_folder(tmp_path)
    edit_weights(folder, lambda _header, _data: None)  # the layout that the damage will have too
    load_quietly(folder)
    status = (folder / WEIGHTS).stat()
    edit_weights(folder, without_numbers)
    os.utime(folder / WEIGHTS, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (folder / WEIGHTS).stat().st_size == status.st_size
    with pytest.raises(WeightsError, match="NaN"):
        load_quietly(folder)


def test_loading_can_be_cancelled_while_it_probes(tmp_path: Path) -> None:
    heard: list[str] = []
    with pytest.raises(LoadCancelled):
        load(
            str(demo_folder(tmp_path)),
            on_progress=lambda stage, _share: heard.append(stage),
            is_cancelled=lambda: bool(heard) and heard[-1].startswith("comparing"),
        )
    assert heard[-1] == "comparing blocks with single tokens"
