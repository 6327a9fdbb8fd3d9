"""Reading what can still be read of a damaged table: row by row, around the pages that cannot."""

import sqlite3
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any

Row = tuple[Any, ...]

# What a table may be asked where pages are missing; a search in halves needs few of them.
_MOST_QUESTIONS = 20_000
# In a row without an answer: then the page where the table begins is lost, or nearly all others.
_MOST_IN_VAIN = 1_000
_ROWS_PER_PAGE = 256


def salvaged(
    connection: sqlite3.Connection, table: str, columns: str, num_pages: int
) -> Iterator[Row]:
    """Every row that can be read: its `seq`, then the columns."""
    spans = deque([(1, _top(connection, table) or max(num_pages, 1) * _ROWS_PER_PAGE)])
    questions = in_vain = 0
    while spans and questions < _MOST_QUESTIONS and in_vain < _MOST_IN_VAIN:
        low, high = spans.popleft()
        questions += 1
        in_vain += 1
        # From below to the damage, then from above to it; what lies between is asked in halves.
        last = yield from _read(connection, table, columns, low, high, "ASC")
        if last is None:
            in_vain = 0
            continue
        if last >= low:
            in_vain = 0
        low = last + 1
        questions += 1
        first = yield from _read(connection, table, columns, low, high, "DESC")
        if first is None or first <= high:
            in_vain = 0
        high = high if first is None else first - 1
        if first is None or low >= high:
            continue
        middle = (low + high) // 2
        spans += [(low, middle), (middle + 1, high)]


def askable(
    target: sqlite3.Connection, source: sqlite3.Connection, table: str, columns: str
) -> str:
    """The columns as they can be asked for: in the place of one that is missing stands nothing."""
    question = f"PRAGMA table_info({table})"
    try:
        there = {row[1] for row in source.execute(question)}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return columns
    nothing = {
        row[1]: "NULL" if not row[3] else "''" if row[2] == "TEXT" else "0"
        for row in target.execute(question)
    }
    names = (name.strip() for name in columns.split(","))
    return ", ".join(name if name in there else nothing[name] for name in names)


def _top(connection: sqlite3.Connection, table: str) -> int | None:
    """The last row's `seq`; None where there is none or it cannot be read."""
    try:
        top = connection.execute(f"SELECT max(seq) FROM {table}").fetchone()[0]
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return None
    return top if isinstance(top, int) else None


def _read(
    connection: sqlite3.Connection, table: str, columns: str, low: int, high: int, order: str
) -> Generator[Row, None, int | None]:
    """The rows of a range up to damage; returns None if there was none, else the last row read."""
    is_rising = order == "ASC"
    last = low - 1 if is_rising else high + 1
    question = f"SELECT seq, {columns} FROM {table} WHERE seq BETWEEN ? AND ? ORDER BY seq {order}"
    try:
        for row in connection.execute(question, (low, high)):
            last = row[0]
            yield row
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        # Python looks for the next row before it gives one, so the damage hid the row before it.
        span = (last + 1, high) if is_rising else (low, last - 1)
        with suppress(sqlite3.DatabaseError):
            for row in connection.execute(f"{question} LIMIT 1", span):
                last = row[0]
                yield row
        return last
    return None
