"""Each kind of broken folder ends in one clear sentence, of the right kind."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import (
    ModelConfigError,
    ModelError,
    TemplateError,
    TokenizerError,
    WeightsError,
)
from tests.fakes.model_folders import WEIGHTS, demo_folder, edit, edit_text_config, load_quietly

TEMPLATE = "chat_template.jinja"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo_folder(tmp_path)


def cut_weights(folder: Path, keep: int) -> None:
    raw = (folder / WEIGHTS).read_bytes()[:keep]
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).write_bytes(raw)


def write_weights(folder: Path, header: Any, data: bytes = b"") -> None:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).write_bytes(len(raw).to_bytes(8, "little") + raw + data)


def rename_weights(folder: Path, name: str) -> None:
    (folder / WEIGHTS).rename(folder / name)


def template(source: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / TEMPLATE).write_text(source)

    return write


def tokenizer_json(text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / "tokenizer.json").write_text(text)

    return write


def config_json(raw: bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / "config.json").write_bytes(raw)

    return write


def index(folder: Path) -> None:
    shards = {"a": WEIGHTS, "b": "model-00002-of-00002.safetensors"}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}))


TENSOR = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}

BROKEN: dict[str, tuple[type[ModelError], str, Callable[[Path], Any]]] = {
    "no config": (ModelConfigError, "no config.json", lambda f: (f / "config.json").unlink()),
    "config not JSON": (ModelConfigError, "not valid JSON", config_json(b"{'a': 1}")),
    "config not UTF-8": (ModelConfigError, "not valid JSON", config_json(b"\xff\xfe\x00")),
    "config empty": (ModelConfigError, "not valid JSON", config_json(b"")),
    "config a list": (ModelConfigError, "no JSON object", config_json(b"[]")),
    "config nested": (ModelConfigError, "not valid JSON", config_json(b"[" * 200_000)),
    "config huge": (ModelConfigError, "too much", config_json(b" " * 20_000_000 + b"{}")),
    "huge number": (
        ModelConfigError,
        "not valid JSON",
        config_json(b'{"a": ' + b"9" * 9999 + b"}"),
    ),
    "no model_type": (
        ModelConfigError,
        "does not say its model_type",
        lambda f: edit(f / "config.json", model_type=None),
    ),
    "unknown model_type": (
        ModelConfigError,
        "Models of the kind 'nonesuch' cannot be run",
        lambda f: edit(f / "config.json", model_type="nonesuch"),
    ),
    "model_type of a module without a model": (
        ModelConfigError,
        "Models of the kind 'cache' cannot be run",
        lambda f: edit(f / "config.json", model_type="cache"),
    ),
    "model_file": (
        ModelConfigError,
        "its own Python code",
        lambda f: edit(f / "config.json", model_file="trap.py"),
    ),
    "no layers": (
        ModelConfigError,
        "number of layers",
        lambda f: edit_text_config(f, num_hidden_layers=10**9),
    ),
    "config without sense": (
        ModelConfigError,
        "does not describe a model",
        lambda f: edit_text_config(f, hidden_size="wide"),
    ),
    "no weights": (WeightsError, "has no weights", lambda f: (f / WEIGHTS).unlink()),
    "bin only": (WeightsError, r"as \.bin only", lambda f: rename_weights(f, "pytorch_model.bin")),
    "gguf only": (WeightsError, r"as \.gguf only", lambda f: rename_weights(f, "model.gguf")),
    "weights link broken": (
        WeightsError,
        "cannot be read",
        lambda f: ((f / WEIGHTS).unlink(), (f / WEIGHTS).symlink_to(f / "gone")),
    ),
    "weights empty": (WeightsError, "damaged or cut short", lambda f: cut_weights(f, 0)),
    "header cut": (WeightsError, "damaged or cut short", lambda f: cut_weights(f, 100)),
    "data cut": (WeightsError, "cut short", lambda f: cut_weights(f, 5_000_000)),
    "one byte cut": (WeightsError, "cut short", lambda f: cut_weights(f, 27_816_711)),
    "header not JSON": (WeightsError, "not a safetensors", lambda f: write_weights(f, b"hello!")),
    "header a list": (WeightsError, "not a safetensors", lambda f: write_weights(f, [1])),
    "header without shape": (
        WeightsError,
        "contradicts itself",
        lambda f: write_weights(f, {"a": {"dtype": "F32"}}),
    ),
    "header lies": (
        WeightsError,
        "contradicts itself",
        lambda f: write_weights(f, {"a": TENSOR | {"shape": [2, 3]}}, bytes(16)),
    ),
    "header negative": (
        WeightsError,
        "contradicts itself",
        lambda f: write_weights(f, {"a": TENSOR | {"data_offsets": [-16, 0]}}, bytes(16)),
    ),
    "header past the end": (
        WeightsError,
        "cut short",
        lambda f: write_weights(f, {"a": TENSOR | {"data_offsets": [16, 32]}}, bytes(16)),
    ),
    "other weights": (
        WeightsError,
        "do not fit",
        lambda f: write_weights(f, {"a": TENSOR}, bytes(16)),
    ),
    "shapes that do not fit": (
        WeightsError,
        "do not fit its config.json",
        lambda f: edit_text_config(f, intermediate_size=2048),
    ),
    "quantization without sense": (
        WeightsError,
        "do not fit its config.json",
        lambda f: edit(f / "config.json", quantization={"bits": "eight"}),
    ),
    "shard missing": (WeightsError, "1 of its weights files are missing", index),
    "no tokenizer": (
        TokenizerError,
        "has no tokenizer",
        lambda f: (f / "tokenizer.json").unlink(),
    ),
    "tokenizer cut": (TokenizerError, "cut short", tokenizer_json('{"model": {"vocab": {"a"')),
    "tokenizer not JSON": (TokenizerError, "cannot be read", tokenizer_json("{oh no}")),
    "tokenizer of nothing": (TokenizerError, "cannot be read", tokenizer_json("{}")),
    "tokenizer config": (
        TokenizerError,
        "not valid JSON",
        lambda f: (f / "tokenizer_config.json").write_text("{"),
    ),
    "template syntax": (TemplateError, "an error in line 1", template("{% if %}")),
    "chat template type": (
        TokenizerError,
        "unknown chat template",
        lambda f: edit(f / "tokenizer_config.json", chat_template_type="os"),
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_folder_ends_in_one_clear_sentence(folder: Path, case: str) -> None:
    kind, words, break_it = BROKEN[case]
    break_it(folder)
    with pytest.raises(ModelError, match=words) as caught:
        load_quietly(folder)
    assert type(caught.value) is kind
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 200
