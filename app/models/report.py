"""A failure as text for a report: versions, machine, model, what failed; no word of a chat."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine import VERSION, ModelInfo

_PACKAGES = ("mlx", "mlx-lm", "transformers", "PySide6-Essentials")


def report_text(sentence: str, details: str, model: str = "") -> str:
    """All that is known of a failure, for whoever can mend it.

    `model` names the model and what is known of it (see `model_words`). The person's home folder
    is written as ~.
    """
    lines = [
        f"Draftscope {VERSION}",
        f"System: {platform.platform()}, {platform.machine()}",
        f"Python {platform.python_version()}, {_versions()}",
    ]
    if model:
        lines.append(f"Model: {model}")
    lines += ["", sentence.strip()]
    if details.strip():
        lines += ["", details.rstrip()]
    return _without_home("\n".join(lines)) + "\n"


def model_words(name: str, info: ModelInfo | None = None) -> str:
    """A model in one line: its name, and of a loaded one its kind, precision and device."""
    if info is None:
        return name
    bits = f", {info.bits}-bit" if info.bits else ""
    caches = " and ".join(info.cache_families)
    return f"{info.name or name} ({info.model_type}, {caches}{bits}, {info.dtype}, {info.device})"


def _versions() -> str:
    return ", ".join(f"{name} {_version(name)}" for name in _PACKAGES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "of an unknown version"


def _without_home(text: str) -> str:
    try:
        home = str(Path.home())
    except RuntimeError:
        return text
    return text.replace(home, "~") if len(home) > 1 else text
