"""The command line: its flags, their types, and one sentence where it cannot be understood."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, get_args

from engine import (
    DrafterChoice,
    RequestError,
    RollbackName,
    SamplingParams,
    SpeculationParams,
    Strategy,
)
from engine.terminal.values import count, draft_length, figure, grid_length, list_of, one_of, whole

PROGRAM = "python -m engine"


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
    parser = _Parser(
        prog=PROGRAM,
        description="Chat, measure and verify without a window.",
        epilog="Exit statuses: 0 done, 1 verify found a difference, 2 not possible as asked, "
        "130 interrupted. Results go to stdout, all else to stderr.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (add, words) in _COMMANDS.items():
        about = f"{words[:1].upper()}{words[1:]}."
        add(commands.add_parser(name, help=words, description=about, allow_abbrev=False))
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
        "--max-tokens", type=whole, metavar="N", help="default: to the context's end"
    )
    parser.add_argument("--temperature", type=figure, default=0.0, metavar="T", help="0 is greedy")
    parser.add_argument("--top-p", type=figure, default=1.0, metavar="P", help="1 turns it off")
    parser.add_argument("--seed", type=whole, default=0, metavar="S", help="default: 0")
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
        type=draft_length,
        metavar="K|auto",
        help="a number turns pacing off; auto is the default",
    )
    parser.add_argument(
        "--rollback",
        choices=get_args(RollbackName),
        default="auto",
        help="how a rejected draft is undone; auto, the default, is trim, else local, else carry",
    )
    _add_guard(parser)
    parser.add_argument("--no-exclude", action="store_true", help="let any token be drafted")


def _add_guard(parser: argparse.ArgumentParser, more: str = "") -> None:
    parser.add_argument(
        "--guard",
        action=argparse.BooleanOptionalAction,
        help=f"keep blocks from deciding near-ties; {more}default: on unless the length is fixed",
    )


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "As it comes this makes 150 replies of some hundred tokens: from ten minutes to hours, by "
        "the model and the machine. --rounds, --tasks and --max-tokens make it shorter."
    )
    _add_common(parser)
    parser.add_argument(
        "--rounds",
        "--pairs",
        type=count,
        default=6,
        metavar="N",
        help="runs of each column; default: 6, the fewest that give an interval",
    )
    parser.add_argument(
        "--tasks", metavar="A,B", help="all, or their names; default: the five everyday tasks"
    )
    parser.add_argument(
        "--columns",
        type=list_of(str),
        metavar="C,C",
        help="what is timed, each against the first: mlx-lm, plain, a drafter or a rollback, "
        "with :K behind it for a fixed length; default: mlx-lm,plain,lookup,suffix,auto",
    )
    parser.add_argument(
        "--rollbacks",
        action="store_true",
        dest="with_rollbacks",
        help="add a column for each rollback the model runs",
    )
    parser.add_argument(
        "--context",
        type=count,
        default=16_384,
        metavar="N",
        help="tokens of prompt in the task named long; default: 16384",
    )
    parser.add_argument("--max-tokens", type=whole, metavar="N", help="shorten every reply")
    parser.set_defaults(no_speculation=False)
    _add_speculation(parser)


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Without --drafters, --draft-lengths and --rollbacks a thin grid of all runs: about 30 "
        "replies of up to 64 tokens, some two minutes on the demo model, longer where a model is "
        "slow or the machine is busy."
    )
    _add_common(parser)
    parser.add_argument("--prompts", type=Path, metavar="FILE", help="one a line, or JSON lines")
    parser.add_argument(
        "--drafters",
        type=list_of(one_of(get_args(DrafterChoice))),
        metavar="D,D",
        help="auto, lookup, suffix; default: lookup and suffix",
    )
    parser.add_argument(
        "--draft-lengths",
        type=list_of(grid_length),
        metavar="K,K",
        help="numbers, or auto: with pacing and the guard, as it ships; default: 2, 5 and auto",
    )
    parser.add_argument(
        "--rollbacks",
        type=list_of(one_of(get_args(Strategy))),
        metavar="R,R",
        help=f"{', '.join(get_args(Strategy))}; default: all that the model runs",
    )
    _add_guard(parser, "--guard runs each row without and with it; ")
    parser.add_argument(
        "--temperatures", type=list_of(figure), metavar="T,T", help="default: 0 (greedy) and 0.7"
    )
    parser.add_argument("--max-tokens", type=whole, metavar="N", help="default: 64")


def _add_probe(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "It takes some seconds; a large model takes up to a minute."
    _add_common(parser)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace_file", type=Path, metavar="TRACE", help="as --trace wrote it")
    formats = parser.add_mutually_exclusive_group(required=True)
    for flag, what in (("--chrome", "for chrome://tracing"), ("--csv", "one row a step")):
        words = f'{what}; no FILE, or "-", is stdout'
        formats.add_argument(flag, nargs="?", const="-", metavar="FILE", help=words)


_Adder = Callable[[argparse.ArgumentParser], None]
_COMMANDS: dict[str, tuple[_Adder, str]] = {
    "chat": (_add_chat, "answer one prompt"),
    "bench": (_add_bench, "time plain against speculative decoding"),
    "verify": (_add_verify, "compare the text with speculation on and off"),
    "probe": (_add_probe, "compare block and one-token forward passes"),
    "export": (_add_export, "turn a trace into a Chrome trace or CSV"),
}
