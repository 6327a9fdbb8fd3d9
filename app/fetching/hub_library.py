"""The one place where the hub's own library is imported: HF_ENDPOINT can keep it from that."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.fetching.found import FetchError


def hub_library() -> Any:
    """The library itself; FetchError, as from all of these, where HF_ENDPOINT is no address."""
    with _importing():
        import huggingface_hub
    return huggingface_hub


def hub_constants() -> Any:
    """Its settings."""
    with _importing():
        from huggingface_hub import constants
    return constants


def hub_errors() -> Any:
    """What it raises."""
    with _importing():
        from huggingface_hub import errors
    return errors


def hub_utils() -> Any:
    """Its session and its locks."""
    with _importing():
        from huggingface_hub import utils
    return utils


@contextmanager
def _importing() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        sentence = "The hub's address is not usable; check HF_ENDPOINT."
        raise FetchError("offline", sentence, str(error)) from error
