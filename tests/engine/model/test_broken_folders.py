"""Folders that cannot be used: one sentence from a survey, the same from loading, and no more."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import EngineWorker, Failed, Loaded, survey
from tests.engine.model.test_load_broken import BROKEN, write_weights
from tests.fakes.model_folders import WEIGHTS, demo_folder, edit, edit_weights

PATIENCE_SECONDS = 60
F32 = {"dtype": "F32", "shape": [2, 2]}
TRACE_WORDS = re.compile(r"Traceback|Error:|Exception|NoneType|<class|0x[0-9a-f]{6}|\bself\b")


def kind(model_type: Any, **more: Any) -> Callable[[Path], Any]:
    return lambda f: edit(f / "config.json", model_type=model_type, **more)


def raw_weights(raw: bytes) -> Callable[[Path], Any]:
    return lambda f: ((f / WEIGHTS).unlink(), (f / WEIGHTS).write_bytes(raw))


def two(first: list[int], second: list[int]) -> Callable[[Path], Any]:
    header = {"a": F32 | {"data_offsets": first}, "b": F32 | {"data_offsets": second}}
    return lambda f: write_weights(f, header, bytes(32))


def link(name: str, target: str) -> Callable[[Path], Any]:
    return lambda f: ((f / name).unlink(missing_ok=True), (f / name).symlink_to(target))


def text(name: str, content: str) -> Callable[[Path], Any]:
    return lambda f: (f / name).write_text(content)


def index(content: Any) -> Callable[[Path], Any]:
    return text("model.safetensors.index.json", json.dumps(content))


def only(name: str) -> Callable[[Path], Any]:
    return lambda f: (f / WEIGHTS).rename(f / name)


def packed(method: str, array: str, **more: Any) -> Callable[[Path], Any]:
    def write(folder: Path) -> None:
        packing = {"quant_method": method, "bits": 4, **more}
        edit(folder / "config.json", quantization=None, quantization_config=packing)
        header = {f"model.layers.0.q_proj.{array}": F32 | {"data_offsets": [0, 16]}}
        write_weights(folder, header, bytes(16))

    return write


def dtype_of_all(dtype: str) -> Callable[[Path], Any]:
    def change(header: dict[str, Any], _data: bytearray) -> None:
        for name, entry in header.items():
            if name != "__metadata__":
                entry["dtype"] = dtype

    return lambda folder: edit_weights(folder, change)


def long_header(text: bytes) -> Callable[[Path], Any]:
    return lambda folder: write_weights(folder, text)


# What a survey must see too; the others of BROKEN show when they are loaded.
SEEN: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "model_type a number": ("model_type", kind(7)),
    "model_type empty": ("model_type", kind("")),
    "model_type a path": ("cannot be run", kind("../../trap")),
    "model_type of a module's name": ("cannot be run", kind("llama.Model")),
    "model_type in capitals": ("cannot be run", kind("LLAMA")),
    "model_type with a newline": ("cannot be run", kind("a\nb")),
    "model_type that ends the process": ("cannot be run", kind("olmo")),
    "speech": ("vision or speech", kind("whisper")),
    "vision only": ("vision or speech", kind("clip_vision", vision_config={"depth": 2})),
    "speech by section": ("vision or speech", kind("csm", audio_config={"depth": 2})),
    "an embedding model": ("cannot be run", kind("bert")),
    "a diffusion pipeline": (
        "no config.json",
        lambda f: ((f / "config.json").unlink(), text("model_index.json", "{}")(f)),
    ),
    "gptq": ("quantized by 'gptq'", packed("gptq", "g_idx")),
    "bitsandbytes": ("quantized by 'bitsandbytes'", packed("bitsandbytes", "weight.absmax")),
    "exl2": ("quantized by 'exl2'", packed("exl2", "q_weight")),
    "gguf": (r"\.gguf only", only("model.q4_k_m.gguf")),
    "pth": (r"\.pth only", only("consolidated.00.pth")),
    "index a list": ("not a model|no JSON object", index([])),
    "index of numbers": ("weights index", index({"weight_map": {"a": 1}})),
    "index of a list": ("weights index", index({"weight_map": []})),
    "index names a path outside": ("1 of its weights", index({"weight_map": {"a": "../x.bin"}})),
    "index not JSON": (r"index\.json is damaged", text("model.safetensors.index.json", "{")),
    "length beyond the file": ("cut short", raw_weights((2**40).to_bytes(8, "little") + b"{}")),
    "length of everything": ("cut short", raw_weights(b"\xff" * 64)),
    "length of nothing": ("cut short", raw_weights(bytes(64))),
    "arrays that share bytes": ("contradicts itself", two([0, 16], [8, 24])),
    "two arrays of the same bytes": ("contradicts itself", two([0, 16], [0, 16])),
    "offsets in reverse": ("contradicts itself", two([0, 16], [32, 16])),
    "offsets of three": ("contradicts itself", two([0, 16], [16, 24, 32])),
    "offsets not whole": ("contradicts itself", two([0, 16], [16.0, 32.0])),  # type: ignore[list-item]
    "shape of booleans": (
        "contradicts itself",
        lambda f: write_weights(
            f, {"a": {"dtype": "F32", "shape": [True], "data_offsets": [0, 4]}}, bytes(4)
        ),
    ),
    "all of another dtype": ("contradicts itself", dtype_of_all("F64")),
    "header deep": ("not a safetensors", long_header(b'{"a":' * 50_000 + b"1" + b"}" * 50_000)),
    "header long and cut": ("not a safetensors", long_header(b'{"a": ' + b" " * 300_000)),
    "header long and no JSON": ("not a safetensors", long_header(b'{"a" 1' + b" " * 300_000)),
    "header not UTF-8": ("not a safetensors", long_header(b'{"\xff\xff": 1}')),
    "generation config cut": (
        r"generation_config\.json is damaged",
        text("generation_config.json", "{"),
    ),
    "generation config a list": ("no JSON object", text("generation_config.json", "[]")),
    "tokenizer empty": ("cut short", text("tokenizer.json", "")),
    "tokenizer of HTML": ("cut short", text("tokenizer.json", "<html>Not found</html>")),
    "tokenizer config a list": ("no JSON object", text("tokenizer_config.json", "[]")),
    "tokenizer config huge": ("too much", text("tokenizer_config.json", " " * 17_000_000)),
    "special tokens deep": (
        "nested too deep|not valid JSON",
        text("special_tokens_map.json", '{"a":' * 150 + "1" + "}" * 150),
    ),
    "a pointer of git": (
        "cut short",
        raw_weights(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"),
    ),
    "config is a folder": (
        "not an ordinary file",
        lambda f: ((f / "config.json").unlink(), (f / "config.json").mkdir()),
    ),
    "weights are a folder": (
        "not an ordinary file",
        lambda f: ((f / WEIGHTS).unlink(), (f / WEIGHTS).mkdir()),
    ),
    "a link to a device": ("not an ordinary file", link(WEIGHTS, "/dev/zero")),
    "a config that is a device": ("not an ordinary file", link("config.json", "/dev/zero")),
    "a link to itself": ("not there", link("tokenizer.json", "tokenizer.json")),
    "a link to nowhere": ("not there", link("config.json", "/nonesuch/config.json")),
    "a pipe": (
        "not an ordinary file",
        lambda f: ((f / "merges.txt").unlink(missing_ok=True), os.mkfifo(f / "merges.txt")),
    ),
    "a name with a newline": (
        "cut short",
        lambda f: (f / "model-\nx\x1b[31m.safetensors").write_bytes(b""),
    ),
    "many layers": ("number of layers", kind("llama", num_hidden_layers=10**12)),
    "no layers": ("number of layers", kind("llama", num_hidden_layers=0)),
    "own code": ("its own Python code", kind("llama", model_file="trap.py")),
}
CASES = {name: (words, change) for name, (_, words, change) in BROKEN.items()} | SEEN


@pytest.fixture(scope="module")
def worker() -> Iterator[EngineWorker]:
    worker = EngineWorker()
    yield worker
    worker.close(PATIENCE_SECONDS)


def loading(worker: EngineWorker, name: str) -> Loaded | Failed:
    job = worker.load(name)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        event = worker.events.get(timeout=PATIENCE_SECONDS)
        if event.job == job and isinstance(event, (Loaded, Failed)):
            return event
    raise AssertionError("loading did not end")


def check(sentence: str) -> None:
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert len(sentence) < 220
    assert not TRACE_WORDS.search(sentence), sentence


@pytest.mark.parametrize("case", CASES)
def test_a_broken_folder_has_one_sentence(
    case: str, tmp_path: Path, worker: EngineWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, change = CASES[case]
    folder = demo_folder(tmp_path)
    mark = tmp_path / "ran"
    trap = f"open({str(mark)!r}, 'w').close()\nclass Model: ...\nclass ModelArgs: ...\n"
    for name in ("trap.py", "modeling_trap.py", "configuration_trap.py", "tokenization_trap.py"):
        (folder / name).write_text(trap)
    monkeypatch.chdir(folder)
    change(folder)
    seen = survey(folder)
    outcome = loading(worker, str(folder))
    assert isinstance(outcome, Failed)
    check(outcome.sentence)
    assert re.search(words, outcome.sentence)
    if case in SEEN or seen.fault is not None:
        assert seen.fault == outcome.sentence
        check(seen.fault)
    assert not mark.exists(), "code of the folder was run"


def test_the_worker_loads_the_demo_after_all_that(worker: EngineWorker, tmp_path: Path) -> None:
    folder = demo_folder(tmp_path)
    (folder / "config.json").unlink()
    assert isinstance(loading(worker, str(folder)), Failed)
    assert isinstance(loading(worker, "demo"), Loaded)


def test_a_folder_without_permission(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is shut to this user")
    folder = demo_folder(tmp_path)
    folder.chmod(0)
    try:
        assert survey(folder).fault == "model cannot be read; check its permissions."
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("name", ["gone", "x" * 5000, "a\0b", "a\nb"])
def test_a_folder_that_is_not_there(tmp_path: Path, name: str) -> None:
    fault = survey(tmp_path / name).fault
    assert fault is not None
    check(fault)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    fault = survey(tmp_path / "file").fault
    assert fault is not None
    check(fault)


def test_a_folder_that_goes_while_it_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = demo_folder(tmp_path)

    def gone(_path: Path) -> Any:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("engine.model.preflight._check_tokenizer", gone)
    assert survey(folder).fault == "model cannot be read."
