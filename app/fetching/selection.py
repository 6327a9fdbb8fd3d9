"""Which files of a repository are needed to run it, and whether it can be run at all."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from app.fetching.found import FetchError, RemoteFile
from app.fetching.outside import is_file_name, line

_INDEX = "model.safetensors.index.json"
_SHARD = re.compile(r"model-\d+-of-\d+\.safetensors")
_NEEDED = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "*.model",
    "*.tiktoken",
    "chat_template.jinja",
    "chat_template.json",
    "additional_chat_templates/*.jinja",
    "processor_config.json",
    "preprocessor_config.json",
    "video_preprocessor_config.json",
    _INDEX,
)
# Tasks of the hub whose models write text.
_WRITES_TEXT = frozenset(
    ("text-generation", "text2text-generation", "image-text-to-text", "any-to-any")
)
_OTHER_LIBRARIES = {
    "diffusers": "it makes pictures",
    "sentence-transformers": "it compares texts",
    "peft": "it is an adapter and not a whole model",
}
# LlamaForCausalLM and GPT2LMHeadModel write; BertForMaskedLM does other work.
_OTHER_WORK = re.compile(r"For(?!CausalLM|ConditionalGeneration)[A-Z]\w*$")
_OTHER_KINDS = frozenset(
    ("bert", "roberta", "xlm-roberta", "modernbert", "clip", "siglip", "vit", "whisper", "wav2vec2")
)
_OTHER_WEIGHTS = (".gguf", ".bin", ".pt", ".pth", ".npz", ".onnx", ".ckpt", ".h5")


def needed(repo: str, files: Iterable[RemoteFile]) -> tuple[RemoteFile, ...]:
    """The files to fetch, small ones first; FetchError where a model cannot come of them."""
    files = tuple(files)
    weights = _weights(files)
    if not weights:
        raise FetchError("unusable", _no_weights_sentence(repo, files))
    rest = [file for file in files if any(_is_like(file.name, each) for each in _NEEDED)]
    if not any(file.name == "config.json" for file in rest):
        raise FetchError("unusable", f"{repo} cannot be run here: it has no config.json.")
    odd = next((file.name for file in (*weights, *rest) if not is_file_name(file.name)), None)
    if odd is not None:
        sentence = (
            f"{repo} cannot be kept here: it has a file of an unusable name, {line(odd, 40)}."
        )
        raise FetchError("unusable", sentence)
    rest.sort(key=lambda file: (file.name != "config.json", file.name))
    return (*rest, *sorted(weights, key=lambda file: file.name))


def check_kind(repo: str, about: Any) -> None:
    """FetchError where what the hub tells of a repository is no language model."""
    library, task = about.get("library_name"), about.get("pipeline_tag")
    if isinstance(library, str) and library in _OTHER_LIBRARIES:
        raise FetchError("unusable", f"{repo} cannot be run here: {_OTHER_LIBRARIES[library]}.")
    if isinstance(task, str) and task not in _WRITES_TEXT:
        sentence = f"{repo} cannot be run here: it is a model for {line(task.replace('-', ' '))}."
        raise FetchError("unusable", sentence)
    config = about.get("config")
    if isinstance(config, dict) and config.get("model_type"):  # else the hub has not read it
        check_config(repo, config)


def check_config(repo: str, config: Any) -> None:
    """FetchError where a config.json is that of something else."""
    if not isinstance(config, dict):
        raise FetchError("unusable", f"{repo} cannot be run here: its config.json is damaged.")
    architectures = config.get("architectures")
    kind = config.get("model_type")
    if not isinstance(kind, str) or not kind:
        sentence = f"{repo} cannot be run here: its config.json does not name a kind of model."
        raise FetchError("unusable", sentence)
    is_other = isinstance(architectures, list) and not any(map(_writes, architectures or [""]))
    if is_other or kind in _OTHER_KINDS:
        sentence = f"{repo} cannot be run here: it is no model that writes text ({line(kind)})."
        raise FetchError("unusable", sentence, line(str(architectures), 400))


def _writes(architecture: object) -> bool:
    return isinstance(architecture, str) and not _OTHER_WORK.search(architecture)


def _weights(files: tuple[RemoteFile, ...]) -> list[RemoteFile]:
    """Those that a loader takes, `model*.safetensors`; beside shards no second copy of them."""
    weights = [file for file in files if _is_like(file.name, "model*.safetensors")]
    shards = [file for file in weights if _SHARD.fullmatch(file.name)]
    return shards if shards and any(file.name == _INDEX for file in files) else weights


def _is_like(name: str, pattern: str) -> bool:
    parts, patterns = name.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _no_weights_sentence(repo: str, files: tuple[RemoteFile, ...]) -> str:
    for ending in _OTHER_WEIGHTS:
        if any(file.name.endswith(ending) for file in files):
            return (
                f"{repo} has its weights as {ending} only; Draftscope reads safetensors "
                "(model*.safetensors)."
            )
    return f"{repo} cannot be run here: it has no weights (model*.safetensors)."
