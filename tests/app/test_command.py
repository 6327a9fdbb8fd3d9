"""The command: pictures end to end, one sentence and a status for everything that cannot be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.arguments import UsageError, missing_display, parse_arguments
from app.settings import Settings
from engine import SpeculationParams

ROOT = Path(__file__).parents[2]
SCRIPTED = """
import sys
from app.main import main
from tests.fakes.scripted_worker import ScriptedWorker, failing, saying
script = {script}
sys.exit(main(sys.argv[1:], lambda: ScriptedWorker(script)))
"""


def run(*arguments, script="saying('def f(x): return x\\n' * 40)", **environment):
    return subprocess.run(
        [sys.executable, "-c", SCRIPTED.format(script=script), *arguments],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def sentences(done):
    return [x for x in done.stderr.splitlines() if x and "This plugin does not" not in x]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_of_the_reply_is_saved(tmp_path, theme):
    picture, trace = tmp_path / "out.png", tmp_path / "out.jsonl"
    done = run(
        *("--prompt", "hello", "--screenshot", str(picture), "--trace", str(trace)),
        *("--theme", theme, "--size", "1000x700"),
    )
    assert done.returncode == 0, done.stderr
    assert sentences(done) == []
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1000, 700)
    assert (image.pixelColor(700, 650).lightness() > 128) is (theme == "light")
    assert trace.exists()


def test_a_reply_that_fails_is_pictured_and_status_1(tmp_path):
    picture = tmp_path / "out.png"
    done = run(
        "--prompt", "hi", "--screenshot", str(picture), script="failing('It cannot be done.')"
    )
    assert done.returncode == 1
    assert sentences(done) == ["It cannot be done."]
    assert picture.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--prompt", "x", "--screenshot", "/nowhere/at/all.png"], "folder does not exist"),
        (["--trace", "/"], "is a folder"),
        (["--screenshot", "x.png"], "needs --prompt"),
        (["--size", "big"], "1440x900"),
        (["--temperature", "nan"], "temperature"),
        (["--draft-length", "0"], "draft length"),
        (["--max-tokens", "-1"], "max-tokens"),
        (["--seed", "-4"], "seed"),
        (["--wrong"], "--wrong"),
    ],
)
def test_bad_usage_is_one_sentence(arguments, words):
    with pytest.raises(UsageError, match=words) as raised:
        parse_arguments(arguments, Settings())
    assert "\n" not in str(raised.value)


def test_bad_usage_ends_with_status_2():
    done = run("--size", "big")
    assert done.returncode == 2
    assert len(sentences(done)) == 1


def test_without_a_display_one_sentence_says_what_to_set():
    done = run(QT_QPA_PLATFORM="", DISPLAY="", WAYLAND_DISPLAY="")
    if sys.platform == "linux":
        assert done.returncode == 2
        assert sentences(done) == [missing_display({}, "linux")]
    assert "QT_QPA_PLATFORM=offscreen" in missing_display({}, "linux")
    assert "does not answer" in missing_display({"DISPLAY": ":7654"}, "linux")
    assert "does not answer" in missing_display({"DISPLAY": "nonsense"}, "linux")
    assert missing_display({"QT_QPA_PLATFORM": "offscreen"}, "linux") is None
    assert missing_display({}, "darwin") is None


def test_flags_lie_over_remembered_settings():
    settings = Settings(replay=False, draft_length=4)
    assert parse_arguments([], settings).speculation == SpeculationParams(
        replay=False, draft_length=4
    )
    given = parse_arguments(["--draft-length", "auto", "--no-speculation"], settings)
    assert given.speculation == SpeculationParams(enabled=False, replay=False)


def test_mlx_is_not_imported_by_the_window():
    code = "import sys, app.main; sys.exit('mlx' in sys.modules or 'mlx_lm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == 0
