"""The app's own readers, each fed with one damaged file: sound, a sentence, or what must not be."""

import json
import random
from collections.abc import Callable
from pathlib import Path

from app.models.chat_settings import ChatSettings, plain_settings, settings_from
from app.models.presets import presets_from
from app.models.speculation import SpeculationSettings
from app.settings import Settings, read_settings, update_settings, write_settings
from engine import (
    EngineError,
    SamplingParams,
    TraceError,
    csv_rows,
    memory_need,
    parse_trace,
    read_trace,
    replay_trace,
    survey,
)
from tests.bench.gguf_reader import gguf_case
from tests.bench.mutations import damaged, damaged_json
from tests.bench.store_reader import store_case, store_seed
from tests.bench.verdict import UnsoundError, said
from tests.fakes.tiny_configs import CONFIGS

TRACES = Path(__file__).parents[1] / "traces"
_SETTINGS = ChatSettings(
    system="Be brief.",
    sampling=SamplingParams(temperature=0.5, top_p=0.9, top_k=5, seed=3),
    max_tokens=100,
)


def trace_case(chance: random.Random, folder: Path) -> str:
    """A damaged trace, from memory or from a file."""
    one, other = (path.read_bytes() for path in chance.sample(sorted(TRACES.glob("*.jsonl")), 2))
    is_json = chance.random() < 0.6
    data = damaged_json(chance, one) if is_json else damaged(chance, one, other)
    path = folder / "run.jsonl"
    path.write_bytes(data)
    try:
        trace = read_trace(path) if chance.random() < 0.3 else parse_trace(data)
    except TraceError as error:
        return said(error.sentence)
    for _ in replay_trace(trace):
        pass
    for _ in csv_rows(trace):
        pass
    return said(trace.warning)


def settings_case(chance: random.Random, folder: Path) -> str:
    """A damaged settings file, read, used and written over."""
    path, seed = folder / "settings.json", folder / "seed.json"
    settings = Settings(
        theme="dark",
        geometry="QUJD",
        speculation={"enabled": False, "draft_length": 5, "rollback": "carry"},
        defaults=plain_settings(_SETTINGS),
        presets=[["Careful", plain_settings(_SETTINGS)], ["Wild", {}]],
        unknown={"later": {"a": [1, 2]}},
    )
    assert write_settings(seed, settings) is None
    data = seed.read_bytes()
    is_json = chance.random() < 0.7
    path.write_bytes(damaged_json(chance, data) if is_json else damaged(chance, data, data[::-1]))
    read, sentence = read_settings(path)
    settings_from(read.defaults)
    presets_from(read.presets or None)
    flags = SpeculationSettings(read.speculation, {}, {}, None)
    written = update_settings(path, {"theme": "light"})
    again, unsaid = read_settings(path)
    if written is None and (again.theme != "light" or unsaid):
        raise UnsoundError("what was written is not what is read")
    return said(sentence, written, *flags.problems)


def model_case(chance: random.Random, folder: Path) -> str:
    """A damaged model folder, looked at as the library does."""
    files = _model_files(chance)
    name = chance.choice(list(files))
    is_json = name.endswith(".json") and chance.random() < 0.75
    if is_json:
        files[name] = damaged_json(chance, files[name])
    elif name.endswith(".safetensors") and chance.random() < 0.6:
        files[name] = _damaged_header(chance, files[name])
    else:
        files[name] = damaged(chance, files[name], files["config.json"])
    for each, data in files.items():
        (folder / each).write_bytes(data)
    try:
        found = survey(folder)
        for context in (1, 4096, 10**7):
            memory_need(found, context)
    except EngineError as error:
        raise UnsoundError(f"raised: {error.sentence}") from error
    return said(found.fault)


def _model_files(chance: random.Random) -> dict[str, bytes]:
    config = CONFIGS[chance.choice(sorted(CONFIGS))][1]
    header = {
        f"model.layers.{at}.weight": {
            "dtype": kind, "shape": [4, 8], "data_offsets": [at * 128, at * 128 + 128]
        }
        for at, kind in enumerate(("F32", "I32", "U32"))
    }  # fmt: skip
    text = json.dumps({"__metadata__": {"format": "mlx"}, **header}).encode()
    weights = len(text).to_bytes(8, "little") + text + bytes(384)
    index = {"metadata": {"total_size": 384}, "weight_map": dict.fromkeys(header, _WEIGHTS)}
    quantised = {"quantization": {"group_size": 64, "bits": 4}}
    generation = {"temperature": 0.7, "top_p": 0.8, "top_k": 20, "do_sample": True}
    template = {"chat_template": "{{ messages }}", "model_max_length": 4096}
    return {
        "config.json": json.dumps(config | quantised).encode(),
        "generation_config.json": json.dumps(generation).encode(),
        "tokenizer_config.json": json.dumps(template).encode(),
        "tokenizer.json": b'{"model": {"vocab": {}}}',
        "model.safetensors.index.json": json.dumps(index).encode(),
        _WEIGHTS: weights,
    }


_WEIGHTS = "model.safetensors"


def _damaged_header(chance: random.Random, weights: bytes) -> bytes:
    """The header's JSON is damaged, and its length is right again."""
    length = int.from_bytes(weights[:8], "little")
    text = damaged_json(chance, weights[8 : 8 + length])
    return len(text).to_bytes(8, "little") + text + weights[8 + length :]


Case = Callable[[random.Random, Path], str]


def cases(folder: Path) -> dict[str, Case]:
    """What is tried, by name; `folder` takes the seed of the stores."""
    seed = store_seed(folder)
    return {
        "traces": trace_case,
        "settings": settings_case,
        "stores": lambda chance, place: store_case(chance, place, seed),
        "models": model_case,
        "gguf": gguf_case,
    }
