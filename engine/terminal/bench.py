"""`bench`: the same reply by several decoders, interleaved in one process, task by task.

A round runs every column once and each round begins with another one, so that drift of the machine
falls on all of them; ratios are taken within rounds against the first column.
"""

import os
import sys
import time

from engine import ModelInfo, RequestError
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.bench_table import task_lines
from engine.terminal.columns import Column, choose_columns
from engine.terminal.figures import Run, TaskResult
from engine.terminal.headway import Headway
from engine.terminal.long_context import fitted
from engine.terminal.session import Session
from engine.terminal.tasks import Task, choose_tasks

WARMUP_TOKENS = 16


def run(arguments: Arguments) -> int:
    """Run the tasks and print their figures as they come; returns the exit code."""
    tasks = choose_tasks(arguments.tasks)
    columns = choose_columns(arguments)
    for task in tasks:
        task.request(columns[0].speculation, max_tokens=arguments.max_tokens)
    with Session() as session:
        info = session.load(arguments.model)
        _warn_of_slow_library(info)
        columns, left_out = _warm_up(session, columns, tasks[0])
        _print(arguments, [f"{name}: not run. {why}" for name, why in left_out.items()])
        results, skipped = _results(session, info, tasks, columns, arguments)
    output.end_progress()
    if arguments.json:
        output.json_object(
            {
                "model": info.name,
                "device": info.device,
                "dtype": info.dtype,
                "rounds": arguments.rounds,
                "columns": [column.name for column in columns],
                "left_out": left_out,
                "skipped": skipped,
                "tasks": [result.as_json() for result in results],
            }
        )
    return 0


def _warm_up(
    session: Session, columns: tuple[Column, ...], task: Task
) -> tuple[tuple[Column, ...], dict[str, str]]:
    """The columns this model runs, each run once for nothing, and why not the others."""
    left_out: dict[str, str] = {}
    for column in columns:
        output.progress(f"Warming up: {column.name}")
        reply = _timed(session, task, column, WARMUP_TOKENS).reply
        if (refusal := column.refusal(reply)) is not None:
            left_out[column.name] = refusal
    if len(left_out) == len(columns):
        raise RequestError(f"This model runs none of these columns. {' '.join(left_out.values())}")
    return tuple(column for column in columns if column.name not in left_out), left_out


def _results(
    session: Session,
    info: ModelInfo,
    tasks: tuple[Task, ...],
    columns: tuple[Column, ...],
    arguments: Arguments,
) -> tuple[list[TaskResult], dict[str, str]]:
    """Every task's figures, printed as they come, and why a task was left out or cut."""
    results: list[TaskResult] = []
    skipped: dict[str, str] = {}
    num_each = arguments.rounds * len(columns)
    headway = Headway(
        len(tasks) * num_each,
        f"tasks: {len(tasks)}, rounds: {arguments.rounds}, columns: {len(columns)}.",
    )
    for each in tasks:
        task, sentence = fitted(session, info, each, arguments.context)
        if sentence is not None:
            skipped[each.name] = sentence
            _print(arguments, ["", f"{each.name}: {sentence}"])
        if task is None:
            headway.leave_out(num_each)
        else:
            output.milestone(
                f"{task.name}: {arguments.rounds} rounds of {len(columns)} replies "
                f"of up to {task.limit(arguments.max_tokens)} tokens."
            )
            rounds = [
                _round(session, task, columns, index, arguments, headway)
                for index in range(arguments.rounds)
            ]
            results.append(TaskResult.of(task, columns, rounds))
            _print(arguments, ["", *task_lines(results[-1])])
    return results, skipped


def _round(
    session: Session,
    task: Task,
    columns: tuple[Column, ...],
    index: int,
    arguments: Arguments,
    headway: Headway,
) -> dict[str, Run]:
    """One run of each column, beginning with another one than the round before."""
    first = index % len(columns)
    runs: dict[str, Run] = {}
    for column in (*columns[first:], *columns[:first]):
        headway.begin(f"{task.title}: round {index + 1} of {arguments.rounds}, {column.name}")
        runs[column.name] = _timed(session, task, column, arguments.max_tokens)
    return runs


def _timed(session: Session, task: Task, column: Column, max_tokens: int | None) -> Run:
    request = task.request(column.speculation, max_tokens=max_tokens)
    began = time.perf_counter()
    reply = session.reply(request, is_quiet=True, is_reference=column.is_reference)
    return Run(reply, time.perf_counter() - began)


def _print(arguments: Arguments, lines: list[str]) -> None:
    if not arguments.json:
        output.end_progress()
        output.lines(lines)


def _warn_of_slow_library(info: ModelInfo) -> None:
    """MLX's own linear algebra on a Linux CPU gains nothing from blocks; say so once."""
    is_preloaded = "openblas" in os.environ.get("LD_PRELOAD", "")
    if sys.platform == "linux" and "cpu" in info.device.lower() and not is_preloaded:
        output.note(
            "note: OpenBLAS is not preloaded, so these figures mean little; install "
            "libopenblas0-pthread and set LD_PRELOAD to its libblas.so.3."
        )
