"""The words of the index that begin like another.

Asked for a beginning, FTS5 puts together the places of all words that begin so before it gives the
first; asked for these words by name, it gives the newest places at once.
"""

import sqlite3

# The index has a list of its own for beginnings as short as this; see the schema.
_LISTED = 2
# More are rare ones, or asked for faster by their beginning.
_MOST = 128

# What a connection has to be prepared with.
VOCABULARY = "CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, words, instance)"

_NEXT = "SELECT term FROM temp.terms WHERE term >= ? AND term < ? LIMIT 1"


def beginning_with(connection: sqlite3.Connection, start: str) -> list[str] | None:
    """All words with this beginning, one of which it may be; None where that costs too much."""
    if len(start) <= _LISTED:
        return None
    found: list[str] = []
    low, end = start, start + "\U0010ffff"
    while row := connection.execute(_NEXT, (low, end)).fetchone():
        if len(found) == _MOST:
            return None
        found.append(row[0])
        # Past all places of this word, which would be gone through one by one.
        low = row[0] + "\x01"
    return found
