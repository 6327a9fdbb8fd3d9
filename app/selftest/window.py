"""Checks that the window opens, in a process of its own that shows nothing."""

import os
import subprocess
import sys
from pathlib import Path

from app.selftest.check import Check

PATIENCE_SECONDS = 60.0
_PNG = b"\x89PNG\r\n\x1a\n"
_SMALLEST_PICTURE = 5_000


def app_command() -> list[str]:
    """What starts this program again; in a bundle the executable is the app itself."""
    if "frozen" in vars(sys):
        return [sys.executable]
    return [sys.executable, "-m", "app.main"]


def window_check(trace: Path, temporary: Path) -> Check:
    """Open a trace there and picture it, with settings and data of its own."""
    picture, home = temporary / "window.png", temporary / "home"
    try:
        home.mkdir()
        done = subprocess.run(
            [*app_command(), str(trace), "--screenshot", str(picture), "--data-dir", str(home)],
            env={
                **os.environ,
                "QT_QPA_PLATFORM": "offscreen",
                "HOME": str(home),
                "XDG_CONFIG_HOME": str(home),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        data = picture.read_bytes() if picture.exists() else b""
    except subprocess.TimeoutExpired:
        return Check(False, "window", f"not there within {PATIENCE_SECONDS:.0f} seconds")
    except OSError as error:
        return Check(False, "window", f"it cannot be started ({error.strerror})")
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return Check(False, "window", said[-1] if said else f"it ended with {done.returncode}")
    if not data.startswith(_PNG) or len(data) < _SMALLEST_PICTURE:
        return Check(False, "window", "it drew nothing")
    return Check(True, "window", f"opened and drawn, {len(data):,} bytes")
