"""Folders from elsewhere: odd but right ones load, damaged ones are told apart."""

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
from tests.fakes.model_folders import (
    demo_folder,
    edit,
    edit_text_config,
    edit_weights,
    load_quietly,
    relabel_packed,
    without_numbers,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo_folder(tmp_path)


def instead_of_tokenizer(name: str, text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / "tokenizer.json").unlink()
        (folder / name).write_text(text)

    return write


def panic(folder: Path) -> None:
    charsmap = {"type": "Precompiled", "precompiled_charsmap": "CAAAAP////////////"}
    edit(folder / "tokenizer.json", normalizer=charsmap)


def foreign_packing(folder: Path) -> None:
    packing = {"quant_method": "gptq", "bits": 4}
    edit(folder / "config.json", quantization=None, quantization_config=packing)


def vision(model_type: str, **changes: Any) -> Callable[[Path], None]:
    return lambda folder: edit(folder / "config.json", model_type=model_type, **changes)


def template(source: str) -> Callable[[Path], Any]:
    return lambda folder: (folder / "chat_template.jinja").write_text(source)


DAMAGED: dict[str, tuple[type[ModelError], str, Callable[[Path], Any]]] = {
    "panic": (TokenizerError, "cannot be read", panic),
    "empty vocabulary": (TokenizerError, "tokenizer", instead_of_tokenizer("vocab.json", "{}")),
    "tiktoken": (TokenizerError, "tokenizer", instead_of_tokenizer("a.tiktoken", "!!")),
    "not a number": (
        WeightsError,
        r"give no numbers \(NaN\)",
        lambda f: edit_weights(f, without_numbers),
    ),
    "epsilon": (
        WeightsError,
        r"give no numbers \(NaN\)",
        lambda f: edit_text_config(f, rms_norm_eps=float("nan")),
    ),
    "relabelled": (WeightsError, "do not fit", lambda f: edit_weights(f, relabel_packed)),
    "gptq": (WeightsError, "quantized by 'gptq'", foreign_packing),
    "vision by name": (WeightsError, "a vision or speech model", vision("qwen2_5_vl")),
    "vision by section": (
        ModelConfigError,
        "a vision or speech model",
        vision("nonesuch", vision_config={"depth": 2}),
    ),
    "speech": (ModelConfigError, "a vision or speech model", vision("whisper")),
    "long model_type": (ModelConfigError, "Models of the kind", vision("x" * 5000)),
    "power": (TemplateError, "computes powers", template("{{ 10 ** 10 ** 10 }}")),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_folder_is_told_apart(folder: Path, case: str) -> None:
    kind, words, damage = DAMAGED[case]
    damage(folder)
    with pytest.raises(ModelError, match=words) as caught:
        load_quietly(folder)
    assert type(caught.value) is kind
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["x_[b]", "a*?", "{0} %s"])
def test_a_name_that_is_a_pattern_loads(folder: Path, name: str) -> None:
    renamed = folder.rename(folder.with_name(name))
    assert load_quietly(renamed).info.name == name


def test_a_config_with_a_byte_order_mark_loads(folder: Path) -> None:
    file = folder / "config.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert load_quietly(folder).info.is_demo is False


def test_a_text_model_with_a_part_for_images_loads(folder: Path) -> None:
    edit(folder / "config.json", vision_config={"depth": 2}, image_token_id=6)
    config = json.loads((folder / "config.json").read_text())
    assert load_quietly(folder).info.model_type == config["model_type"]
