"""The command line of the window: what it takes, and one sentence where it cannot be used."""

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn, get_args

from app.settings import LARGEST, MAX_DRAFT_LENGTH, SMALLEST, THEMES, Settings, is_draft_length
from app.usage import MAX_ECHO, UsageError, cut, require_readable, require_writable
from engine import DEMO, VERSION, DrafterChoice, RequestError, RollbackName, SamplingParams

Pane = Literal["live", "step", "compare", "settings"]

MAX_MEGABYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Arguments:
    """The command line, checked. With a trace to open, a model is loaded only if one was named.

    `flags` has the speculation flags that were given, by name, and no others.
    """

    model: str
    loads_model: bool
    opened: Path | None
    step: int | None
    pane: Pane
    prompt: str | None
    system: str
    screenshot: Path | None
    trace: Path | None
    theme: str
    size: tuple[int, int] | None
    max_tokens: int | None
    sampling: SamplingParams
    flags: dict[str, object]
    reuse_budget_bytes: int | None
    data_dir: Path | None = None
    has_sampling: bool = False
    self_test: bool = False
    names_model: bool = False
    raises_wired_limit: bool = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see draftscope --help.")


def parse_arguments(argv: list[str] | None, settings: Settings) -> Arguments:
    """Check the command line over the remembered settings."""
    given, unknown = _parser().parse_known_args(argv)
    if unknown:
        raise UsageError(f"There is no argument {cut(unknown[0])}; see draftscope --help.")
    if given.prompt is not None and not given.prompt.strip():
        raise UsageError("--prompt is empty; type something for the model to answer.")
    if given.screenshot is not None and given.prompt is None and given.opened is None:
        raise UsageError("--screenshot needs --prompt TEXT or a trace: it pictures the reply.")
    _check_opened(given)
    if given.screenshot is not None and given.screenshot.suffix.lower() != ".png":
        raise UsageError(f"{cut(str(given.screenshot))} is no picture's name; end it in .png.")
    if given.max_tokens is not None and given.max_tokens < 1:
        raise UsageError(f"--max-tokens is {given.max_tokens}; it must be at least 1.")
    for path in (given.screenshot, given.trace):
        require_writable(path)
    law = {"temperature": given.temperature, "top_p": given.top_p, "seed": given.seed}
    law = {name: value for name, value in law.items() if value is not None}
    try:
        sampling = SamplingParams(**law)
    except RequestError as error:
        raise UsageError(error.sentence) from error
    return Arguments(
        model=(settings.model.strip() or DEMO) if given.model is None else given.model,
        names_model=given.model is not None,
        loads_model=given.opened is None or given.model is not None,
        opened=given.opened,
        step=given.step,
        pane=given.pane,
        prompt=given.prompt,
        system=given.system,
        screenshot=given.screenshot,
        trace=given.trace,
        theme=given.theme or settings.theme,
        size=given.size,
        max_tokens=given.max_tokens,
        sampling=sampling,
        has_sampling=bool(law),
        flags=_flags(given),
        reuse_budget_bytes=given.reuse_memory,
        raises_wired_limit=given.raise_wired_limit,
        data_dir=given.data_dir,
        self_test=given.self_test,
    )


def _check_opened(given: argparse.Namespace) -> None:
    """Refuse what goes with no trace, and what goes with none."""
    path, step = given.opened, given.step
    if step is not None and path is None and given.screenshot is None:
        raise UsageError("--step needs a trace or --screenshot: there is no step to select yet.")
    if step is not None and step < 1:
        raise UsageError(f"--step is {step}; steps are counted from 1.")
    if path is None:
        return
    require_readable(path)
    if given.prompt is not None:
        raise UsageError("A trace is only looked at: leave out --prompt, or the trace.")
    if given.trace is not None and given.model is None:
        raise UsageError("--trace writes replies of a model: name one with --model.")
    if given.trace is not None and given.trace.absolute() == path.absolute():
        name = cut(str(path))
        raise UsageError(f"{name} cannot be opened and written at once; give --trace another file.")


def _parser() -> argparse.ArgumentParser:
    about = "Chat with a local model, token by token."
    parser = _Parser(prog="draftscope", description=about, allow_abbrev=False)
    add = parser.add_argument
    both = argparse.BooleanOptionalAction
    drafters, rollbacks = get_args(DrafterChoice), get_args(RollbackName)
    add("--version", action="version", version=f"Draftscope {VERSION}")
    add("opened", nargs="?", type=Path, metavar="TRACE.jsonl", help="open a saved trace")
    add("--model", metavar="M", help="a folder, a model's name, or demo (the default)")
    add("--prompt", metavar="TEXT", help="send this as soon as the model is loaded")
    add("--system", default="", metavar="TEXT", help="system prompt")
    add("--screenshot", type=Path, metavar="FILE.png", help="save a picture of the reply, and quit")
    add("--step", type=_whole, metavar="N", help="select this step in the picture, or in a trace")
    panes = get_args(Pane)
    add("--pane", type=_one_of(panes), metavar="|".join(panes), default="live", help="open this")
    add("--trace", type=Path, metavar="FILE", help="write each reply's steps there as JSON lines")
    add("--theme", type=_one_of(THEMES), metavar="|".join(THEMES), help="colours")
    add("--size", type=_size, metavar="WxH", help="window size, such as 1440x900")
    add("--self-test", action="store_true", help="check that everything works here, and quit")
    add("--data-dir", type=Path, metavar="DIR", help="keep chats in this folder")
    add("--max-tokens", type=_whole, metavar="N", help="longest reply")
    add("--temperature", type=_number, metavar="T")
    add("--top-p", type=_number, metavar="P")
    add("--seed", type=_whole, metavar="S")
    add("--speculation", action=both, default=None, help="off: plain decoding")
    add("--drafter", type=_one_of(drafters), metavar="|".join(drafters))
    add("--draft-length", type=_length, metavar="K|auto", help="tokens drafted a step")
    add("--rollback", type=_one_of(rollbacks), metavar="|".join(rollbacks))
    guard = "keep blocks from deciding near-ties; default: on unless the length is fixed"
    add("--guard", action=both, default=None, help=guard)
    add("--replay", action=both, default=None, help="off: throw partly accepted drafts away")
    add("--reuse-memory", type=_megabytes, metavar="MB", help="memory for caches of earlier turns")
    wired = "experts: let the GPU keep a model's memory wired; can make macOS unstable"
    add("--raise-wired-limit", action="store_true", help=wired)
    add("--exclude", action=both, default=None, help="off: draft excluded tokens too")
    return parser


def _flags(given: argparse.Namespace) -> dict[str, object]:
    """Only what was really given: everything else is left to the settings and the environment."""
    flags = {
        "enabled": given.speculation,
        "drafter": given.drafter,
        "rollback": given.rollback,
        "guard": given.guard,
        "replay": given.replay,
        "exclude": given.exclude,
    }
    chosen = {name: value for name, value in flags.items() if value is not None}
    if given.draft_length is not None:
        chosen["draft_length"] = given.draft_length or None
    return chosen


def _refuse(text: str, wanted: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"{cut(text)!r} is not {wanted}")


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
