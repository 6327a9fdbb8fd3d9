"""The list of chats as it comes back from the store: in helpings, so that the window can answer."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait

from PySide6.QtCore import QSignalBlocker

from app.controllers.records import chat_from
from app.models.chats import Chats, Folder
from app.models.conversation import Conversation
from app.storage import ChatRecord, Keeping

_MADE_AT_ONCE, _TAKEN_AT_ONCE = 50, 500
_WAIT_SECONDS = 0.004


def read_chats(store: Keeping) -> Generator[None, None, list[ChatRecord]]:
    """All chats, the newest made first, read on a thread of its own; `StorageError` as reading."""
    with ThreadPoolExecutor(1, "chats") as executor:
        reading = executor.submit(store.chats)
        while not wait((reading,), _WAIT_SECONDS).done:
            yield
    return sorted(reading.result(), key=lambda each: each.id, reverse=True)


def take_in(
    chats: Chats,
    records: list[ChatRecord],
    folders: list[Folder],
    listen: Callable[[Conversation], None],
) -> Iterator[None]:
    """Make chats of what was kept, and take them in; it is told once, when all are there."""
    kept: list[Conversation] = []
    for number, record in enumerate(records):
        kept.append(chat_from(record))
        listen(kept[-1])
        if number % _MADE_AT_ONCE == _MADE_AT_ONCE - 1:
            yield
    for start in range(0, len(kept), _TAKEN_AT_ONCE):
        with QSignalBlocker(chats):
            chats.restore(kept[start : start + _TAKEN_AT_ONCE], folders)
        yield
    chats.restore([], folders)


def is_empty(record: ChatRecord) -> bool:
    """Whether nothing was said or begun in it: it was opened, and left."""
    is_begun = record.draft or record.draft_attachments or record.is_named
    return not record.num_messages and not is_begun
