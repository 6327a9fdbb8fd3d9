"""Files of a model folder, looked at before they are opened: there, regular, readable, bounded."""

import errno
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import ModelConfigError, ModelError, TokenizerError, WeightsError
from engine.model.json_parts import parse_object

Json = Mapping[str, Any]

_MAX_CONFIG_BYTES = 16_000_000
_MAX_DEPTH = 100
_MAX_ECHO = 80
# How the hub's cache names the folder of a repository: models--owner--name.
REPOSITORY_PREFIX = "models--"


def printable(text: str) -> str:
    """`text` as one line without control characters."""
    return "".join(character if character.isprintable() else "?" for character in text)


def shortened(text: str) -> str:
    """`text` as it may stand in a sentence: one printable line that is not long."""
    line = printable(text)
    return line if len(line) <= _MAX_ECHO else line[: _MAX_ECHO - 1] + "…"


def folder_name(path: Path) -> str:
    """What a sentence calls the folder: `owner/name` for a snapshot in the hub's cache.

    A snapshot's own name is a hash, and the root of a disk has none.
    """
    repository = path.parent.parent.name
    if path.parent.name == "snapshots" and repository.startswith(REPOSITORY_PREFIX):
        return shortened(repository.removeprefix(REPOSITORY_PREFIX).replace("--", "/", 1))
    return shortened(path.name if path.name.strip() else str(path))


def is_there(file: Path, kind: type[ModelError]) -> bool:
    """Whether there is such a file; `kind` where something else has its name, or it is shut."""
    try:
        mode = file.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        if file.is_symlink():
            raise kind(_broken_link_sentence(file), str(error)) from error
        return False
    except PermissionError as error:
        sentence = f"{folder_name(file.parent)} cannot be read; check its permissions."
        raise kind(sentence, str(error)) from error
    except OSError as error:
        sentence = f"{shortened(file.name)} cannot be read."
        is_circle = error.errno == errno.ELOOP
        raise kind(_broken_link_sentence(file) if is_circle else sentence, str(error)) from error
    if not stat.S_ISREG(mode):
        raise kind(f"{shortened(file.name)} cannot be read: it is not an ordinary file.")
    return True


def check_entries(path: Path) -> None:
    """Refuse pipes and devices, which the libraries would wait for, and a folder that is shut."""
    try:
        entries = [*path.iterdir(), *path.glob("additional_chat_templates/*")]
        odd = next(filter(_is_pipe_or_device, sorted(entries)), None)
    except OSError as error:
        sentence = f"{folder_name(path)} cannot be read; check its permissions."
        raise ModelConfigError(sentence, str(error)) from error
    if odd is not None:
        raise _kind_of(odd)(f"{shortened(odd.name)} cannot be read: it is not an ordinary file.")


def read_optional(file: Path, kind: type[ModelError]) -> Json:
    """A file's JSON object, or an empty one without the file."""
    return read_object(file, kind) if is_there(file, kind) else {}


def read_object(file: Path, kind: type[ModelError]) -> Json:
    """A file's JSON object, or `kind` with a sentence that names the file."""
    try:
        size = file.stat().st_size
        if size > _MAX_CONFIG_BYTES:
            raise kind(f"{file.name} has {size // 1_000_000} MB, too much to be a configuration.")
        value = parse_object(file.read_text(encoding="utf-8-sig"), levels=2)
    except PermissionError as error:
        raise kind(f"{file.name} cannot be read; check its permissions.", str(error)) from error
    except OSError as error:
        raise kind(f"{file.name} cannot be read.", str(error)) from error
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested without end
        raise kind(f"{file.name} is damaged: it is not valid JSON.", str(error)) from error
    if not isinstance(value, dict):
        raise kind(f"{file.name} is damaged: it holds no JSON object.")
    if _is_deeper(value, _MAX_DEPTH):
        raise kind(f"{file.name} is damaged: it is nested too deep for a configuration.")
    return value


def _kind_of(file: Path) -> type[ModelError]:
    if ".safetensors" in file.name:
        return WeightsError
    is_config = file.name.endswith("config.json") and not file.name.startswith("tokenizer")
    return ModelConfigError if is_config else TokenizerError


def _broken_link_sentence(file: Path) -> str:
    name = shortened(file.name)
    return f"{name} cannot be read: it is a link to a file that is not there."


def _is_pipe_or_device(entry: Path) -> bool:
    try:
        mode = entry.stat().st_mode
    except OSError:  # a broken link matters only where the file is wanted
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _is_deeper(value: object, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        level = inner
        if not level:
            return False
    return True
