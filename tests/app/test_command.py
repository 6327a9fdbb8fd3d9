"""The command: pictures end to end, one sentence and a status for everything that cannot be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.arguments import UsageError, parse_arguments
from app.main.display import missing_display
from app.main.picture import complain
from app.settings import Settings

ROOT = Path(__file__).parents[2]
TRACE = str(ROOT / "tests" / "traces" / "local.jsonl")
SCRIPTED = """
import sys
from app.main.start import main
from engine import Failed, Notice
from tests.fakes.scripted_worker import (
    ScriptedWorker, failing, reply_events, saying, steps_of
)
def breaking(job, request):
    *events, _ = reply_events(job, request, steps_of(["so", "far"]))
    yield Notice(job, "The trace ends here.")
    yield from events
    yield Failed(job, "It broke off.")
script = {script}
sys.exit(main(sys.argv[1:], lambda budget: ScriptedWorker(script)))
"""


def run(*arguments, script="saying('def f(x): return x\\n' * 40)", **environment):
    """Run the command over a scripted worker."""
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


def test_a_reply_that_fails_while_it_runs_is_pictured_and_status_1(tmp_path):
    picture = tmp_path / "out.png"
    done = run("--prompt", "hi", "--screenshot", str(picture), script="breaking")
    assert done.returncode == 1
    assert sentences(done) == ["The trace ends here.", "It broke off."]
    assert picture.exists()


def test_a_reply_that_is_refused_is_status_2(tmp_path):
    picture = tmp_path / "out.png"
    done = run("--prompt", "hi", "--screenshot", str(picture), script="failing('Too long.')")
    assert done.returncode == 2
    assert sentences(done) == ["Too long."]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--prompt", "x", "--screenshot", "/nowhere/at/all.png"], "folder does not exist"),
        (["--trace", "/"], "is a folder"),
        (["--trace", "x" * 300], "cannot be written: File name too long"),
        (["--prompt", "x", "--screenshot", "y" * 300 + ".png"], "cannot be written"),
        (["--prompt", "x", "--screenshot", "out.jpg"], "end it in .png"),
        (["--trace", "a\0b"], "not a name a file can have"),
        (["--screenshot", "x.png"], "needs --prompt"),
        (["--size", "big"], "1440x900"),
        (["--size", "99999x900"], "16384x16384"),
        (["--size", "900x" + "9" * 5_000], "1440x900"),
        (["--temperature", "nan"], "temperature"),
        (["--temperature", "hot " * 100], "is not a number"),
        (["--draft-length", "0"], "draft length"),
        (["--draft-length", "65"], "from 1 to 64"),
        (["--draft-length", "9" * 5_000], "from 1 to 64"),
        (["--draft-length", "²"], "from 1 to 64"),
        (["--theme", "p" * 5_000], "one of light, dark, auto"),
        (["--max-tokens", "-1"], "max-tokens"),
        (["--seed", "-4"], "seed"),
        (["--seed", "9" * 4_000], "seed"),
        (["--seed", "9" * 5_000], "whole number"),
        (["--wrong"], "--wrong"),
        (["word " * 100], "no argument"),
        (["a.jsonl"], "There is no argument or file a.jsonl"),
        (["/"], "is a folder"),
        (["a\0b"], "not a name a file can have"),
        ([TRACE, "--prompt", "x"], "leave out --prompt"),
        ([TRACE, "--trace", "out.jsonl"], "name one with --model"),
        ([TRACE, "--model", "demo", "--trace", TRACE], "opened and written at once"),
        ([TRACE, TRACE], "no argument"),
        ([TRACE, "--screenshot", "out.jsonl"], "end it in .png"),
        ([TRACE, "--step", "0"], "counted from 1"),
        ([TRACE, "--step", "two"], "whole number"),
        ([TRACE, "--pane", "left"], "one of live, step, compare, settings"),
        (["--step", "3"], "--step needs a trace"),
    ],
)
def test_bad_usage_is_one_sentence(arguments, words):
    with pytest.raises(UsageError, match=words) as raised:
        parse_arguments(arguments, Settings())
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 250


def test_a_folder_that_may_not_be_entered_is_one_sentence(monkeypatch):
    def refuse(path, **_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(UsageError, match="cannot be written: Permission denied"):
        parse_arguments(["--trace", "locked/out.jsonl"], Settings())


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
    for display in (":99999", "localhost:99999999", "localhost:²", "\xff:0", "a" * 300 + ":0"):
        sentence = missing_display({"DISPLAY": display}, "linux")
        assert "does not answer" in sentence
        assert len(sentence) < 250
    for platform in ("offscreen", "nonsense;offscreen", "Offscreen:size=1"):
        assert missing_display({"QT_QPA_PLATFORM": platform}, "linux") is None
    assert missing_display({}, "darwin") is None


def test_only_the_flags_that_were_given_are_told():
    assert parse_arguments([], Settings()).flags == {}
    given = ["--draft-length", "auto", "--no-speculation", "--replay", "--rollback", "carry"]
    assert parse_arguments(given, Settings()).flags == {
        "draft_length": None,
        "enabled": False,
        "replay": True,
        "rollback": "carry",
    }
    assert parse_arguments(["--draft-length", "64"], Settings()).flags == {"draft_length": 64}


def test_a_wrong_variable_is_said_and_the_reply_goes_on(tmp_path):
    picture = tmp_path / "out.png"
    done = run(
        *("--prompt", "hello", "--screenshot", str(picture)), DRAFTSCOPE_PLD_DRAFT_LENGTH="long"
    )
    assert done.returncode == 0
    (sentence,) = sentences(done)
    assert sentence.startswith("DRAFTSCOPE_PLD_DRAFT_LENGTH is 'long' and is ignored;")
    assert picture.exists()


def test_a_trace_is_opened_without_a_model_unless_one_is_named():
    plain = parse_arguments([], Settings())
    assert (plain.opened, plain.loads_model, plain.model) == (None, True, "demo")
    assert (plain.step, plain.pane) == (None, "live")
    opened = parse_arguments([TRACE, "--step", "3", "--pane", "step"], Settings())
    assert (opened.opened, opened.loads_model) == (Path(TRACE), False)
    assert (opened.step, opened.pane) == (3, "step")
    both = parse_arguments(["--model", "demo", TRACE, "--screenshot", "x.png"], Settings())
    assert (both.opened, both.loads_model, both.model) == (Path(TRACE), True, "demo")
    pictured = parse_arguments(
        ["--prompt", "x", "--screenshot", "x.png", "--step", "2"], Settings()
    )
    assert pictured.step == 2


def test_mlx_is_not_imported_by_the_window():
    code = "import sys, app.main.start; sys.exit('mlx' in sys.modules or 'mlx_lm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == 0


def test_a_platform_that_qt_does_not_have_is_one_sentence():
    done = run(QT_QPA_PLATFORM="nonsense")
    assert done.returncode == 2
    assert len(sentences(done)) == 1
    assert "'nonsense'" in done.stderr


def test_closed_standard_streams_do_not_matter(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert complain("Nobody hears this.", 2) == 2
    shell = f"{sys.executable} -m app.main --size big >&- 2>&-"
    assert subprocess.run(shell, shell=True, cwd=ROOT, check=False, timeout=60).returncode == 2


def test_an_interrupt_while_the_app_is_imported_is_quiet():
    code = """
import os, signal, sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "PySide6.QtGui":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupted())
from app.main import command
command()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, b"")
