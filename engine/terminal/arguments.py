"""The command line: its flags, their types, and one sentence where it cannot be understood."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args

from engine import (
    DrafterChoice,
    RequestError,
    RollbackName,
    SamplingParams,
    SpeculationParams,
    Strategy,
)

PROGRAM = "python -m engine"
Item = TypeVar("Item")


class Arguments(argparse.Namespace):
    """What was typed. A command has only the flags that `parse` gives it."""

    command: str
    model: str
    json: bool
    prompt: str
    system: str | None
    max_tokens: int | None
    temperature: float
    top_p: float
    seed: int
    no_speculation: bool
    drafter: DrafterChoice | None
    draft_length: int | None
    rollback: RollbackName
    guard: bool | None
    no_exclude: bool
    trace: Path | None
    rounds: int
    tasks: str | None
    columns: tuple[str, ...] | None
    with_rollbacks: bool
    context: int
    prompts: Path | None
    drafters: tuple[DrafterChoice, ...] | None
    draft_lengths: tuple[int | None, ...] | None
    rollbacks: tuple[Strategy, ...] | None
    temperatures: tuple[float, ...] | None
    trace_file: Path
    chrome: str | None
    csv: str | None

    def speculation(self) -> SpeculationParams:
        """The speculation the flags ask for."""
        return SpeculationParams(
            enabled=not self.no_speculation,
            drafter=self.drafter or "auto",
            draft_length=self.draft_length,
            rollback=self.rollback,
            exclude=not self.no_exclude,
            guard=self.guard,
        )

    def sampling(self) -> SamplingParams:
        """The sampling the flags ask for."""
        return SamplingParams(temperature=self.temperature, top_p=self.top_p, seed=self.seed)


def parse(argv: list[str] | None) -> Arguments:
    """The arguments of one run; `RequestError` with one sentence where they make no sense."""
    parser = _Parser(prog=PROGRAM, description="Chat, measure and verify without a window.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_chat(commands.add_parser("chat", help="answer one prompt", allow_abbrev=False))
    _add_bench(commands.add_parser("bench", help="time plain against speculative decoding"))
    _add_verify(commands.add_parser("verify", help="compare the text with speculation on and off"))
    _add_common(commands.add_parser("probe", help="compare block and one-token forward passes"))
    _add_export(commands.add_parser("export", help="turn a trace into a Chrome trace or CSV"))
    return parser.parse_args(argv, namespace=Arguments())


class _Parser(argparse.ArgumentParser):
    """An argument parser that raises one sentence instead of printing its usage and exiting."""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:]
        raise RequestError(f"{sentence}; see `{self.prog} --help`.")


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", default="demo", metavar="M", help='folder, library name or "demo" (the default)'
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_chat(parser: argparse.ArgumentParser) -> None:
    _add_common(parser)
    parser.add_argument("--prompt", required=True, metavar="P", help='"-" reads it from stdin')
    parser.add_argument("--system", metavar="S", help="system message")
    parser.add_argument(
        "--max-tokens", type=_whole, metavar="N", help="default: to the context's end"
    )
    parser.add_argument("--temperature", type=_figure, default=0.0, metavar="T", help="0 is greedy")
    parser.add_argument("--top-p", type=_figure, default=1.0, metavar="P", help="1 turns it off")
    parser.add_argument("--seed", type=_whole, default=0, metavar="S", help="of sampling")
    parser.add_argument("--no-speculation", action="store_true", help="plain decoding")
    _add_speculation(parser)
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the run as JSON lines")


def _add_speculation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--drafter",
        choices=get_args(DrafterChoice),
        help="what drafts are copied by; auto (the default) is whichever guessed better lately",
    )
    parser.add_argument(
        "--draft-length",
        type=_draft_length,
        metavar="K|auto",
        help="a number turns pacing off; auto is the default",
    )
    parser.add_argument(
        "--rollback",
        choices=get_args(RollbackName),
        default="auto",
        help="how a rejected draft is undone",
    )
    _add_guard(parser)
    parser.add_argument("--no-exclude", action="store_true", help="let any token be drafted")


def _add_guard(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--guard",
        action=argparse.BooleanOptionalAction,
        help="keep blocks from deciding near-ties; default: on unless the length is fixed",
    )


def _add_bench(parser: argparse.ArgumentParser) -> None:
    _add_common(parser)
    parser.add_argument(
        "--rounds", "--pairs", type=_count, default=6, metavar="N", help="runs of each column"
    )
    parser.add_argument(
        "--tasks", metavar="A,B", help="all, or their names; default: the five everyday tasks"
    )
    parser.add_argument(
        "--columns",
        type=_list(str),
        metavar="C,C",
        help="what is timed, each against the first; default: mlx-lm,plain,lookup,suffix,auto",
    )
    parser.add_argument(
        "--rollbacks",
        action="store_true",
        dest="with_rollbacks",
        help="add a column for each rollback the model runs",
    )
    parser.add_argument(
        "--context",
        type=_count,
        default=16_384,
        metavar="N",
        help="tokens of prompt in the task named long; default: 16384",
    )
    parser.add_argument("--max-tokens", type=_whole, metavar="N", help="shorten every reply")
    parser.set_defaults(no_speculation=False)
    _add_speculation(parser)


def _add_verify(parser: argparse.ArgumentParser) -> None:
    _add_common(parser)
    parser.add_argument("--prompts", type=Path, metavar="FILE", help="one a line, or JSON lines")
    parser.add_argument(
        "--drafters",
        type=_list(_one_of(get_args(DrafterChoice))),
        metavar="D,D",
        help="auto, lookup, suffix",
    )
    parser.add_argument(
        "--draft-lengths",
        type=_list(_grid_length),
        metavar="K,K",
        help="numbers, or auto: as it ships, with pacing and the guard",
    )
    parser.add_argument(
        "--rollbacks", type=_list(_one_of(get_args(Strategy))), metavar="R,R", help="strategies"
    )
    _add_guard(parser)
    parser.add_argument("--temperatures", type=_list(_figure), metavar="T,T", help="0 is greedy")
    parser.add_argument("--max-tokens", type=_whole, metavar="N", help="default: 64")


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace_file", type=Path, metavar="TRACE", help="as --trace wrote it")
    formats = parser.add_mutually_exclusive_group(required=True)
    for flag, what in (("--chrome", "for chrome://tracing"), ("--csv", "one row a step")):
        words = f'{what}; no FILE, or "-", is stdout'
        formats.add_argument(flag, nargs="?", const="-", metavar="FILE", help=words)


def _refuse(typed: str, wanted: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"{typed!r} is not {wanted}")


def _whole(typed: str) -> int:
    try:
        return int(typed)
    except ValueError:
        _refuse(typed, "a whole number")


def _count(typed: str) -> int:
    count = _whole(typed)
    return count if count >= 1 else _refuse(typed, "a number from 1 up")


def _figure(typed: str) -> float:
    try:
        return float(typed)
    except ValueError:
        _refuse(typed, "a number")


def _draft_length(typed: str) -> int | None:
    return None if typed == "auto" else _whole(typed)


def _grid_length(typed: str) -> int | None:
    return None if typed == "auto" else _count(typed)


def _one_of(known: tuple[str, ...]) -> Callable[[str], Any]:
    def choose(typed: str) -> str:
        return typed if typed in known else _refuse(typed, f"one of {', '.join(known)}")

    return choose


def _list(item: Callable[[str], Item]) -> Callable[[str], tuple[Item, ...]]:
    def split(typed: str) -> tuple[Item, ...]:
        items = [part.strip() for part in typed.split(",") if part.strip()]
        if not items:
            _refuse(typed, "a list with something in it")
        return tuple(item(part) for part in items)

    return split
