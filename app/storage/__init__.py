"""The room where chats are kept: SQLite, one writing thread, plain values."""

from app.storage.keeping import Keeping, NoStore
from app.storage.problems import LockedError, StorageError
from app.storage.records import (
    ChatRecord,
    FolderRecord,
    Hit,
    MessageRecord,
    Role,
    RunRecord,
    Segment,
    SegmentKind,
)
from app.storage.store import Store, data_folder

__all__ = [
    "ChatRecord",
    "FolderRecord",
    "Hit",
    "Keeping",
    "LockedError",
    "MessageRecord",
    "NoStore",
    "Role",
    "RunRecord",
    "Segment",
    "SegmentKind",
    "StorageError",
    "Store",
    "data_folder",
]
