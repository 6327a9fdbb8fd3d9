"""Whether a window can be opened here: where it cannot, Qt itself would abort the process."""

import ctypes
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QLibraryInfo

DISPLAY_SECONDS = 1.0
INSTEAD = "or QT_QPA_PLATFORM=offscreen to run without one."


def missing_display(environment: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """A sentence that says what to set where a window cannot be opened."""
    names = _platforms(environment)
    if not environment.get("QT_QPA_PLATFORM_PLUGIN_PATH") and not _has_plugin(names):
        wanted = ascii(";".join(sorted(names)))[:80]
        return f"Qt has no platform called {wanted}: unset QT_QPA_PLATFORM to open the window."
    if platform != "linux" or names - {"", "xcb", "wayland"}:
        return None
    if environment.get("WAYLAND_DISPLAY") and names != {"xcb"}:
        return None
    display = environment.get("DISPLAY", "")
    if not display or names == {"wayland"}:
        return f"There is no display: set DISPLAY to open the window, {INSTEAD}"
    if not _answers(display):
        shown = ascii(display)[1:-1][:80]
        return f"The display {shown} does not answer: set DISPLAY to one that does, {INSTEAD}"
    try:
        ctypes.CDLL("libxcb-cursor.so.0")
    except OSError:
        return f"Qt needs the system library libxcb-cursor0 for a window: install it, {INSTEAD}"
    return None


def _platforms(environment: Mapping[str, str]) -> frozenset[str]:
    """The platform plugins asked for; Qt takes the first that works, the empty name is its own."""
    wanted = environment.get("QT_QPA_PLATFORM", "")
    return frozenset(part.split(":")[0].strip().lower() for part in wanted.split(";"))


def _has_plugin(names: frozenset[str]) -> bool:
    """Whether one of these is installed; also where Qt keeps its plugins in some other way."""
    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    found = {file.stem.removeprefix("libq") for file in plugins.glob("libq*")}
    # A plugin may answer to further names: libqwayland to wayland-egl.
    return not found or any(name in ("", *found) or name.split("-")[0] in found for name in names)


def _answers(display: str) -> bool:
    """Whether an X server listens at `display`, such as :0 or host:10.0."""
    host, _, number = display.rpartition(":")
    index = number.split(".")[0]
    if not (index.isascii() and index.isdecimal()):
        return False
    is_local = host in ("", "unix")
    with socket.socket(socket.AF_UNIX if is_local else socket.AF_INET) as probe:
        probe.settimeout(DISPLAY_SECONDS)
        try:
            probe.connect(f"/tmp/.X11-unix/X{index}" if is_local else (host, 6000 + int(index)))
        except (OSError, OverflowError, ValueError):
            return is_local and _answers(f"localhost:{number}")
    return True
