"""What is kept of models: folders to look through, downloads, and what each is used with."""

import sqlite3
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from dataclasses import replace

from app.storage import rows
from app.storage.records import DownloadRecord, ModelFolderRecord, ModelRecord
from app.storage.writer import Writer

_FOLDERS = f"SELECT {rows.MODEL_FOLDER_COLUMNS} FROM model_folders ORDER BY position, seq"
_DOWNLOADS = f"SELECT {rows.DOWNLOAD_COLUMNS} FROM downloads ORDER BY position, seq"
_MODELS = f"SELECT {rows.MODEL_COLUMNS} FROM models ORDER BY name"


class ModelStore(ABC):
    """The part of a store that knows models; see `Keeping` for what each method does."""

    _writer: Writer

    def model_folders(self) -> list[ModelFolderRecord]:
        """The folders that are looked through for models, by position."""
        with self._reading() as reader:
            return [rows.model_folder_of(row) for row in reader.execute(_FOLDERS).fetchall()]

    def save_model_folder(self, record: ModelFolderRecord) -> None:
        """Keep a folder in the list."""
        self._writer.hand_over(lambda pending: pending.model_folders.update({record.path: record}))

    def delete_model_folder(self, path: str) -> None:
        """Take a folder out of the list; what lies in it stays."""
        self._writer.hand_over(lambda pending: pending.delete_model_folder(path))

    def downloads(self) -> list[DownloadRecord]:
        """The queue of downloads, in its order."""
        with self._reading() as reader:
            return [rows.download_of(row) for row in reader.execute(_DOWNLOADS).fetchall()]

    def save_download(self, record: DownloadRecord) -> None:
        """Keep a download as it is now."""
        self._writer.hand_over(lambda pending: pending.downloads.update({record.id: record}))

    def delete_download(self, download: int) -> None:
        """Take a download out of the queue."""
        self._writer.hand_over(lambda pending: pending.delete_download(download))

    def model_records(self) -> list[ModelRecord]:
        """What is remembered of each model, by name."""
        with self._reading() as reader:
            return [rows.model_of(row, self._damaged) for row in reader.execute(_MODELS).fetchall()]

    def save_model(self, record: ModelRecord) -> None:
        """Remember this of a model."""
        kept = replace(record, settings=rows.plain(record.settings))
        self._writer.hand_over(lambda pending: pending.models.update({kept.name: kept}))

    @abstractmethod
    def _reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """The reading connection."""

    @abstractmethod
    def _damaged(self, what: str) -> None:
        """Told once per damaged row."""
