"""Traces dropped on a window."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.views.composer.prompt_edit import files_in

SUFFIXES = (".jsonl", ".json")


class TraceDrop(QObject):
    """Watches a window for dragged files, and tells each that may be a trace."""

    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent | QDropEvent) and (paths := _traces_in(event)):
            event.acceptProposedAction()
            if event.type() == QEvent.Type.Drop:
                for path in paths:
                    self.dropped.emit(path)
            return True
        return super().eventFilter(watched, event)


def _traces_in(event: QDropEvent) -> list[Path]:
    """The local files that are dragged here and may be traces."""
    return [path for path in files_in(event.mimeData()) if path.suffix.lower() in SUFFIXES]
