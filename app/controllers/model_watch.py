"""Tells when something changes in folders of models, once it is quiet again."""

from collections.abc import Iterable

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

QUIET_MS = 500
# Systems give a process so many watches, and each takes a file on some.
MOST_WATCHED = 500


class ModelWatch(QObject):
    """Watches folders, not what is in them; `stirred` comes at most twice a second."""

    stirred = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self.stirred)
        # Not begun anew by each change: a download never rests.
        self._watcher.directoryChanged.connect(self._note)

    def watch(self, folders: Iterable[str]) -> None:
        """These from now on."""
        wanted = list(folders)[:MOST_WATCHED]
        before = set(self._watcher.directories())
        if gone := before - set(wanted):
            self._watcher.removePaths(list(gone))
        if fresh := [each for each in wanted if each not in before]:
            self._watcher.addPaths(fresh)

    def close(self) -> None:
        """Watch nothing."""
        self._quiet.stop()
        self.watch(())

    def _note(self) -> None:
        if not self._quiet.isActive():
            self._quiet.start()
