"""The person's key for gated models, kept by the system's keyring."""

import threading

from app.fetching.found import FetchError
from app.fetching.hub_library import hub_constants, hub_library

_SERVICE, _USER = "Draftscope", "model hub key"
_FORGOTTEN = "The key is forgotten here, but the system's keyring could not remove it."
_KEPT_FOR_NOW = (
    "The key is used until Draftscope is closed; this machine has no keyring that could keep it."
)

_lock = threading.Lock()
_own: str | None = None
_is_read = False


def read_token() -> str | None:
    """The person's own key, else that of the environment or of the hub's own login.

    FetchError where the file of a login cannot be read. The keyring is asked once in a run. It
    may ask the person first: not for the window's thread.
    """
    global _own, _is_read
    with _lock:
        if not _is_read:
            _own, _is_read = _from_keyring(), True
        own = _own
    if own:
        return own
    return _of_the_hub()


def keep_token(text: str) -> str | None:
    """Use and keep a key, or forget it where `text` is empty; a sentence if it cannot be kept."""
    global _own, _is_read
    token = "".join(text.split())
    if not token.isascii() or not token.isprintable():
        return "This is not a key of the hub: it has characters that a key never has."
    with _lock:
        _own, _is_read = token or None, True
    return _into_keyring(token)


def _of_the_hub() -> str | None:
    try:
        return hub_library().get_token() or None
    except NotADirectoryError:
        return None
    except (OSError, ValueError) as error:
        place = hub_constants().HF_TOKEN_PATH
        sentence = (
            f"The hub's key in {place} cannot be read; allow yourself to, remove the file, or "
            "enter a key here."
        )
        raise FetchError("unauthorized", sentence, str(error)) from error


def _from_keyring() -> str | None:
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_SERVICE, _USER)
    except (KeyringError, OSError, RuntimeError):  # none on this machine, or it stays locked
        return None


def _into_keyring(token: str) -> str | None:
    import keyring
    from keyring.errors import KeyringError, NoKeyringError

    try:
        if token:
            keyring.set_password(_SERVICE, _USER, token)
        elif keyring.get_password(_SERVICE, _USER) is not None:
            keyring.delete_password(_SERVICE, _USER)
    except NoKeyringError:
        return _KEPT_FOR_NOW if token else None
    except (KeyringError, OSError, RuntimeError):
        return _KEPT_FOR_NOW if token else _FORGOTTEN
    return None
