"""Probes on disk: read back as written, for the same model and machine, whole or not at all."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.model.probe_cache import ProbeCache, cache_folder
from engine.model_info import ModelInfo, Probe, WidthProbe
from tests.fakes.counting_model import counting_loaded

PROBE = Probe(
    (WidthProbe(1, True, 0.0, 1.0, 0.05), WidthProbe(6, False, 3.0e38, 0.75, 0.07)),
    24,
    "0.32",
    "cpu",
    is_cached=False,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "config.json").write_text('{"model_type": "llama"}')
    (made / "model.safetensors").write_bytes(b"weights")
    return made


@pytest.fixture
def info(folder: Path) -> ModelInfo:
    return replace(counting_loaded(recurrent=False).info, path=str(folder))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DRAFTSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def path_of(info: ModelInfo) -> Path:
    path = ProbeCache(info).path
    assert path is not None
    return path


def test_what_was_stored_is_read_back_as_cached(info: ModelInfo, cache: Path) -> None:
    assert ProbeCache(info).read() is None
    ProbeCache(info).store(PROBE)
    assert ProbeCache(info).read() == replace(PROBE, is_cached=True)
    assert [file.suffix for file in cache.rglob("*") if file.is_file()] == [".json"]
    later = replace(PROBE, num_positions=64)
    ProbeCache(info).store(later)
    assert ProbeCache(info).read() == replace(later, is_cached=True)


def touched(folder: Path) -> None:
    os.utime(folder / "model.safetensors", ns=(1, 1))


CHANGES = {
    "time": touched,
    "size": lambda folder: (folder / "model.safetensors").write_bytes(b"other weights"),
    "config": lambda folder: (folder / "config.json").write_text('{"model_type": "qwen3"}'),
    "another file": lambda folder: (folder / "adapters.safetensors").touch(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_folder_that_changed_is_another_model(info: ModelInfo, folder: Path, change: Any) -> None:
    ProbeCache(info).store(PROBE)
    change(folder)
    assert ProbeCache(info).read() is None


@pytest.mark.parametrize("changes", [{"device": "gpu"}, {"dtype": "bfloat16"}])
def test_another_device_or_precision_is_another_probe(
    info: ModelInfo, changes: dict[str, str]
) -> None:
    ProbeCache(info).store(PROBE)
    assert ProbeCache(replace(info, **changes)).read() is None


@pytest.mark.parametrize("name", ["mx.__version__", "mlx_lm.__version__"])
def test_another_version_of_the_libraries_is_another_probe(
    info: ModelInfo, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ProbeCache(info).store(PROBE)
    monkeypatch.setattr(f"engine.model.probe_cache.{name}", "99.0")
    assert ProbeCache(info).read() is None


def test_what_tunes_the_arithmetic_counts(info: ModelInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    ProbeCache(info).store(PROBE)
    monkeypatch.setenv("MLX_SOME_SWITCH", "1")
    assert ProbeCache(info).read() is None


def stored(**changes: Any) -> Any:
    def change(value: dict[str, Any]) -> None:
        value["probe"] |= changes

    return change


def in_widths(**changes: Any) -> Any:
    def change(value: dict[str, Any]) -> None:
        value["probe"]["widths"][1] |= changes

    return change


UNSOUND = {
    "no format": lambda value: value.pop("format"),
    "other facts": lambda value: value["facts"].update(device="gpu"),
    "no probe": lambda value: value.pop("probe"),
    "a list for a probe": lambda value: value.update(probe=[]),
    "no widths": stored(widths=[]),
    "widths of another kind": stored(widths=[1, 2]),
    "not from width 1": lambda value: value["probe"]["widths"].pop(0),
    "a width twice": in_widths(width=1),
    "negative width": in_widths(width=-3),
    "a width beyond all": in_widths(width=10**400),
    "hardly any seconds": in_widths(seconds=1e-320),
    "hours": in_widths(seconds=1e9),
    "no positions": stored(num_positions=-1),
    "a width as text": in_widths(width="6"),
    "no seconds": in_widths(seconds=0.0),
    "endless seconds": in_widths(seconds=float("inf")),
    "not a number": in_widths(largest_difference=float("nan")),
    "negative difference": in_widths(largest_difference=-0.5),
    "agreement above one": in_widths(argmax_agreement=1.5),
    "a number for yes": in_widths(is_bit_equal=1),
    "positions as text": stored(num_positions="24"),
    "no version": stored(mlx_version=None),
}


@pytest.mark.parametrize("spoil", UNSOUND.values(), ids=UNSOUND.keys())
def test_what_makes_no_sense_is_not_believed(info: ModelInfo, spoil: Any) -> None:
    ProbeCache(info).store(PROBE)
    path = path_of(info)
    value = json.loads(path.read_text())
    spoil(value)
    path.write_text(json.dumps(value))
    assert ProbeCache(info).read() is None
    ProbeCache(info).store(PROBE)
    assert ProbeCache(info).read() == replace(PROBE, is_cached=True)


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff\xfe\x00", b"[]", b"null", b"[" * 90_000, b"{}" + b" " * 10**6]
)
def test_a_damaged_file_is_not_believed(info: ModelInfo, raw: bytes) -> None:
    ProbeCache(info).store(PROBE)
    path_of(info).write_bytes(raw)
    assert ProbeCache(info).read() is None
    ProbeCache(info).store(PROBE)
    assert ProbeCache(info).read() is not None


def test_a_pipe_in_its_place_is_not_waited_for(info: ModelInfo) -> None:
    path = path_of(info)
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert ProbeCache(info).read() is None


def test_a_folder_that_cannot_be_written_costs_nothing_but_the_cache(
    info: ModelInfo, cache: Path
) -> None:
    cache.write_text("a file where the folder should be")
    ProbeCache(info).store(PROBE)
    assert ProbeCache(info).read() is None
    assert cache.read_text() == "a file where the folder should be"


def test_a_path_that_is_taken_leaves_no_part_behind(info: ModelInfo) -> None:
    path = path_of(info)
    path.mkdir(parents=True)
    ProbeCache(info).store(PROBE)
    assert ProbeCache(info).read() is None
    assert list(path.parent.iterdir()) == [path]


def test_a_model_without_a_folder_is_not_kept(info: ModelInfo, cache: Path) -> None:
    for path in ("", "/no/such/folder"):
        nowhere = ProbeCache(replace(info, path=path))
        nowhere.store(PROBE)
        assert nowhere.read() is None
    assert not cache.exists()


def test_a_broken_link_in_the_folder_is_no_obstacle(info: ModelInfo, folder: Path) -> None:
    (folder / "elsewhere.bin").symlink_to(folder / "not-there")
    ProbeCache(info).store(PROBE)
    assert ProbeCache(info).read() is not None


def test_without_the_variable_it_is_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRAFTSCOPE_CACHE")
    assert cache_folder().name.lower() in ("draftscope", "cache")
    assert cache_folder().is_absolute()
