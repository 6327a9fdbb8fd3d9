"""How long ago something was, in the shortest words."""

from datetime import datetime

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def ago(when: float, now: float) -> str:
    """Minutes, hours or days, up to a week; then the date, with its year where it is another."""
    seconds = now - when
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE:.0f} min"
    if seconds < _DAY:
        return f"{seconds // _HOUR:.0f} h"
    if seconds < 7 * _DAY:
        return f"{seconds // _DAY:.0f} d"
    try:
        day, today = datetime.fromtimestamp(when), datetime.fromtimestamp(now)
    except (OverflowError, OSError, ValueError):
        return ""
    month = _MONTHS[day.month - 1]
    return f"{day.day} {month}" if day.year == today.year else f"{month} {day.year}"
