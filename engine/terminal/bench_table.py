"""A task's figures as lines to read: a row a column, then what needs a sentence."""

from collections.abc import Iterator

from engine.terminal import output
from engine.terminal.figures import ColumnResult, Spread, TaskResult

HEAD = (
    "column",
    "tok/s (min-max)",
    "ratio (min-max) [95 %]",
    "forwards/tokens",
    "per token",
    "acceptance",
    "draft us",
    "rollback",
    "ids",
    "stood down",
)


def task_lines(result: TaskResult) -> list[str]:
    """The task's heading, its table, and its sentences."""
    stats = result.columns[0].base[0].stats
    heading = f"{result.task.name}: {result.task.title}, {stats.prompt_tokens} tokens of prompt"
    rows = [_row(column) for column in result.columns]
    sentences = [line for column in result.columns for line in _sentences(column, result)]
    if any(column.is_equal and column.ratio.interval is None for column in result.columns):
        sentences.append("[-]: too few rounds for an interval; --rounds 6 is the fewest.")
    return [heading, *output.table(HEAD, rows), *sentences]


def _row(result: ColumnResult) -> tuple[str, ...]:
    return (
        result.column.name,
        _spread(result.speed, 1),
        f"{_spread(result.ratio, 2)} {_interval(result.ratio)}" if result.is_equal else "DIFFER",
        f"{result.forwards:g}/{result.tokens}",
        output.number(result.forwards_per_token, 2),
        output.number(result.acceptance, 2),
        output.number(result.draft_microseconds, 0),
        _percent(result.rollback_share),
        "equal" if result.is_equal else "DIFFER",
        _stood_down(result),
    )


def _sentences(result: ColumnResult, task: TaskResult) -> Iterator[str]:
    first = task.columns[0].column.name
    if result.parting is not None:
        yield (
            f"{result.column.name}: token {result.parting} is not that of {first}, so its figures "
            "do not count; verify says how near a tie it was."
        )
    if result.stood_down:
        yield f"{result.column.name} stood down: {result.stood_down[0]}."


def _spread(spread: Spread, digits: int) -> str:
    middle, low, high = (
        output.number(value, digits) for value in (spread.median, spread.low, spread.high)
    )
    return f"{middle} ({low}-{high})"


def _interval(spread: Spread) -> str:
    if spread.interval is None:
        return "[-]"
    low, high = spread.interval
    return f"[{low:.2f}-{high:.2f}]"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _stood_down(result: ColumnResult) -> str:
    if not result.column.speculation.enabled:
        return "-"
    count = len(result.stood_down)
    return f"{count} of {len(result.runs)}" if count else "no"
