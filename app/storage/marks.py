"""Notes the file keeps about itself: chores to do, and the law its index was made by."""

import sqlite3

# Chores, noted in the transaction that makes them necessary, so that no crash forgets them.
REWRITE_DRAFTS = "rewrite drafts"
MERGE_INDEX = "merge index"
VACUUM = "vacuum"

_LAW = "law of words"


def note(connection: sqlite3.Connection, *chores: str) -> None:
    """Remember to do these."""
    for chore in chores:
        connection.execute("INSERT OR IGNORE INTO marks(name, value) VALUES(?, '')", (chore,))


def done(connection: sqlite3.Connection, *chores: str) -> None:
    """They need not be done again."""
    for chore in chores:
        connection.execute("DELETE FROM marks WHERE name = ?", (chore,))


def noted(connection: sqlite3.Connection) -> set[str]:
    """The chores to do."""
    return {
        name for (name,) in connection.execute("SELECT name FROM marks WHERE name != ?", (_LAW,))
    }


def law(connection: sqlite3.Connection) -> str | None:
    """The law the index was made by."""
    row = connection.execute("SELECT value FROM marks WHERE name = ?", (_LAW,)).fetchone()
    return None if row is None else str(row[0])


def keep_law(connection: sqlite3.Connection, value: str) -> None:
    """Remember the law the index is made by from now on."""
    connection.execute("INSERT OR REPLACE INTO marks(name, value) VALUES(?, ?)", (_LAW, value))
