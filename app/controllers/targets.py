"""What a model is loaded by: `demo`, a folder, or its name in the hub's cache; is it there?"""

import os
from pathlib import Path

from app.fetching.cache_layout import repository_name
from app.fetching.found import FetchError
from app.fetching.hub_library import hub_constants
from engine import DEMO


def hub_cache() -> Path:
    """Where the hub's own programs keep what they fetch."""
    try:
        return Path(hub_constants().HF_HUB_CACHE)
    except FetchError:  # HF_ENDPOINT forbids to ask: where it is if nothing else is set
        home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
        return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub").expanduser()


def is_here(target: str) -> bool:
    """Whether there is a folder to load it from; what lies in it is not looked at."""
    try:
        if target == DEMO or (target and Path(target).expanduser().is_dir()):
            return True
        return bool(target) and (hub_cache() / repository_name(target)).is_dir()
    except (OSError, RuntimeError, ValueError):  # a part too long, an unknown ~user, a zero byte
        return False


def whole_target(name: str) -> str:
    """The whole path of a folder that was named from here; any other name as it is."""
    try:
        is_name = name in ("", DEMO) or not Path(name).expanduser().is_dir()
        return name if is_name else os.path.abspath(Path(name).expanduser())
    except (OSError, RuntimeError, ValueError):
        return name
