"""The hub's address in the environment, made harmless where it is none."""

import os
from urllib.parse import urlsplit

_VARIABLE = "HF_ENDPOINT"


def settle_hub_address() -> None:
    """Loading asks no hub, but its library, imported with the rest, fails on an odd address."""
    try:
        urlsplit(os.environ.get(_VARIABLE, ""))
    except ValueError:
        os.environ[_VARIABLE] = f"unusable:{os.environ[_VARIABLE]}"
