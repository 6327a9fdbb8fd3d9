"""The dialog that files to attach are chosen in."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QFileDialog, QWidget

from app.views.composer.prompt_edit import files_in
from app.views.file_dialogs import FileDialog

TRACE_SUFFIX = ".jsonl"


def attachable(mime: QMimeData) -> tuple[Path, ...]:
    """The dragged files that are no traces, which the window opens."""
    return tuple(path for path in files_in(mime) if path.suffix.lower() != TRACE_SUFFIX)


def traces_in(mime: QMimeData) -> tuple[Path, ...]:
    """The dragged files that are traces."""
    return tuple(path for path in files_in(mime) if path.suffix.lower() == TRACE_SUFFIX)


def choose_files(parent: QWidget, chosen: Callable[[tuple[Path, ...]], None]) -> QFileDialog:
    """Open the dialog; `chosen` is called with the files if there are any."""
    dialog = FileDialog(parent, parent.tr("Attach text, code or PDF files"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda names: chosen(tuple(Path(name) for name in names)))
    dialog.open()
    return dialog
