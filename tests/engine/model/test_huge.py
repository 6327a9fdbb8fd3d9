"""Figures of any size end as no figure, or as a fault; weights that go, as a sentence."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import memory_need, survey
from engine.errors import WeightsError
from engine.model import load as load_module
from engine.model.model_folder import ModelFolder
from engine.model.recommended import recommended_sampling
from tests.fakes.model_folders import WEIGHTS, demo_folder, edit, load_quietly

HUGE = 10**400
LARGEST = 2**53


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo_folder(tmp_path)


def write_weights(folder: Path, header: dict[str, object], data: bytes = b"") -> None:
    raw = json.dumps(header).encode()
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).write_bytes(len(raw).to_bytes(8, "little") + raw + data)


@pytest.mark.parametrize("shape", [[HUGE], [2**53] * 40, [1] * 10_000, [2**53, 2**53]])
@pytest.mark.parametrize("dtype", ["F4", "BF16", "??"])
def test_a_shape_larger_than_its_bytes_is_a_fault(
    folder: Path, shape: list[int], dtype: str
) -> None:
    write_weights(folder, {"x": {"dtype": dtype, "shape": shape, "data_offsets": [0, 0]}})
    seen = survey(folder)
    assert "contradicts itself" in (seen.fault or "")
    assert seen.num_parameters is None


def test_types_of_few_bits_are_taken(folder: Path) -> None:
    tensor = {"dtype": "F4", "shape": [4, 4], "data_offsets": [0, 8]}
    write_weights(folder, {"layers." + "9" * 5000 + ".x": tensor}, b"12345678")
    seen = survey(folder)
    assert seen.fault is None
    assert seen.num_parameters == 16


@pytest.mark.parametrize(
    "key", ["hidden_size", "head_dim", "num_key_value_heads", "vocab_size", "intermediate_size"]
)
@pytest.mark.parametrize("value", [HUGE, 2**31])
def test_sizes_of_any_length_give_no_figure(folder: Path, key: str, value: int) -> None:
    edit(folder / "config.json", **{key: value, "max_position_embeddings": 2**27})
    seen = survey(folder)
    need = memory_need(seen)
    assert need is None or need.total_bytes <= 2 * LARGEST
    assert all(each.bytes_per_token <= LARGEST for each in seen.layers)


@pytest.mark.parametrize("value", [HUGE, -HUGE, 2**31, -1, 1.5, True])
def test_a_top_k_that_makes_no_sense_is_no_recommendation(value: object) -> None:
    assert recommended_sampling({"top_k": value}) is None
    assert recommended_sampling({"temperature": HUGE, "top_p": -HUGE, "top_k": value}) is None


def test_a_folder_without_a_name_to_show_is_called_by_its_path(tmp_path: Path) -> None:
    blank = tmp_path / "   "
    blank.mkdir()
    assert survey(blank).name == str(blank)


def remove(file: Path) -> None:
    file.unlink()


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


@pytest.mark.parametrize("spoil", [remove, truncate])
@pytest.mark.parametrize("when", ["_build", "_probe"])
def test_weights_that_go_while_they_are_read_are_said(
    folder: Path, spoil: Callable[[Path], None], when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / WEIGHTS
    raw = file.read_bytes()
    file.unlink()  # it may be a link to the demo's own
    file.write_bytes(raw)
    real = getattr(load_module, when)

    def spoiled(*values: object) -> object:
        spoil(file)
        if when == "_probe":
            raise WeightsError("They do not fit.", "from below")
        return real(*values)

    monkeypatch.setattr(load_module, when, spoiled)
    with pytest.raises(WeightsError) as caught:
        load_quietly(folder)
    assert "is gone or cut short; download the model again." in caught.value.sentence
    assert WEIGHTS in caught.value.sentence


def test_weights_that_are_whole_and_do_not_fit_are_not_called_cut(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: ModelFolder) -> None:
        raise WeightsError("They do not fit.")

    monkeypatch.setattr(load_module, "_build", refuse)
    with pytest.raises(WeightsError, match=r"They do not fit\."):
        load_quietly(folder)
