"""What the hub says: a search, and a model's files.

The hub library's own list_models has no time limit and retries for half a minute by itself, and it
trusts what it is answered; a person who types waits for neither. So the two addresses are asked
here, each within seconds, and the answers read field by field.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any, TypeGuard
from urllib.parse import quote, urlsplit

from app.fetching.connection import get_json, open_file
from app.fetching.found import FetchError, FoundModel, RemoteFile, RemoteModel
from app.fetching.hub_library import hub_constants
from app.fetching.outside import LARGEST, line, number
from app.fetching.selection import check_kind, needed
from app.fetching.token import read_token

_REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9_][\w.-]{0,95}", re.ASCII)
_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?(/[^\s?#]*)?", re.ASCII)
_NAME = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[^/\\\0][^\\\0]*")
_COMMIT, _SHA1, _SHA256 = (re.compile(f"[0-9a-f]{{{n}}}") for n in (40, 40, 64))
_FIELDS = ["downloads", "likes", "lastModified", "safetensors", "gated", "tags"]
_BYTES = {"F64": 8, "I64": 8, "U64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2}
_BYTES |= {"I16": 2, "U16": 2}
_MOST_TAGS = 1_000
_LATEST = 1e11  # in some thousand years
_BITS = re.compile(r"(\d)-?bit", re.IGNORECASE)


class Hub:
    """The hub at `endpoint` (HF_ENDPOINT, or the public one); every call blocks."""

    def __init__(
        self, endpoint: str | None = None, token: Callable[[], str | None] = read_token
    ) -> None:
        self._endpoint = endpoint
        self._token = token

    @property
    def endpoint(self) -> str:
        """The address without a slash at its end; FetchError where it is none."""
        address = str(self._endpoint or hub_constants().ENDPOINT).rstrip("/")
        if not _ADDRESS.fullmatch(address):
            sentence = "The hub's address is not usable; check HF_ENDPOINT."
            raise FetchError("offline", sentence, address)
        return address

    def search(self, text: str, limit: int = 40) -> tuple[FoundModel, ...]:
        """Models whose name holds `text`, MLX models first; without text the most used ones."""
        wanted = self._searchable(text)
        found = {each.repo: each for each in self._list(wanted, ["mlx"], limit)}
        if wanted and len(found) < limit:
            for each in self._list(wanted, ["safetensors"], limit):
                found.setdefault(each.repo, each)
        return tuple(found.values())[:limit]

    def model(self, repo: str, revision: str = "main") -> RemoteModel:
        """A model's files; FetchError also where it cannot be run here."""
        check_name(repo)
        url = f"{self.endpoint}/api/models/{repo}/revision/{quote(revision, safe='')}"
        about = get_json(url, {"blobs": "true"}, self._token(), repo)
        if not isinstance(about, dict) or not _is(about.get("sha"), _COMMIT):
            raise _nonsense(repo, "no commit")
        check_kind(repo, about)
        files = needed(repo, _files(repo, about.get("siblings")))
        if sum(file.size for file in files) > LARGEST:
            raise _nonsense(repo, "files larger than any disk")
        return RemoteModel(
            repo=repo,
            commit=about["sha"],
            files=files,
            license=_license(about),
            is_gated=bool(about.get("gated")),
        )

    def open(self, model: RemoteModel, name: str, start: int, stall_seconds: float) -> Any:
        """A response whose body is the file from byte `start` on; it must be closed."""
        url = f"{self.endpoint}/{model.repo}/resolve/{model.commit}/{quote(name)}"
        return open_file(url, start, self._token(), model.repo, stall_seconds)

    def _searchable(self, text: str) -> str:
        """An address that was pasted is searched by its owner/name."""
        wanted = " ".join(text.split())
        if "://" in wanted:
            wanted = "/".join(urlsplit(wanted).path.strip("/").split("/")[:2])
        return wanted[:200]

    def _list(self, text: str, tags: list[str], limit: int) -> list[FoundModel]:
        params: dict[str, str | int | list[str]] = {
            "filter": tags,
            "pipeline_tag": "text-generation",
            "sort": "downloads",
            "limit": limit,
            "expand": _FIELDS,
        }
        if text:
            params["search"] = text
        rows = get_json(f"{self.endpoint}/api/models", params, self._token(), "such a model")
        if not isinstance(rows, list):
            raise _nonsense("the search", "not a list")
        known = (row for row in rows if isinstance(row, dict) and _is(row.get("id"), _REPO))
        return [_found(row) for row in islice(known, limit)]


def check_name(repo: str) -> None:
    """FetchError unless it is `owner/name`."""
    if not _REPO.fullmatch(repo):
        sentence = "A model on the hub is named owner/name; check what you entered."
        raise FetchError("not_found", sentence, line(repo))


def _files(repo: str, siblings: object) -> Iterator[RemoteFile]:
    for each in siblings if isinstance(siblings, list) else []:
        name = each.get("rfilename") if isinstance(each, dict) else None
        if not _is(name, _NAME):
            continue
        large = each.get("lfs")
        sha256 = large.get("sha256") if isinstance(large, dict) else None
        size = number(large.get("size") if isinstance(large, dict) else each.get("size"))
        sha1 = None if sha256 else each.get("blobId")
        is_known = _is(sha256, _SHA256) if sha256 else _is(sha1, _SHA1)
        if size is None or not is_known:
            raise _nonsense(repo, f"no size or checksum of {line(name)}")
        yield RemoteFile(name=name, size=size, sha256=sha256, git_sha1=sha1)


def _found(row: dict[str, Any]) -> FoundModel:
    tags = tuple(_tags(row))
    weights = row.get("safetensors")
    counts = weights.get("parameters") if isinstance(weights, dict) else None
    held = counts.items() if isinstance(counts, dict) else ()
    sizes = {kind: n for kind, each in held if (n := number(each)) is not None}
    return FoundModel(
        repo=row["id"],
        num_downloads=number(row.get("downloads")),
        num_likes=number(row.get("likes")),
        changed=_when(row.get("lastModified")),
        num_parameters=number(_parameters(sizes, row["id"], tags)),
        # Types of one byte, and newer ones, are named I8, F8_E4M3 and so on.
        total_bytes=number(sum(n * _BYTES.get(kind, 1) for kind, n in sizes.items()) or None),
        license=_license(row),
        is_gated=bool(row.get("gated")),
        tags=tags,
    )


def _parameters(sizes: dict[str, int], repo: str, tags: tuple[str, ...]) -> int | None:
    """MLX packs several weights of few bits into a U32, and the hub counts these."""
    packed = sizes.get("U32", 0)
    others = sum(sizes.values()) - packed
    if not packed:
        return others or None
    bits = next((m[1] for text in (*tags, repo) if (m := _BITS.search(text))), None)
    if bits not in ("2", "3", "4", "5", "6", "8"):
        return None
    # Of each group of 64 there is a scale and a bias, no parameters of the model.
    weights = packed * 32 // int(bits)
    return weights + max(0, others - weights // 32)


def _license(about: dict[str, Any]) -> str:
    for tag in _tags(about):
        if tag.startswith("license:"):
            return line(tag.removeprefix("license:"))
    card = about.get("cardData")
    license = card.get("license") if isinstance(card, dict) else None
    return line(license) if isinstance(license, str) else ""


def _tags(about: dict[str, Any]) -> list[str]:
    tags = about.get("tags")
    held = tags[:_MOST_TAGS] if isinstance(tags, list) else []
    return [line(tag) for tag in held if isinstance(tag, str)]


def _when(value: object) -> float | None:
    if not isinstance(value, str):
        return None
    try:
        seconds = datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError):  # also a time that this system cannot count
        return None
    return seconds if 0 <= seconds <= _LATEST else None


def _is(value: object, pattern: re.Pattern[str]) -> TypeGuard[str]:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _nonsense(repo: str, details: str) -> FetchError:
    return FetchError("server", f"What the hub says of {repo} cannot be used.", details)
