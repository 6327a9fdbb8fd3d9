"""Requests to the hub: what may be waited for, and one sentence for every refusal.

The session is the hub library's own, so that proxies, certificates and HF_HUB_OFFLINE hold here as
they hold there. Its headers are not: they tell more of this machine than a download needs.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from importlib import import_module
from time import time
from typing import Any
from urllib.parse import urlsplit

from app.fetching.found import FetchError, FetchFault
from app.fetching.hub_library import hub_errors, hub_utils

ANSWER_SECONDS = 10.0
_LONGEST_RETRY_AFTER = 600.0
_MOST_ANSWER_BYTES = 20_000_000
_PASSING = frozenset((408, 425, 429))

Params = Mapping[str, str | int | list[str]]


class SetbackError(FetchError):
    """What may be better in a moment; `wait` where the hub says when, in seconds."""

    def __init__(
        self, fault: FetchFault, sentence: str, details: str = "", wait: float | None = None
    ) -> None:
        super().__init__(fault, sentence, details)
        self.wait = wait


def http_library() -> Any:
    """What the hub's library is built on: httpx or httpx2, by its release."""
    return import_module(hub_errors().HTTPError.__module__.partition(".")[0])


def get_json(url: str, params: Params, token: str | None, name: str) -> Any:
    """The JSON at an address of the hub; `name` is what was asked about."""
    asked: dict[str, Any] = {"params": params, "headers": _headers(token)}
    asked |= {"timeout": ANSWER_SECONDS, "follow_redirects": True}
    with plain_errors():
        session = hub_utils().get_session()
        with session.stream("GET", url, **asked) as response:
            _check_status(response, url, name, has_token=token is not None)
            text = _bounded(response)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # no JSON, or nested without end
        sentence = "The hub's answer cannot be read; try again later."
        raise SetbackError("server", sentence, str(error)) from error


def open_file(url: str, start: int, token: str | None, name: str, stall_seconds: float) -> Any:
    """A response whose body is the file from byte `start` on; it must be closed."""
    headers = _headers(token) | {"accept-encoding": "identity"}
    if start:
        headers["range"] = f"bytes={start}-"
    with plain_errors():
        session, http = hub_utils().get_session(), http_library()
        timeout = http.Timeout(stall_seconds, connect=min(ANSWER_SECONDS, stall_seconds))
        request = session.build_request("GET", url, headers=headers, timeout=timeout)
        response = session.send(request, stream=True, follow_redirects=True)
        try:
            _check_status(response, url, name, has_token=token is not None)
        except FetchError:
            response.close()
            raise
        return response


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns everything that the hub's library raises into a FetchError."""
    errors, http = hub_errors(), http_library()
    try:
        yield
    except FetchError:
        raise
    except errors.OfflineModeIsEnabled as error:
        sentence = (
            "The hub is not asked, because HF_HUB_OFFLINE is set; "
            "unset it and start Draftscope again."
        )
        raise FetchError("offline", sentence, str(error)) from error
    except errors.HTTPError as error:
        raise _broken(error, http) from error
    # A proxy or certificates, badly named; for a SOCKS proxy the session lacks a package.
    except (http.InvalidURL, OSError, ValueError, ImportError) as error:
        sentence = (
            "The hub cannot be reached; check HF_ENDPOINT and this machine's settings for "
            "proxies and certificates."
        )
        raise FetchError("offline", sentence, str(error)) from error


def _bounded(response: Any) -> bytearray:
    text = bytearray()
    for chunk in response.iter_bytes(65_536):  # unpacked piece by piece: a small one can be huge
        text += chunk
        if len(text) > _MOST_ANSWER_BYTES:
            sentence = "The hub's answer is too long to be one; check HF_ENDPOINT."
            raise FetchError("server", sentence, f"more than {_MOST_ANSWER_BYTES} bytes")
    return text


def _headers(token: str | None) -> dict[str, str]:
    plain = {"user-agent": "draftscope"}
    return plain | {"authorization": f"Bearer {token}"} if token else plain


def _broken(error: Any, http: Any) -> FetchError:
    details = f"{type(error).__name__}: {error}"
    if "CERTIFICATE_VERIFY_FAILED" in details:
        sentence = (
            "The hub's certificate is not trusted here; check this machine's date, and the "
            "certificates of a proxy if there is one."
        )
        return FetchError("offline", sentence, details)
    if isinstance(error, http.UnsupportedProtocol):
        sentence = "The hub's address is not usable; check HF_ENDPOINT."
        return FetchError("offline", sentence, details)
    if isinstance(error, http.ConnectError | http.ConnectTimeout | http.ProxyError):
        sentence = "The hub cannot be reached; check the internet connection."
        return SetbackError("offline", sentence, details)
    if isinstance(error, http.TimeoutException):
        return SetbackError("stalled", "Nothing came from the hub for a while.", details)
    return SetbackError("server", "The connection to the hub broke.", details)


def _check_status(response: Any, url: str, name: str, *, has_token: bool) -> None:
    status = int(response.status_code)
    if status in (200, 206):
        return
    code = str(response.headers.get("x-error-code", ""))
    details = f"HTTP {status} {code} {response.headers.get('x-error-message', '')}".strip()
    is_hub = urlsplit(str(response.url)).netloc == urlsplit(url).netloc
    if status in _PASSING or status >= 500:
        sentence = f"The hub has a problem of its own just now ({status})."
        if status == 429:
            sentence = "The hub asks to wait: there were too many requests from here."
        raise SetbackError("server", sentence, details, _retry_after(response.headers))
    if status == 416 or not is_hub:  # a signed address may have run out: the next one is fresh
        raise SetbackError("server", "The hub did not give the file.", details)
    raise _refused(status, code, name, details, has_token=has_token)


def _refused(status: int, code: str, name: str, details: str, *, has_token: bool) -> FetchError:
    if code == "GatedRepo":
        then = "and try again" if has_token else "and enter your key here"
        sentence = (
            f"{name} is only for people who have accepted its terms; accept them on its page on "
            f"the hub, {then}."
        )
        return FetchError("gated", sentence, details)
    if code == "RevisionNotFound":
        sentence = f"This version of {name} is no longer on the hub; remove it and get it again."
        return FetchError("not_found", sentence, details)
    if code in ("RepoNotFound", "EntryNotFound") or status in (404, 410):
        sentence = f"The hub has no {name}; check the name, or enter a key if it is private."
        return FetchError("not_found", sentence, details)
    if status == 401:
        sentence = (
            "The hub does not take your key; enter a valid one."
            if has_token
            else f"The hub has no {name} for everyone; check the name, or enter a key."
        )
        return FetchError("unauthorized", sentence, details)
    if status == 403:
        sentence = f"You are not allowed to get {name}; ask its owner, or use another key."
        return FetchError("unauthorized", sentence, details)
    sentence = f"The hub refuses to give {name} ({status}); try again later."
    return FetchError("server", sentence, details)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    text = headers.get("retry-after", "").strip()
    try:
        is_date = not text.isdecimal()
        seconds = parsedate_to_datetime(text).timestamp() - time() if is_date else float(text)
    except (ValueError, OverflowError, OSError):
        return None
    return min(max(seconds, 0.0), _LONGEST_RETRY_AFTER)
