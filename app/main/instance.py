"""One app at a time for a folder of data: a second start hands what it was to open to the first.

They meet at a socket in the person's own cache folder, which nobody else can reach. What a caller
may say is one short line: a file to open, or nothing, to come to the front.
"""

import hashlib
import json
import os
import socket
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path
from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal

from app.arguments import Arguments

PATIENCE_SECONDS = 1.0
MAX_BYTES = 32_768
# Some systems have room for no more than 104 bytes in a socket's address.
_MAX_ADDRESS = 100
_MOST_CALLERS = 8
_CALLER_MS = 2000
_TAKEN = b"ok\n"


def socket_path(folder: Path) -> Path | None:
    """Where the app of this data folder listens; None where no safe place is to be had."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
    places = (
        user_cache_path("draftscope", appauthor=False) / "doors",
        Path(tempfile.gettempdir()) / f"draftscope-{os.geteuid()}",
    )
    for place in places:
        path = place / name
        if len(os.fsencode(path)) <= _MAX_ADDRESS and _is_own(place):
            return path
    return None


def may_hand_over(arguments: Arguments) -> bool:
    """Whether nothing was asked for but the app, or a file to open in it."""
    asked = (
        *(arguments.prompt, arguments.screenshot, arguments.trace, arguments.step),
        *(arguments.size, arguments.max_tokens, arguments.reuse_budget_bytes),
    )
    is_plain = not arguments.has_sampling and not arguments.flags and not arguments.system
    is_usual = arguments.pane == "live" and not arguments.names_model
    return is_plain and is_usual and all(each is None for each in asked)


def hand_over(folder: Path, opened: Path | None, patience: float = PATIENCE_SECONDS) -> bool:
    """Have the app that keeps this folder open a file, or come to the front; whether it will."""
    path = socket_path(folder)
    if path is None or not path.exists():
        return False
    end = time.monotonic() + patience
    said = {} if opened is None else {"open": str(opened.absolute())}
    line = json.dumps(said).encode() + b"\n"
    if len(line) > MAX_BYTES:
        return False
    try:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(patience)
            caller.connect(str(path))
            caller.sendall(line)
            return _answer(caller, end) == _TAKEN
    except OSError:
        return False


def _answer(caller: socket.socket, end: float) -> bytes:
    answer = b""
    while len(answer) < len(_TAKEN):
        caller.settimeout(max(end - time.monotonic(), 0.001))
        part = caller.recv(len(_TAKEN) - len(answer))
        if not part:
            break
        answer += part
    return answer


def _is_own(place: Path) -> bool:
    """Whether it is a folder that this person alone can use; made where nothing is."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.lstat()
    except OSError:
        return False
    is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
    return is_private and status.st_uid == os.geteuid()


class Door(QObject):
    """Listens for later starts: `asked` has the file to open, or None.

    Only who holds the lock of the data folder may open it: what is there is then stale.
    """

    asked = Signal(object)

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._path: Path | None = None
        self._socket: socket.socket | None = None
        self._identity = (-1, -1)
        self._notifier: QSocketNotifier | None = None
        self._callers: set[_Caller] = set()

    def open(self) -> bool:
        """Listen from here on; whether that can be."""
        self._path = socket_path(self._folder)
        if self._path is None:
            return False
        listener = socket.socket(socket.AF_UNIX)
        try:
            self._path.unlink(missing_ok=True)
            listener.setblocking(False)
            listener.bind(str(self._path))
            self._path.chmod(0o600)
            listener.listen(_MOST_CALLERS)
            status = self._path.stat()
        except OSError:
            listener.close()
            return False
        self._socket, self._identity = listener, (status.st_dev, status.st_ino)
        self._notifier = QSocketNotifier(listener.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._accept)
        return True

    def close(self) -> None:
        """Listen no longer."""
        if self._socket is None or self._notifier is None or self._path is None:
            return
        for caller in list(self._callers):
            caller.close()
        self._notifier.setEnabled(False)
        self._socket.close()
        self._socket = None
        with suppress(OSError):
            status = self._path.stat()
            if (status.st_dev, status.st_ino) == self._identity:
                self._path.unlink()

    def _accept(self) -> None:
        while self._socket is not None:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            if len(self._callers) >= _MOST_CALLERS:
                connection.close()
                continue
            caller = _Caller(connection, self)
            self._callers.add(caller)
            caller.said.connect(self._on_said)
            caller.gone.connect(self._callers.discard)

    def _on_said(self, line: object) -> None:
        self.asked.emit(line)


class _Caller(QObject):
    """One connection: a line is read, and answered if it makes sense; it has not long for that."""

    said = Signal(object)
    gone = Signal(object)

    def __init__(self, connection: socket.socket, parent: QObject) -> None:
        super().__init__(parent)
        connection.setblocking(False)
        self._connection, self._line = connection, b""
        self._notifier = QSocketNotifier(connection.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.close)
        self._timer.start(_CALLER_MS)

    def close(self) -> None:
        """End the connection."""
        self._timer.stop()
        self._notifier.setEnabled(False)
        self._connection.close()
        self.gone.emit(self)
        self.deleteLater()

    def _read(self) -> None:
        try:
            part = self._connection.recv(MAX_BYTES)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        self._line += part
        if self._line.endswith(b"\n") and len(self._line) <= MAX_BYTES:
            self._take()
        elif not part or len(self._line) > MAX_BYTES:
            self.close()

    def _take(self) -> None:
        request = _request(self._line)
        if request is not None:
            with suppress(OSError):
                self._connection.send(_TAKEN)
        self.close()
        if request is not None:
            self.said.emit(request[0])


def _request(line: bytes) -> tuple[Path | None] | None:
    """What is asked for; None where that cannot be said."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if said == {}:
        return (None,)
    name = said.get("open") if isinstance(said, dict) else None
    if not isinstance(name, str) or not os.path.isabs(name) or "\0" in name:
        return None
    return (Path(name),)
