"""A hub on 127.0.0.1 that can be slow, fall silent, drop, refuse, lie, and send elsewhere.

What it is to do with a file is a list of tricks, one for each request, the last one for good. It
counts the bytes of bodies that it sent and keeps the headers that it was asked with.
"""

import hashlib
import json
import socket
import ssl
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT = "c" * 40


@dataclass
class Trick:
    """What to do with one request; `after` is how much of the body is sent before it happens."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    after: int | None = None
    is_silent: bool = False  # stays open and says nothing more
    is_mute: bool = False  # says nothing at all
    ignores_ranges: bool = False
    redirects_to: str = ""
    is_chunked: bool = False
    piece: int = 1 << 16
    pause: float = 0.0  # between two pieces
    body: bytes | None = None  # in place of the file


class HubServer:
    """One model, `owner/model`, unless `models` has more."""

    def __init__(self, secure: ssl.SSLContext | None = None) -> None:
        self._secure = secure
        self.files: dict[str, bytes] = {}
        self.large: set[str] = set()
        self.about: dict[str, object] = {}
        self.rows: list[dict[str, object]] = []
        self.tricks: defaultdict[str, list[Trick]] = defaultdict(list)
        self.served: Counter[str] = Counter()
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.released = threading.Event()
        self.commit = COMMIT
        self.on_sent: Callable[[str, int], None] = lambda _name, _count: None
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        hub = self

        class Handler(_Handler):
            owner = hub

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if secure:
            self._server.socket = secure.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http{'s' if self._secure else ''}://127.0.0.1:{self._server.server_address[1]}"

    def trick_of(self, name: str) -> Trick:
        """What is done with this request."""
        with self._lock:
            tricks = self.tricks[name]
            return tricks.pop(0) if len(tricks) > 1 else tricks[0] if tricks else Trick()

    def note(self, connection: socket.socket) -> None:
        """A connection that is closed at the end."""
        with self._lock:
            self._sockets.append(connection)

    def count(self, name: str, size: int) -> None:
        """So many bytes of a file were sent."""
        with self._lock:
            self.served[name] += size
            total = self.served[name]
        self.on_sent(name, total)

    def requests_for(self, name: str) -> list[dict[str, str]]:
        """The headers of every request for a file."""
        return [headers for path, headers in self.asked if path.endswith(f"/{name}")]

    def listing(self) -> dict[str, object]:
        """What it says of the model."""
        siblings = []
        for name, body in self.files.items():
            sibling: dict[str, object] = {"rfilename": name, "size": len(body)}
            sibling["blobId"] = git_sha1(body)
            if name in self.large:
                sha256 = hashlib.sha256(body).hexdigest()
                sibling["lfs"] = {"size": len(body), "sha256": sha256, "pointerSize": 130}
            siblings.append(sibling)
        return {"id": "owner/model", "sha": self.commit, "siblings": siblings} | self.about

    def close(self) -> None:
        """Let go of everybody."""
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        for connection in self._sockets:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    owner: HubServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.owner.note(self.connection)

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.asked.append((self.path, headers))
        if path == "/api/models":
            self._search(path)
        elif path.startswith("/api/models/"):
            self._answer("listing", json.dumps(self.owner.listing()).encode())
        else:
            name = path.split("/resolve/")[-1].split("/", 1)[-1]
            self._answer(name, self.owner.files.get(name))

    def log_message(self, *_parts: object) -> None:
        return

    def _search(self, path: str) -> None:
        query = parse_qs(urlsplit(self.path).query)
        text = query.get("search", [""])[0].lower()
        tags = set(query.get("filter", []))
        rows = [
            row
            for row in self.owner.rows
            if text in str(row["id"]).lower() and tags <= set(row["tags"])
        ]
        self._answer("search", json.dumps(rows).encode())

    def _answer(self, name: str, body: bytes | None) -> None:
        trick = self.owner.trick_of(name)
        if trick.is_mute:
            self.owner.released.wait()
            self.close_connection = True
            return
        if trick.redirects_to:
            self._head(302, {"location": trick.redirects_to + self.path, "content-length": "0"})
            return
        if body is None and trick.status == 200:
            trick = Trick(404, {"x-error-code": "EntryNotFound"})
        if trick.status >= 400:
            self._head(trick.status, {"content-length": "0"} | trick.headers)
            return
        body = trick.body if trick.body is not None else body or b""
        start = 0 if trick.ignores_ranges else _start(self.headers.get("range", ""))
        status, headers = 200, {"content-length": str(len(body) - start)}
        if start:
            status = 206
            headers["content-range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        if trick.is_chunked:
            headers = {"transfer-encoding": "chunked"}
        self._head(status, headers | trick.headers)
        self._send(name, body[start:], trick)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, name: str, body: bytes, trick: Trick) -> None:
        end = len(body) if trick.after is None else min(trick.after, len(body))
        for start in range(0, end, trick.piece):
            piece = body[start : min(start + trick.piece, end)]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if trick.is_chunked else piece)
            self.owner.count(name, len(piece))
            if trick.pause and self.owner.released.wait(trick.pause):
                break
        if trick.is_silent:
            self.owner.released.wait()
        elif trick.is_chunked:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = self.close_connection or end < len(body) or trick.is_silent


def git_sha1(body: bytes) -> str:
    """What git names a file."""
    digest = hashlib.sha1(b"blob %d\0" % len(body), usedforsecurity=False)
    digest.update(body)
    return digest.hexdigest()


def _start(text: str) -> int:
    return int(text.removeprefix("bytes=").split("-")[0]) if text.startswith("bytes=") else 0
