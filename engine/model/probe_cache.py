"""Probes kept on disk, one small file for each model, machine and version of the libraries.

What is kept only saves time: a file that cannot be read or is not ours is measured again, and a
folder that cannot be written costs a few seconds at the next load and nothing else.
"""

import hashlib
import json
import math
import os
import platform
import stat
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

import mlx.core as mx
import mlx_lm
from platformdirs import user_cache_path

from engine.model_info import ModelInfo, Probe, WidthProbe

FOLDER_VARIABLE = "DRAFTSCOPE_CACHE"
FORMAT = 1
FIGURES = ("largest_difference", "argmax_agreement", "seconds")
_MAX_BYTES = 100_000
# What a forward can be; a file that says otherwise is damaged.
_WIDEST, _SHORTEST_SECONDS, _LONGEST_SECONDS = 4096, 1e-7, 1e4
Kind = TypeVar("Kind")
# What moves the last bits, or the speed, without any file of ours or the model's changing.
_TUNING_PREFIXES = ("MLX_", "OMP_", "OPENBLAS_", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES")


def cache_folder() -> Path:
    """The user's cache folder for this application; the variable DRAFTSCOPE_CACHE overrides it."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else user_cache_path("draftscope", appauthor=False)


class ProbeCache:
    """The file that a loaded model's probe is kept in; of a model without a folder, none is."""

    def __init__(self, info: ModelInfo) -> None:
        files = _fingerprint(Path(info.path)) if info.path else None
        self._facts = {
            "files": files,
            "device": info.device,
            "dtype": info.dtype,
            "mlx": mx.__version__,  # type: ignore[attr-defined]
            "mlx_lm": mlx_lm.__version__,
            "machine": platform.platform(),
            "processor": str(mx.device_info().get("device_name")),
            "tuning": {
                k: v for k, v in sorted(os.environ.items()) if k.startswith(_TUNING_PREFIXES)
            },
        }
        digest = hashlib.sha256(json.dumps(self._facts).encode()).hexdigest()
        self.path = cache_folder() / "probes" / f"{digest[:32]}.json" if files else None

    def read(self) -> Probe | None:
        """What was stored for this very model and machine, if anything sound was."""
        if self.path is None:
            return None
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                return None  # a pipe would wait for a writer
            with self.path.open("rb") as file:
                raw = file.read(_MAX_BYTES)
            stored = json.loads(raw)
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(stored, dict) or stored.get("format") != FORMAT:
            return None
        return _probe(stored.get("probe")) if stored.get("facts") == self._facts else None

    def store(self, probe: Probe) -> None:
        """Keep `probe`, in one move, so that no reader ever sees half a file."""
        if self.path is None:
            return
        stored = {"format": FORMAT, "facts": self._facts, "probe": asdict(probe)}
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(
                "w", dir=self.path.parent, suffix=".part", delete=False
            ) as file:
                part = Path(file.name)
            try:
                part.write_text(json.dumps(stored), encoding="utf-8")
                part.replace(self.path)
            finally:
                part.unlink(missing_ok=True)


def _fingerprint(folder: Path) -> str | None:
    """Names, sizes and times of the folder's files, and the text of its config; None if shut."""
    try:
        files = [(file.name, *_size_and_time(file)) for file in sorted(folder.iterdir())]
        config = (folder / "config.json").read_bytes()
    except OSError:
        return None
    return hashlib.sha256(json.dumps(files).encode() + config).hexdigest()


def _size_and_time(file: Path) -> tuple[int, int]:
    """Of what the name leads to; zeros for a folder or a broken link."""
    with suppress(OSError):
        status = file.stat()
        if stat.S_ISREG(status.st_mode):
            return status.st_size, status.st_mtime_ns
    return 0, 0


def _probe(value: Any) -> Probe | None:
    """A probe from its JSON; None unless every value is of its kind and makes sense."""
    try:
        widths = tuple(map(_width, value["widths"]))
        probe = Probe(
            widths,
            _of(int, value["num_positions"]),
            _of(str, value["mlx_version"]),
            _of(str, value["device"]),
            is_cached=True,
        )
    except (KeyError, TypeError, ValueError):
        return None
    numbers = [each.width for each in widths]
    is_sound = numbers == sorted({1, *numbers}) and probe.num_positions > 0
    return probe if is_sound else None


def _width(value: Any) -> WidthProbe:
    each = WidthProbe(
        _of(int, value["width"]),
        _of(bool, value["is_bit_equal"]),
        *(_of(float, value[name]) for name in FIGURES),
    )
    is_sound = (
        1 <= each.width <= _WIDEST
        and _SHORTEST_SECONDS <= each.seconds <= _LONGEST_SECONDS
        and 0 <= each.argmax_agreement <= 1
        and 0 <= each.largest_difference < math.inf
    )
    if not is_sound:
        raise ValueError
    return each


def _of(kind: type[Kind], value: Any) -> Kind:
    if type(value) is not kind:
        raise TypeError
    return value
