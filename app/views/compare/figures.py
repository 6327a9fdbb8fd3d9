"""Numbers and ids of a row as the short words of a table cell; a dash where there is none."""

from PySide6.QtCore import QCoreApplication

from app.models.comparison import Comparison, Row, RowNumbers
from app.models.difference import Difference
from app.models.summary import percent, rate
from app.models.token_facts import visible

COLUMNS = ("tok/s", "ratio", "per step", "forwards", "accepted", "to first")


def cells(numbers: RowNumbers | None) -> tuple[str, ...]:
    """A row's cells in the order of COLUMNS."""
    if numbers is None:
        return ("–",) * len(COLUMNS)
    ratio, first = numbers.ratio, numbers.first_token_seconds
    return (
        rate(numbers.speed),
        "–" if ratio is None else f"{ratio:.2f}×",
        rate(numbers.tokens_per_step, 2),
        f"{numbers.forwards:,}",
        percent(numbers.acceptance),
        "–" if first is None else _seconds(first),
    )


def _seconds(value: float) -> str:
    """Three figures, as many as its column has room for."""
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f} s"


def ids_words(row: Row, numbers: RowNumbers | None) -> str:
    """The cell that says whether the text is the same, or why there is nothing to say."""
    if row.ids is None:
        return _tr("{0:,} ids").format(numbers.num_tokens if numbers is not None else 0)
    if row.ids.difference is not None:
        return _tr("differs at {0:,}").format(row.ids.difference.position + 1)
    if row.state == "waiting":
        return _tr("waiting")
    if row.state == "not run":
        return _tr("not run")
    if row.state == "failed":
        return _tr("failed")
    equal = _tr("first {0:,} equal").format(row.ids.num_equal)
    if row.state == "running":
        return equal if row.ids.num_equal else _tr("reading the prompt")
    if row.ids.verdict == "equal":
        return _tr("equal ✓")
    return equal if row.ids.num_equal else _tr("stopped")


def headline(row: Row, comparison: Comparison) -> str:
    """A row's key numbers in one line."""
    numbers = comparison.numbers(row)
    if numbers is None:
        return ids_words(row, None)
    return _tr("{0} tok/s · {1:,} forwards · {2} tokens a step").format(
        rate(numbers.speed), numbers.forwards, rate(numbers.tokens_per_step)
    )


def chance(probability: float) -> str:
    """A probability in per cent, and never a round 0 or 100 for what is neither."""
    if 0.0 < probability < 0.0005:
        return _tr("under 0.1\u00a0%")
    if 0.9995 <= probability < 1.0:
        return _tr("over 99.9\u00a0%")
    return percent(probability, 1)


def quoted(text: str) -> str:
    """A token's text with its whitespace shown."""
    return f"“{visible(text)}”" if text else _tr("(no text)")


def chosen(difference: Difference) -> tuple[str, str]:
    """The texts of both tokens; the end where a reply had none there."""
    first, other = (
        quoted(side.text) if side.token is not None else _tr("the end")
        for side in (difference.first, difference.other)
    )
    return first, other


def _tr(text: str) -> str:
    return QCoreApplication.translate("Figures", text)
