"""The command line of the window: what it takes, and one sentence where it cannot be used."""

import argparse
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, get_args

from app.settings import LARGEST, MAX_DRAFT_LENGTH, SMALLEST, THEMES, Settings, is_draft_length
from engine import DrafterChoice, RequestError, RollbackName, SamplingParams, SpeculationParams

MAX_ECHO = 80
MAX_MEGABYTES = 1_000_000
# A cut value with its quotes, and what stands around it.
MAX_WORD = MAX_ECHO + 10


class UsageError(Exception):
    """The command cannot be run as given; `str()` is one sentence, long words in it cut."""

    def __init__(self, sentence: str) -> None:
        super().__init__(" ".join(_cut(word, MAX_WORD) for word in sentence.split()))


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
    reuse_budget_bytes: int | None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see draftscope --help.")


def parse_arguments(argv: list[str] | None, settings: Settings) -> Arguments:
    """Check the command line over the remembered settings."""
    given, unknown = _parser().parse_known_args(argv)
    if unknown:
        raise UsageError(f"There is no argument {_cut(unknown[0])}; see draftscope --help.")
    if given.prompt is not None and not given.prompt.strip():
        raise UsageError("--prompt is empty; type something for the model to answer.")
    if given.screenshot is not None and given.prompt is None:
        raise UsageError("--screenshot needs --prompt TEXT: it pictures the reply.")
    if given.screenshot is not None and given.screenshot.suffix.lower() != ".png":
        raise UsageError(f"{_cut(str(given.screenshot))} is no picture's name; end it in .png.")
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
        reuse_budget_bytes=given.reuse_memory,
    )


def _parser() -> argparse.ArgumentParser:
    about = "Chat with a local model, token by token."
    parser = _Parser(prog="draftscope", description=about, allow_abbrev=False)
    add = parser.add_argument
    drafters, rollbacks = get_args(DrafterChoice), get_args(RollbackName)
    add("--model", default="demo", metavar="M", help="a folder, a model's name, or demo")
    add("--prompt", metavar="TEXT", help="send this as soon as the model is loaded")
    add("--system", default="", metavar="TEXT", help="system prompt")
    add("--screenshot", type=Path, metavar="FILE.png", help="save a picture of the reply, and quit")
    add("--trace", type=Path, metavar="FILE", help="write each reply's steps there as JSON lines")
    add("--theme", type=_one_of(THEMES), metavar="|".join(THEMES), help="colours")
    add("--size", type=_size, metavar="WxH", help="window size, such as 1440x900")
    add("--max-tokens", type=_whole, metavar="N", help="longest reply")
    add("--temperature", type=_number, default=0.0, metavar="T")
    add("--top-p", type=_number, default=1.0, metavar="P")
    add("--seed", type=_whole, default=0, metavar="S")
    add("--no-speculation", action="store_true", help="plain decoding")
    add("--drafter", type=_one_of(drafters), metavar="|".join(drafters), default="auto")
    add("--draft-length", type=_length, metavar="K|auto", help="tokens drafted a step")
    add("--rollback", type=_one_of(rollbacks), metavar="|".join(rollbacks), default="auto")
    guard = "keep blocks from deciding near-ties; default: on unless the length is fixed"
    add("--guard", action=argparse.BooleanOptionalAction, default=None, help=guard)
    add("--no-replay", action="store_true", help="throw partly accepted drafts away")
    add("--reuse-memory", type=_megabytes, metavar="MB", help="memory for caches of earlier turns")
    add("--no-exclude", action="store_true", help="draft excluded tokens too")
    return parser


def _speculation(given: argparse.Namespace, settings: Settings) -> SpeculationParams:
    remembered = SpeculationParams(
        enabled=settings.speculation and not given.no_speculation,
        drafter=given.drafter,
        draft_length=settings.draft_length,
        rollback=given.rollback,
        guard=given.guard,
        replay=settings.replay and not given.no_replay,
        exclude=settings.exclude and not given.no_exclude,
    )
    if given.draft_length is None:
        return remembered
    return replace(remembered, draft_length=given.draft_length or None)


def _refuse(text: str, wanted: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"{_cut(text)!r} is not {wanted}")


def _one_of(names: tuple[str, ...]) -> Callable[[str], str]:
    def check(text: str) -> str:
        return text if text in names else _refuse(text, f"one of {', '.join(names)}")

    return check


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        _refuse(text, "a whole number of a usual length")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        _refuse(text, "a number")


def _megabytes(text: str) -> int:
    """Bytes; 0 turns reuse off."""
    number = _number(text)
    if not 0 <= number <= MAX_MEGABYTES:
        _refuse(text, f"an amount of memory; give megabytes from 0 to {MAX_MEGABYTES:,}")
    return int(number * 1_000_000)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", text)
    if match is None:
        _refuse(text, "a size; write it as 1440x900")
    size = int(match[1]), int(match[2])
    for number in (0, 1):
        if not SMALLEST[number] <= size[number] <= LARGEST[number]:
            limits = f"{SMALLEST[0]}x{SMALLEST[1]} to {LARGEST[0]}x{LARGEST[1]}"
            _refuse(text, f"a size a window can have; those go from {limits}")
    return size


def _length(text: str) -> int:
    """A number of at least 1; 0 stands for auto."""
    if text == "auto":
        return 0
    short = text.isascii() and text.isdecimal() and len(text) <= MAX_ECHO
    if not short or not is_draft_length(int(text)):
        _refuse(text, f"a draft length; give a number from 1 to {MAX_DRAFT_LENGTH}, or auto")
    return int(text)


def _cut(text: str, most: int = MAX_ECHO) -> str:
    """What was typed, as much of it as a sentence can carry."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _require_writable(path: Path | None) -> None:
    if path is None:
        return
    name = _cut(str(path))
    try:
        target = path if _is_there(path) else path.absolute().parent
        if target is path and path.is_dir():
            raise UsageError(f"{name} is a folder; give a file to write to.")
        if not target.exists() or (target is not path and not target.is_dir()):
            raise UsageError(f"{name} cannot be written: its folder does not exist.")
        if not os.access(target, os.W_OK):
            raise UsageError(f"{name} cannot be written: you have no permission there.")
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{name} is not a name a file can have.") from error


def _is_there(path: Path) -> bool:
    """As `Path.exists`, except that what stands in the way of an answer is raised."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True
