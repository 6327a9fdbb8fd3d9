"""One app for a folder: a second start hands its file over, whatever lies or waits at the door."""

import os
import shutil
import socket
import stat
import tempfile
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from app.arguments import parse_arguments
from app.main import instance
from app.main.instance import MAX_BYTES, Door, hand_over, may_hand_over, socket_path
from app.settings import Settings

TRACE = str(Path(__file__).parents[1] / "traces" / "local.jsonl")


@pytest.fixture(autouse=True)
def short_home(monkeypatch):
    """A socket's address has room for little."""
    home = Path(tempfile.mkdtemp(prefix="ds-"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    yield home
    shutil.rmtree(home)


@pytest.fixture
def make_door(tmp_path, qtbot):
    root = QObject()
    doors = []

    def make(folder=tmp_path):
        door = Door(folder, root)
        door.heard = []
        door.asked.connect(door.heard.append)
        doors.append(door)
        assert door.open()
        return door

    yield make
    for door in doors:
        door.close()
    root.deleteLater()


def called(qtbot, *arguments):
    """Hand over as another process does, while this one's loop goes on."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(hand_over(*arguments)))
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive(), timeout=10_000)
    thread.join()
    return answers[0]


def sent(qtbot, folder, data: bytes, *, wait=True) -> bytes:
    """What the door answers to raw bytes."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(socket_path(folder)))
        caller.sendall(data)
        if not wait:
            return b""
        caller.setblocking(False)
        answer = []

        def is_there() -> bool:
            try:
                answer.append(caller.recv(100))
            except BlockingIOError:
                return False
            except ConnectionResetError:
                answer.append(b"")
            return True

        qtbot.waitUntil(is_there, timeout=10_000)
        return answer[0]


def test_a_file_is_handed_over(make_door, qtbot, tmp_path, monkeypatch):
    door = make_door()
    assert called(qtbot, tmp_path, Path("/some/trace.jsonl"))
    monkeypatch.chdir(tmp_path)
    assert called(qtbot, tmp_path, Path("näher \udcff.jsonl"))
    assert called(qtbot, tmp_path, None)
    assert door.heard == [Path("/some/trace.jsonl"), tmp_path / "näher \udcff.jsonl", None]


def test_without_anybody_there_nothing_is_handed_over(tmp_path):
    assert not hand_over(tmp_path, None)


def test_another_folder_is_another_app(make_door, tmp_path):
    make_door(tmp_path / "one")
    assert not hand_over(tmp_path / "two", None)


def test_the_same_folder_by_another_name_is_the_same_app(make_door, qtbot, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "one")
    make_door(tmp_path / "one")
    assert called(qtbot, tmp_path / "link", None)


def test_what_a_killed_app_left_is_no_hindrance(make_door, qtbot, tmp_path):
    path = socket_path(tmp_path)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert path.exists()
    assert not hand_over(tmp_path, None)
    door = make_door()
    assert called(qtbot, tmp_path, None)
    assert door.heard == [None]
    door.close()
    assert not path.exists()


def test_the_door_of_another_is_not_taken_away(make_door, tmp_path):
    first = make_door()
    second = make_door()
    first.close()
    assert socket_path(tmp_path).exists()
    second.close()
    assert not socket_path(tmp_path).exists()


def test_one_that_hangs_is_waited_for_a_moment_only(tmp_path):
    path = socket_path(tmp_path)
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(str(path))
        hanging.listen(1)
        assert not hand_over(tmp_path, None, 0.1)


def test_nobody_else_can_reach_it(make_door, tmp_path):
    make_door()
    path = socket_path(tmp_path)
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_place_that_others_can_write_is_not_used(tmp_path, monkeypatch, short_home):
    place = socket_path(tmp_path).parent
    place.chmod(0o777)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    assert socket_path(tmp_path) is None
    root = QObject()
    assert not Door(tmp_path, root).open()
    assert not hand_over(tmp_path, None)
    place.chmod(stat.S_IRWXU)
    shutil.rmtree(place)
    (short_home / "elsewhere").mkdir(mode=0o700)
    place.symlink_to(short_home / "elsewhere")
    assert socket_path(tmp_path) is None


def test_a_home_with_a_long_name_has_a_door_elsewhere(tmp_path, monkeypatch, short_home):
    monkeypatch.setenv("XDG_CACHE_HOME", str(short_home / ("long" * 30)))
    monkeypatch.setenv("HOME", str(short_home / ("long" * 30)))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(short_home))
    path = socket_path(tmp_path)
    assert path.parent.parent == short_home
    assert len(os.fsencode(path)) <= instance._MAX_ADDRESS


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"[]\n",
        b"{\n",
        b"\xff\xfe\n",
        b"[" * 20_000 + b"\n",
        b'{"open": "relative"}\n',
        b'{"open": 5}\n',
        b'{"open": "/a\\u0000b"}\n',
        b'{"close": "/a"}\n',
        b"x" * (MAX_BYTES + 10),
    ],
)
def test_nonsense_is_not_heard(make_door, qtbot, tmp_path, data):
    door = make_door()
    assert sent(qtbot, tmp_path, data) == b""
    assert door.heard == []
    assert called(qtbot, tmp_path, None)


def test_a_line_may_come_in_pieces(make_door, qtbot, tmp_path):
    door = make_door()
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(socket_path(tmp_path)))
        for part in (b'{"op', b'en": "/a', b'"}'):
            caller.sendall(part)
            qtbot.wait(30)
        assert door.heard == []
        caller.sendall(b"\n")
        qtbot.waitUntil(lambda: door.heard == [Path("/a")], timeout=5_000)


def test_callers_that_say_nothing_are_sent_away(make_door, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(instance, "_CALLER_MS", 50)
    door = make_door()
    idle = []
    for _ in range(instance._MOST_CALLERS + 4):
        caller = socket.socket(socket.AF_UNIX)
        caller.setblocking(True)
        caller.settimeout(5)
        caller.connect(str(socket_path(tmp_path)))
        idle.append(caller)
        qtbot.wait(1)
    qtbot.waitUntil(lambda: not door._callers, timeout=5_000)
    assert called(qtbot, tmp_path, None)
    assert all(caller.recv(1) == b"" for caller in idle)
    for caller in idle:
        caller.close()


def test_a_name_that_is_too_long_is_not_handed_over(make_door, tmp_path):
    make_door()
    assert not hand_over(tmp_path, Path("/" + "x" * MAX_BYTES))


@pytest.mark.parametrize(
    ("argv", "may"),
    [
        ([], True),
        ([TRACE], True),
        (["--model", "demo"], False),
        (["--model", "other"], False),
        ([TRACE, "--model", "demo"], False),
        (["--prompt", "x"], False),
        ([TRACE, "--screenshot", "x.png"], False),
        ([TRACE, "--step", "3"], False),
        ([TRACE, "--pane", "step"], False),
        (["--trace", "out.jsonl"], False),
        (["--no-speculation"], False),
        (["--seed", "3"], False),
        (["--size", "900x700"], False),
    ],
)
def test_only_a_plain_start_is_handed_over(argv, may, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert may_hand_over(parse_arguments(argv, Settings())) is may
