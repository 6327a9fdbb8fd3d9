"""A model folder, found and checked from its JSON and headers alone: pure Python, quick, no MLX."""

from collections.abc import Callable
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

from engine.errors import (
    ModelConfigError,
    ModelNotFoundError,
    TokenizerError,
    WeightsError,
)
from engine.model.files import (
    REPOSITORY_PREFIX,
    Json,
    check_entries,
    folder_name,
    is_there,
    printable,
    read_object,
    read_optional,
    shortened,
)
from engine.model.kinds import module_of
from engine.model.misfit import misfit_sentence, unknown_kind_sentence
from engine.model.model_folder import ModelFolder
from engine.model.safetensors import Tensor, check_weights_file
from engine.model.special_ids import text_sections

DEMO = "demo"

_MAX_NAME = 1024
_MAX_REF_BYTES = 1_000
_MAX_LAYERS = 4096
_PROCESSOR_FILES = (
    "processor_config.json",
    "preprocessor_config.json",
    "video_preprocessor_config.json",
)
_LOOK_BYTES = 4096
_OTHER_WEIGHTS = (".gguf", ".bin", ".pt", ".pth", ".npz")
# How GPTQ, bitsandbytes and EXL2 name arrays that no class of mlx-lm takes.
_FOREIGN = (".g_idx", ".absmax", ".quant_map", ".SCB", ".q_weight")
_TOKENIZER_FILES = ("tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt", "*.tiktoken")


def resolve(name: str) -> Path:
    """The folder that `name` means: `demo`, a path, or a repository in the local hub cache."""
    if name == DEMO:
        demo = files("resources") / "models" / DEMO
        if not (isinstance(demo, Path) and demo.is_dir()):
            raise ModelNotFoundError("The demonstration model is missing from this installation.")
        return demo
    if not name.strip() or "\0" in name or len(name) > _MAX_NAME:
        raise ModelNotFoundError("A model is named by its folder; this is not a usable name.")
    try:
        path = Path(name).expanduser()
        if path.is_dir():
            return path.resolve()
        is_file = path.exists()
    except (OSError, RuntimeError) as error:  # a part too long, an unknown ~user
        raise ModelNotFoundError(
            f"There is no model folder at {printable(name)}.", str(error)
        ) from error
    if is_file and path.suffix.lower() in _OTHER_WEIGHTS:
        raise ModelNotFoundError(
            f"{printable(name)} is a {path.suffix} file; Draftscope reads MLX models in "
            "safetensors: choose a folder that holds config.json."
        )
    if is_file:
        raise ModelNotFoundError(
            f"{printable(name)} is a file; choose the folder that holds config.json."
        )
    cached = _in_hub_cache(name)
    if cached is None:
        raise ModelNotFoundError(f"There is no model folder at {printable(name)}.")
    return cached


def preflight(path: Path, hear: Callable[[Tensor], None] | None = None) -> ModelFolder:
    """Check a folder's configuration, weights headers and tokenizer files; runs nothing from it.

    `hear` is told of every array in the weights.
    """
    foreign: list[str] = []

    def listen(tensor: Tensor) -> None:
        if tensor.name.endswith(_FOREIGN):
            foreign.append(tensor.name)
        if hear is not None:
            hear(tensor)

    try:
        folder = _check_parts(path, listen)
    except OSError as error:  # a folder that goes while it is looked at
        raise ModelConfigError(f"{folder_name(path)} cannot be read.", str(error)) from error
    if module_of(folder.config) is None:
        kind = f"model_type: {folder.model_type[:200]}"
        raise ModelConfigError(unknown_kind_sentence(folder), kind)
    if foreign and folder.config.get("quantization") is None:
        raise WeightsError(misfit_sentence(folder), f"{foreign[0]:.200}")
    return folder


def _check_parts(path: Path, hear: Callable[[Tensor], None]) -> ModelFolder:
    config = _check_config(path)
    check_entries(path)
    return ModelFolder(
        path=path,
        config=config,
        generation=read_optional(path / "generation_config.json", ModelConfigError),
        processors=tuple(read_optional(path / name, ModelConfigError) for name in _PROCESSOR_FILES),
        weight_files=_check_weights(path, hear),
        tokenizer_configs=_check_tokenizer(path),
    )


def _in_hub_cache(name: str) -> Path | None:
    """The newest downloaded snapshot of `owner/name`; the network is never asked."""
    if name.count("/") != 1 or name.startswith((".", "~", "/")):
        return None
    from huggingface_hub.constants import HF_HUB_CACHE

    repository = Path(HF_HUB_CACHE) / f"{REPOSITORY_PREFIX}{name.replace('/', '--')}"
    main = repository / "refs" / "main"
    try:
        if not is_there(main, ModelConfigError) or main.stat().st_size > _MAX_REF_BYTES:
            return None
        revision = main.read_text(encoding="utf-8").strip()
        snapshot = repository / "snapshots" / revision
        return snapshot if revision and snapshot.is_dir() else None
    except (OSError, ValueError, ModelConfigError):
        return None


def _check_config(path: Path) -> Json:
    file = path / "config.json"
    if not is_there(file, ModelConfigError):
        raise ModelConfigError(f"{folder_name(path)} is not a model folder: it has no config.json.")
    config = read_object(file, ModelConfigError)
    if not isinstance(config.get("model_type"), str) or not config["model_type"]:
        raise ModelConfigError(
            f"The config.json of {folder_name(path)} does not say its model_type."
        )
    if config.get("model_file") is not None:
        raise ModelConfigError(
            f"{folder_name(path)} asks to run its own Python code; Draftscope never does that.",
            f"model_file: {config['model_file']}",
        )
    for section in text_sections(config):
        layers = section.get("num_hidden_layers", 1)
        if type(layers) is not int or not 0 < layers <= _MAX_LAYERS:
            raise ModelConfigError(
                f"The config.json of {folder_name(path)} has no sensible number of layers.",
                f"num_hidden_layers: {layers!r}",
            )
    return config


def _check_weights(path: Path, hear: Callable[[Tensor], None]) -> tuple[Path, ...]:
    weights = tuple(sorted(path.glob("model*.safetensors")))
    if not weights:
        raise WeightsError(_no_weights_sentence(path))
    index = read_optional(path / "model.safetensors.index.json", WeightsError)
    shards = index.get("weight_map", {})
    if not isinstance(shards, dict) or not all(isinstance(v, str) for v in shards.values()):
        raise WeightsError(
            f"The weights index of {folder_name(path)} is damaged; download it again."
        )
    missing = sorted(set(shards.values()) - {file.name for file in weights})
    if missing:
        raise WeightsError(
            f"{folder_name(path)} is incomplete: {len(missing)} of its weights files are missing, "
            f"{shortened(missing[0])} first.",
            ", ".join(missing),
        )
    for file in weights:
        is_there(file, WeightsError)
        check_weights_file(file, hear)
    return weights


def _no_weights_sentence(path: Path) -> str:
    for suffix in _OTHER_WEIGHTS:
        if other := next(path.glob(f"*{suffix}"), None):
            return (
                f"{folder_name(path)} has its weights as {other.suffix} only; "
                "Draftscope reads safetensors (model*.safetensors)."
            )
    return f"{folder_name(path)} has no weights: there is no model*.safetensors file in it."


def _check_tokenizer(path: Path) -> tuple[Json, ...]:
    # By listing: before Python 3.12 glob skips a link to nowhere, and that has its own sentence.
    files = [f for f in path.iterdir() if any(fnmatch(f.name, p) for p in _TOKENIZER_FILES)]
    if not files:
        raise TokenizerError(
            f"{folder_name(path)} has no tokenizer: there is no tokenizer.json in it."
        )
    for file in files:
        is_there(file, TokenizerError)
    _check_tokenizer_ends(path / "tokenizer.json")
    names = ("tokenizer_config.json", "special_tokens_map.json")
    return tuple(read_optional(path / name, TokenizerError) for name in names)


def _check_tokenizer_ends(file: Path) -> None:
    """Megabytes of JSON are parsed once, when loading; here only a cut file is noticed."""
    if not is_there(file, TokenizerError):
        return
    try:
        with file.open("rb") as stream:
            start = stream.read(_LOOK_BYTES)
            stream.seek(max(0, file.stat().st_size - _LOOK_BYTES))
            end = stream.read()
    except OSError as error:
        raise TokenizerError(f"{file.name} cannot be read.", str(error)) from error
    if not (start.lstrip().startswith(b"{") and end.rstrip().endswith(b"}")):
        raise TokenizerError(f"{file.name} is damaged or cut short; download the model again.")
