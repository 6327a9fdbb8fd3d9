"""What the bundle's program leaves of its own environment to the processes it starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCH = Path(__file__).resolve().parents[2] / "packaging" / "launch.py"
RESET = "PYINSTALLER_RESET_ENVIRONMENT"
COMMAND = """
import json, os
def command():
    print(json.dumps(dict(os.environ)))
"""


def environment(tmp_path: Path, **variables: str) -> dict[str, str]:
    """The environment in which the app's command runs, started with these variables."""
    (tmp_path / "app" / "main").mkdir(parents=True)
    (tmp_path / "app" / "__init__.py").touch()
    (tmp_path / "app" / "main" / "__init__.py").write_text(COMMAND)
    started = {key: value for key, value in os.environ.items() if not key.startswith("LD_LIB")}
    done = subprocess.run(
        [sys.executable, str(LAUNCH)],
        env=started | {"PYTHONPATH": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("theirs", ["", "/opt/theirs"])
def test_children_get_the_libraries_of_the_person(theirs: str, tmp_path: Path) -> None:
    original = {"LD_LIBRARY_PATH_ORIG": theirs} if theirs else {}
    found = environment(tmp_path, LD_LIBRARY_PATH=str(tmp_path / "bundle"), **original)
    assert found.get("LD_LIBRARY_PATH", "") == theirs
    assert "LD_LIBRARY_PATH_ORIG" not in found


def test_a_second_draftscope_finds_its_libraries_anew(tmp_path: Path) -> None:
    assert environment(tmp_path)[RESET] == "1"
