"""A survey says of a folder, without MLX, what loading it then shows."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import mlx_lm.utils
import pytest

from engine import LayerGroup, MemoryNeed, ModelSurvey, memory_need, survey
from engine.model.family_words import family_words
from engine.model.kinds import REMAPPED, REMAPPED_ARCHITECTURES, module_of
from engine.model.loaded_model import LoadedModel
from engine.model.memory import WIDEST_VERIFY
from engine.model.preflight import resolve
from engine.model.recommended import other_settings, recommended_sampling
from engine.model.safetensors import Tensor
from engine.model.weight_figures import weight_figures
from engine.request import SamplingParams
from tests.fakes.model_folders import WEIGHTS, demo_folder, edit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo_folder(tmp_path)


def test_the_demo_is_what_loading_shows(demo: LoadedModel) -> None:
    seen, info = survey(resolve("demo")), demo.info
    assert seen.fault is None
    assert seen.model_type == info.model_type
    assert seen.num_parameters == info.num_parameters
    assert seen.bits == info.bits
    assert seen.context_length == info.context_length
    assert seen.cache_families == info.cache_families
    assert seen.is_recurrent == info.is_recurrent
    assert seen.speculation_refusal == info.speculation_refusal
    assert seen.rollback == ("local" if info.local_refusal is None else "carry")
    assert seen.has_chat_template
    assert seen.file_bytes == (resolve("demo") / WEIGHTS).stat().st_size
    if info.device == "cpu":
        assert seen.weights_bytes == info.memory_bytes


def test_surveying_imports_neither_mlx_nor_mlx_lm() -> None:
    code = (
        "import sys; from engine import survey; from engine.model.preflight import resolve;"
        "seen = survey(resolve('demo')); assert seen.fault is None and seen.layers;"
        "print([m for m in sys.modules if m.split('.')[0] in ('mlx', 'mlx_lm', 'transformers')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_kinds_are_renamed_as_mlx_lm_does() -> None:
    assert REMAPPED == mlx_lm.utils.MODEL_REMAPPING
    assert REMAPPED_ARCHITECTURES == mlx_lm.utils.MODEL_ARCHITECTURE_REMAPPING


@pytest.mark.parametrize(
    ("config", "module"),
    [
        ({"model_type": "llama"}, "llama"),
        ({"model_type": "mistral", "architectures": ["MistralForCausalLM"]}, "llama"),
        ({"model_type": "kimi_k2", "architectures": "Odd"}, "deepseek_v3"),
        (
            {"model_type": "bailing_hybrid", "architectures": ["BailingMoeV3ForCausalLM"]},
            "bailing_moe_v3",
        ),
        ({"model_type": "bailing_hybrid", "architectures": [{}, None]}, "bailing_hybrid"),
        ({"model_type": "cache"}, None),
        ({"model_type": "Llama"}, None),
        ({"model_type": "nonesuch"}, None),
    ],
)
def test_the_module_of_a_kind(config: dict[str, Any], module: str | None) -> None:
    assert module_of(config) == module


def test_a_snapshot_in_the_hubs_cache_has_its_repositorys_name(folder: Path) -> None:
    place = folder.parent / "models--owner--a--b" / "snapshots"
    place.mkdir(parents=True)
    assert survey(folder.rename(place / "0123abc")).name == "owner/a--b"


def test_a_kind_that_is_not_known_has_no_figures_of_caches(folder: Path) -> None:
    edit(folder / "config.json", model_type="phixtral")
    seen = survey(folder)
    assert (seen.fault, seen.layers, seen.cache_families) == (None, (), ())
    assert (seen.is_recurrent, seen.rollback) == (None, None)
    assert memory_need(seen) is None


def test_a_cache_of_the_models_own_is_refused_in_words(folder: Path) -> None:
    edit(folder / "config.json", model_type="deepseek_v41")
    assert "LayerCache" in (survey(folder).speculation_refusal or "")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("chat_template.jinja", "{{ messages }}"),
        ("additional_chat_templates/tool.jinja", "{{ messages }}"),
        ("tokenizer_config.json", json.dumps({"chat_template": "{{ messages }}"})),
        (None, ""),
    ],
)
def test_a_template_is_seen_where_it_may_lie(folder: Path, name: str | None, content: str) -> None:
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    edit(folder / "tokenizer_config.json", chat_template=None)
    if name is not None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    assert survey(folder).has_chat_template is (name is not None)


@pytest.mark.parametrize(
    ("generation", "expected"),
    [
        ({}, None),
        ({"eos_token_id": 2}, None),
        ({"temperature": 0.6, "top_p": 0.95, "top_k": 20},
         SamplingParams(temperature=0.6, top_p=0.95, top_k=20)),
        ({"do_sample": True, "min_p": 0.05}, SamplingParams(temperature=1.0, min_p=0.05)),
        ({"do_sample": False, "temperature": 0.9, "top_k": 50}, SamplingParams()),
        ({"do_sample": False, "repetition_penalty": 1.1}, SamplingParams(repetition_penalty=1.1)),
        ({"temperature": 99, "top_p": 0.9}, SamplingParams(top_p=0.9)),
        ({"temperature": float("nan"), "top_k": -4}, None),
        ({"temperature": True, "top_k": "many", "top_p": None}, None),
    ],
)  # fmt: skip
def test_what_the_makers_recommend(generation: Any, expected: SamplingParams | None) -> None:
    assert recommended_sampling(generation) == expected


def test_the_rest_of_what_they_say_is_text() -> None:
    said = {"max_length": 4096, "odd\nname": [1, "a\x1b"], "temperature": 1, "eos_token_id": [2]}
    assert other_settings(said) == (("max_length", "4096"), ("odd?name", "[1, 'a\\x1b']"))


def tensor(name: str, dtype: str, *shape: int) -> Tensor:
    width = {"BF16": 2, "F32": 4, "U32": 4, "U8": 1, "F8_E4M3": 1, "I32": 4}[dtype]
    size = width
    for number in shape:
        size *= number
    return Tensor(name, dtype, shape, size)


def test_packed_weights_count_unpacked_whatever_their_bits() -> None:
    config = {"quantization": {"bits": 4, "group_size": 64}}
    layers = [
        tensor("a.weight", "U32", 8, 16), tensor("a.scales", "BF16", 8, 2),
        tensor("a.biases", "BF16", 8, 2),
        tensor("b.weight", "U32", 8, 32), tensor("b.scales", "BF16", 8, 2),
        tensor("norm.weight", "BF16", 128),
    ]  # fmt: skip
    figures = weight_figures(layers, config, floats_widen=False)
    assert figures.num_parameters == 8 * 128 + 8 * 128 + 128
    assert figures.dtype == "bfloat16"
    assert figures.memory_bytes == sum(array.num_bytes for array in layers)
    widened = weight_figures(layers, config, floats_widen=True)
    assert widened.memory_bytes == 8 * 16 * 4 + 8 * 32 * 4 + 2 * (3 * 16 * 2 + 128 * 2)


def test_what_the_text_model_leaves_out_does_not_count() -> None:
    config = {"num_hidden_layers": 2, "tie_word_embeddings": True}
    names = ("vision_tower.x", "model.visual.x", "mtp.x", "model.layers.2.x", "lm_head.weight")
    left_out = [tensor(name, "BF16", 1000) for name in names]
    own = [tensor("model.layers.1.x", "BF16", 10), tensor("model.embed.weight", "BF16", 5)]
    figures = weight_figures([*left_out, *own], config, floats_widen=False)
    assert (figures.num_parameters, figures.memory_bytes) == (15, 30)


def need(*groups: LayerGroup, context: int | None = None) -> MemoryNeed | None:
    seen = ModelSurvey("p", "n", weights_bytes=100, context_length=1000, layers=groups)
    return memory_need(seen, context)


def test_memory_is_added_up() -> None:
    full = LayerGroup("attention", 2, 10, None, 0)
    window = LayerGroup("sliding attention", 3, 10, 50, 0)
    state = LayerGroup("recurrent", 4, 0, None, 7, 2)
    assert need(full) == MemoryNeed(1000, 100, 2 * 10 * 1000, 0)
    assert need(full, context=10) == MemoryNeed(10, 100, 2 * 10 * 10, 0)
    assert need(window) == MemoryNeed(1000, 100, 3 * 10 * 50, 3 * 10 * 50)
    assert need(window, context=20) == MemoryNeed(20, 100, 3 * 10 * 20, 3 * 10 * 20)
    assert need(state) == MemoryNeed(1000, 100, 4 * 7, 4 * (2 * 7 + 2 * WIDEST_VERIFY))


@pytest.mark.parametrize("context", [0, -5, None])
def test_memory_is_never_negative(context: int | None) -> None:
    told = need(LayerGroup("attention", 1, 10, None, 0), context=context)
    assert told is None or told.total_bytes > 0
    assert need(context=context) is None


def test_a_family_has_a_name_for_people() -> None:
    assert family_words("qwen3_5_moe") == "Qwen 3.5 MoE"
    assert family_words("new_thing-2") == "New thing-2"
    assert family_words("") == ""
    assert len(family_words("x" * 5000)) <= 40
