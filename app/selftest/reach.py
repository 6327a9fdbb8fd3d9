"""Checks of what fetching a model needs of this machine; nothing is sent, no key is read."""

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points

from app.fetching.connection import plain_errors
from app.fetching.found import FetchError
from app.selftest.check import Check, CheckError

_BACKENDS = "keyring.backends"


def reach_checks() -> Iterator[Check]:
    """Whether a connection could be made here, and where a key would be kept."""
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("connections", _connections),
        ("keyring", _keyring),
    )
    for name, check in checks:
        try:
            yield Check(True, name, check())
        except (CheckError, FetchError) as error:
            yield Check(False, name, str(error))


def _connections() -> str:
    """The session of the hub's library: named certificates and proxies are read when it is made."""
    with plain_errors():
        from huggingface_hub.utils import get_session

        get_session()
    return "can be made"


def _keyring() -> str:
    """Its kinds are found by metadata, which a bundle can lose; that none runs is no fault."""
    import keyring
    from keyring.backends.fail import Keyring as NoKeyring

    if not entry_points(group=_BACKENDS):
        raise CheckError("the kinds of keyring are missing; install Draftscope again")
    found = keyring.get_keyring()
    if isinstance(found, NoKeyring):
        return "none runs here, so access keys are forgotten at the end"
    return f"{found.name} keeps access keys"
