"""Which module of mlx-lm runs a kind of model, told without importing any of it."""

import re
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path

from engine.model.files import Json

# As in mlx_lm.utils; a test compares.
REMAPPED = {
    "mistral": "llama",
    "llava": "mistral3",
    "phi-msft": "phixtral",
    "falcon_mamba": "mamba",
    "joyai_llm_flash": "deepseek_v3",
    "kimi_k2": "deepseek_v3",
    "qwen2_5_vl": "qwen2_vl",
    "minimax_m2": "minimax",
    "iquestcoder": "llama",
    "xverse": "llama",
    "gemma4_unified": "gemma4",
    "deepseek_v41_text": "deepseek_v41",
}
REMAPPED_ARCHITECTURES = {("bailing_hybrid", "BailingMoeV3ForCausalLM"): "bailing_moe_v3"}

# Modules that end the process where another package is missing.
_NEEDS = {"olmo": "hf_olmo"}
_HAS_MODEL = re.compile(r"^(?:class Model\b|from .* import .*\bModel\b|Model = )", re.MULTILINE)


def module_of(config: Json) -> str | None:
    """The module of mlx_lm.models for this configuration; None where there is none to run it."""
    kind = str(config.get("model_type"))
    architectures = config.get("architectures") or ()
    if isinstance(architectures, str):
        architectures = (architectures,)
    named = architectures if isinstance(architectures, (list, tuple)) else ()
    pairs = [(kind, name) for name in named if isinstance(name, str)]
    found = next((pair for pair in pairs if pair in REMAPPED_ARCHITECTURES), None)
    module = REMAPPED.get(kind, kind) if found is None else REMAPPED_ARCHITECTURES[found]
    folder = _modules_folder()
    if folder is None:
        return module  # loading will tell
    return module if _is_runnable(folder, module) else None


@lru_cache(maxsize=256)
def _is_runnable(folder: Path, module: str) -> bool:
    if module not in _module_names(folder) or not _is_here(_NEEDS.get(module)):
        return False
    try:
        source = (folder / f"{module}.py").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return True  # loading will tell
    return _HAS_MODEL.search(source) is not None


@lru_cache(maxsize=1)
def _module_names(folder: Path) -> frozenset[str]:
    """Exact names: a disk may take another case for the same."""
    return frozenset(file.stem for file in folder.glob("*.py"))


@lru_cache(maxsize=1)
def _modules_folder() -> Path | None:
    spec = PathFinder.find_spec("mlx_lm")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    folders = [Path(place) / "models" for place in places]
    return next((folder for folder in folders if (folder / "llama.py").is_file()), None)


def _is_here(package: str | None) -> bool:
    return package is None or PathFinder.find_spec(package) is not None
