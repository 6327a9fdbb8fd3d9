"""Counts what of each chat is not shown: the versions beside those that are, with all below them.

Only where there are versions is anything read; what is shown is the rest.
"""

import sqlite3

# What is shown at a fork is chosen as where a chat is read: the choice, else the newest.
_HIDDEN = (
    "WITH RECURSIVE forks(parent) AS MATERIALIZED"
    " (SELECT parent FROM messages WHERE parent IS NOT NULL GROUP BY parent HAVING count(*) > 1),"
    " starts(chat) AS MATERIALIZED"
    " (SELECT chat FROM messages WHERE parent IS NULL GROUP BY chat HAVING count(*) > 1),"
    " shown(id, parent) AS MATERIALIZED"
    " (SELECT coalesce((SELECT id FROM messages WHERE id = at.choice AND parent = at.id),"
    " (SELECT max(id) FROM messages WHERE parent = at.id)), at.id"
    " FROM forks CROSS JOIN messages AS at ON at.id = forks.parent),"
    " first(id, chat) AS MATERIALIZED (SELECT coalesce((SELECT id FROM messages"
    " WHERE id = chats.choice AND chat = chats.id AND parent IS NULL),"
    " (SELECT max(id) FROM messages WHERE chat = chats.id AND parent IS NULL)), chats.id"
    " FROM starts CROSS JOIN chats ON chats.id = starts.chat),"
    " hidden(id, chat) AS (SELECT beside.id, beside.chat FROM shown"
    " CROSS JOIN messages AS beside ON beside.parent = shown.parent WHERE beside.id <> shown.id"
    " UNION SELECT beside.id, beside.chat FROM first CROSS JOIN messages AS beside"
    " ON beside.chat = first.chat WHERE beside.parent IS NULL AND beside.id <> first.id"
    " UNION SELECT below.id, below.chat FROM hidden"
    " CROSS JOIN messages AS below ON below.parent = hidden.id)"
    " SELECT chat, count(*) FROM hidden GROUP BY chat"
)


def hidden_messages(reader: sqlite3.Connection) -> dict[int, int]:
    """How many messages of a chat are not shown; a chat that shows all of them is left out."""
    return dict(reader.execute(_HIDDEN).fetchall())
