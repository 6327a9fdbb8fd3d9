"""The command line of the window: what it takes, and one sentence where it cannot be used."""

import argparse
import ctypes
import os
import re
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, get_args

from app.settings import Settings
from engine import DrafterName, RequestError, RollbackName, SamplingParams, SpeculationParams

DISPLAY_SECONDS = 1.0
SMALLEST = (640, 480)


class UsageError(Exception):
    """The command cannot be run as given; `str()` is one sentence."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The command line, checked."""

    model: str
    prompt: str | None
    system: str
    screenshot: Path | None
    trace: Path | None
    theme: str
    size: tuple[int, int] | None
    max_tokens: int | None
    sampling: SamplingParams
    speculation: SpeculationParams


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see draftscope --help.")


def parse_arguments(argv: list[str] | None, settings: Settings) -> Arguments:
    """Check the command line over the remembered settings."""
    given = _parser().parse_args(argv)
    if given.prompt is not None and not given.prompt.strip():
        raise UsageError("--prompt is empty; type something for the model to answer.")
    if given.screenshot is not None and given.prompt is None:
        raise UsageError("--screenshot needs --prompt TEXT: it pictures the reply.")
    if given.max_tokens is not None and given.max_tokens < 1:
        raise UsageError(f"--max-tokens is {given.max_tokens}; it must be at least 1.")
    for path in (given.screenshot, given.trace):
        _require_writable(path)
    try:
        sampling = SamplingParams(temperature=given.temperature, top_p=given.top_p, seed=given.seed)
        speculation = _speculation(given, settings)
    except RequestError as error:
        raise UsageError(error.sentence) from error
    return Arguments(
        model=given.model,
        prompt=given.prompt,
        system=given.system,
        screenshot=given.screenshot,
        trace=given.trace,
        theme=given.theme or settings.theme,
        size=given.size,
        max_tokens=given.max_tokens,
        sampling=sampling,
        speculation=speculation,
    )


def missing_display(environment: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """A sentence that says what to set where a window cannot be opened; Qt itself would abort."""
    wanted = environment.get("QT_QPA_PLATFORM", "").split(":")[0]
    if platform != "linux" or wanted not in ("", "xcb", "wayland"):
        return None
    if environment.get("WAYLAND_DISPLAY") and wanted != "xcb":
        return None
    display = environment.get("DISPLAY", "")
    offscreen = "or QT_QPA_PLATFORM=offscreen to run without one."
    if not display or wanted == "wayland":
        return f"There is no display: set DISPLAY to open the window, {offscreen}"
    if not _answers(display):
        return f"The display {display} does not answer: set DISPLAY to one that does, {offscreen}"
    try:
        ctypes.CDLL("libxcb-cursor.so.0")
    except OSError:
        return f"Qt needs the system library libxcb-cursor0 for a window: install it, {offscreen}"
    return None


def _answers(display: str) -> bool:
    """Whether an X server listens at `display`, such as :0 or host:10.0."""
    host, _, number = display.rpartition(":")
    index = number.split(".")[0]
    if not index.isdigit():
        return False
    is_local = host in ("", "unix")
    with socket.socket(socket.AF_UNIX if is_local else socket.AF_INET) as probe:
        probe.settimeout(DISPLAY_SECONDS)
        try:
            probe.connect(f"/tmp/.X11-unix/X{index}" if is_local else (host, 6000 + int(index)))
        except OSError:
            return is_local and _answers(f"localhost:{number}")
    return True


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="draftscope", description="Chat with a local model, token by token.")
    add = parser.add_argument
    add("--model", default="demo", metavar="M", help="a folder, a model's name, or demo")
    add("--prompt", metavar="TEXT", help="send this as soon as the model is loaded")
    add("--system", default="", metavar="TEXT", help="system prompt")
    add("--screenshot", type=Path, metavar="FILE.png", help="save a picture of the reply, and quit")
    add("--trace", type=Path, metavar="FILE", help="write each reply's steps there as JSON lines")
    add("--theme", choices=("light", "dark", "auto"), help="colours")
    add("--size", type=_size, metavar="WxH", help="window size, such as 1440x900")
    add("--max-tokens", type=int, metavar="N", help="longest reply")
    add("--temperature", type=float, default=0.0, metavar="T")
    add("--top-p", type=float, default=1.0, metavar="P")
    add("--seed", type=int, default=0, metavar="S")
    add("--no-speculation", action="store_true", help="plain decoding")
    add("--drafter", choices=get_args(DrafterName), default="lookup")
    add("--draft-length", type=_length, metavar="K|auto", help="tokens drafted a step")
    add("--rollback", choices=get_args(RollbackName), default="auto")
    add("--no-replay", action="store_true", help="throw partly accepted drafts away")
    add("--no-exclude", action="store_true", help="draft excluded tokens too")
    return parser


def _speculation(given: argparse.Namespace, settings: Settings) -> SpeculationParams:
    remembered = SpeculationParams(
        enabled=settings.speculation and not given.no_speculation,
        drafter=given.drafter,
        draft_length=settings.draft_length,
        rollback=given.rollback,
        replay=settings.replay and not given.no_replay,
        exclude=settings.exclude and not given.no_exclude,
    )
    if given.draft_length is None:
        return remembered
    return replace(remembered, draft_length=given.draft_length or None)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"the size is {text!r}; write it as 1440x900")
    width, height = int(match[1]), int(match[2])
    if width < SMALLEST[0] or height < SMALLEST[1]:
        least = f"{SMALLEST[0]}x{SMALLEST[1]}"
        raise argparse.ArgumentTypeError(f"the size is {text}; the smallest is {least}")
    return width, height


def _length(text: str) -> int:
    """A number of at least 1; 0 stands for auto."""
    if text == "auto":
        return 0
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no draft length; give a number, or auto")
    return int(text)


def _require_writable(path: Path | None) -> None:
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give a file to write to.")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{path} cannot be written: its folder does not exist.")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise UsageError(f"{path} cannot be written: you have no permission there.")
