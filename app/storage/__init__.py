"""The room where chats are kept: SQLite, one writing thread, plain values."""

from app.storage.keeping import Keeping
from app.storage.no_store import NoStore
from app.storage.problems import LockedError, StorageError
from app.storage.records import (
    ChatRecord,
    DownloadRecord,
    DownloadStage,
    FolderRecord,
    Hit,
    MessageRecord,
    ModelFolderRecord,
    ModelRecord,
    Role,
    RunRecord,
    Segment,
    SegmentKind,
)
from app.storage.store import Store, data_folder

__all__ = [
    "ChatRecord",
    "DownloadRecord",
    "DownloadStage",
    "FolderRecord",
    "Hit",
    "Keeping",
    "LockedError",
    "MessageRecord",
    "ModelFolderRecord",
    "ModelRecord",
    "NoStore",
    "Role",
    "RunRecord",
    "Segment",
    "SegmentKind",
    "StorageError",
    "Store",
    "data_folder",
]
