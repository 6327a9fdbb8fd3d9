"""Figures of models in words for people: sizes, parameters, times, speeds, and whether one fits."""

import sys
from typing import TypeGuard

from app.models.fit import Fit

UNKNOWN = "unknown"

_BYTES = ("bytes", "kB", "MB", "GB", "TB", "PB")
_PARAMETERS = ("", "K", "M", "B", "T")


def bytes_words(number: float | None) -> str:
    """A size: "812 bytes", "340 MB", "4.3 GB"."""
    return UNKNOWN if number is None else _scaled(number, _BYTES)


def progress_words(done: float | None, total: float | None) -> str:
    """How much of how much, in one unit where that reads well: "1.2 of 4.3 GB"."""
    begun, whole = bytes_words(done), bytes_words(total)
    if UNKNOWN in (begun, whole) or not total:
        return begun
    is_same_unit = begun.split()[-1] == whole.split()[-1]
    return f"{begun.split()[0] if is_same_unit else begun} of {whole}"


def parameters_words(number: float | None) -> str:
    """How many parameters: "350 M", "1.2 B"."""
    return UNKNOWN if not number else _scaled(number, _PARAMETERS).rstrip()


def speed_words(bytes_per_second: float | None) -> str:
    """How fast it comes: "35 MB/s"."""
    words = bytes_words(bytes_per_second)
    return words if words == UNKNOWN else f"{words}/s"


def duration_words(seconds: float | None) -> str:
    """How long: "under 5 s", "40 s", "3 min", "2 h 10 min", "3 days"."""
    if not _is_sane(seconds):
        return UNKNOWN
    if seconds < 5:
        return "under 5 s"
    if seconds < 58:
        return f"{5 * round(seconds / 5)} s"
    minutes = max(round(seconds / 60), 1)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    if hours < 10:
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    return f"{round(minutes / 60)} h" if hours < 48 else f"{round(minutes / 1440)} days"


def left_words(seconds: float | None) -> str:
    """The time that is left: "3 min left"."""
    words = duration_words(seconds)
    return f"{UNKNOWN} time left" if words == UNKNOWN else f"{words} left"


def fit_words(fit: Fit) -> tuple[str, str]:
    """Whether a model fits: in a word or three, and in a sentence with the figures."""
    need, free = fit.need, fit.free_bytes
    if need is None:
        return "unknown", "How much memory this model takes cannot be told before it is loaded."
    wants = f"about {bytes_words(need.total_bytes)} with {need.context:,} tokens of context"
    if free is None or fit.verdict == "unknown":
        return "unknown", f"It takes {wants}; how much memory is free is not known."
    has = f"{bytes_words(free)} is free"
    if fit.verdict == "fits":
        return "fits", f"It takes {wants}, and {has}."
    if fit.verdict == "tight":
        return "tight", f"It takes {wants}, and {has}: close other programs, or use less context."
    return "does not fit", f"It takes {wants}, but only {has}{_advice(need.weights_bytes, free)}."


def _advice(weights: int, free: int) -> str:
    if weights > free:
        return "; choose a smaller model, or one with fewer bits"
    return "; use less context, or a smaller model"


def _scaled(number: float, units: tuple[str, ...]) -> str:
    """Two or three figures and the unit, in steps of a thousand."""
    if not _is_sane(number):
        return UNKNOWN
    value, at = float(number), 0
    # What would be rounded to 1,000 of a unit is 1 of the next.
    while value >= 999.5 and at < len(units) - 1:
        value, at = value / 1000, at + 1
    has_tenth = at > 0 and value < 9.95 and f"{value:.1f}"[-1] != "0"
    return f"{value:.1f} {units[at]}" if has_tenth else f"{value:.0f} {units[at]}"


def _is_sane(number: float | None) -> TypeGuard[float]:
    # A whole number may be larger than any float, and NaN is not between anything.
    return number is not None and 0 <= number <= sys.float_info.max
