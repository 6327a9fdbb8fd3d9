"""The folders that are looked through for models: those added, adding one, looking again."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.theme import Theme
from app.views.controls import ElidedLabel, IconButton
from app.views.file_dialogs import FileDialog
from app.views.library.parts import LibraryParts
from app.views.library.succession import holds_focus


class Folders(QWidget):
    """A foot under the list of models; the folders themselves are folded away."""

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_folders")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._parts, self._theme = parts, theme
        self.dialog: QFileDialog | None = None
        self.add = QPushButton(self.tr("Add folder…"), self)
        self.fold = QPushButton(self)
        self.fold.setObjectName("quiet")
        self.fold.setCheckable(True)
        self.again = QPushButton(self.tr("Look again"), self)
        self.again.setObjectName("quiet")
        for button in (self.add, self.fold, self.again):
            button.setAutoDefault(False)
        self.rows = QWidget(self)
        self._rows = QVBoxLayout(self.rows)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self.rows.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.add)
        row.addWidget(self.fold)
        row.addStretch(1)
        row.addWidget(self.again)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 10, 8)
        column.setSpacing(6)
        column.addWidget(self.rows)
        column.addLayout(row)
        self.add.clicked.connect(self._ask)
        self.fold.toggled.connect(self._follow)
        self.again.clicked.connect(self._look_again)
        parts.library.folders_changed.connect(self._rebuild)
        parts.library.scanning_changed.connect(self._on_scanning)
        self._on_scanning(parts.library.is_scanning)
        self._rebuild()

    def _ask(self) -> None:
        if self.dialog is not None:
            return
        self.dialog = dialog = FileDialog(self.window(), self.tr("Add a folder of models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(self._parts.intents.folder_added)
        dialog.finished.connect(self._on_finished)
        dialog.open()

    def _look_again(self) -> None:
        if not self._parts.library.is_scanning:
            self._parts.intents.rescan_requested.emit()

    def _on_finished(self) -> None:
        self.dialog = None

    def _rebuild(self) -> None:
        if holds_focus(self.rows):
            self.add.setFocus(Qt.FocusReason.OtherFocusReason)
        while (item := self._rows.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for path in self._parts.library.folders:
            self._rows.addWidget(self._row(path))
        self._follow()

    def _row(self, path: str) -> QWidget:
        made = QWidget(self.rows)
        label = ElidedLabel(_short(path), made)
        label.setObjectName("small")
        label.setToolTip(path)
        name = self.tr("Do not look through {0}").format(path)
        remove = IconButton("close", name, self._theme, made)
        remove.setFixedSize(22, 22)
        remove.clicked.connect(lambda: self._parts.intents.folder_removed.emit(path))
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label, 1)
        row.addWidget(remove)
        return made

    def _follow(self) -> None:
        num = len(self._parts.library.folders)
        words = self.tr("1 folder") if num == 1 else self.tr("{0} folders").format(num)
        is_open = self.fold.isChecked()
        self.fold.setText(f"{words} {'▾' if is_open else '▸'}")
        self.fold.setVisible(num > 0)
        self.rows.setVisible(is_open and num > 0)

    def _on_scanning(self, is_scanning: bool) -> None:
        # Not disabled meanwhile: the keyboard would be sent elsewhere.
        self.again.setText(self.tr("Looking…") if is_scanning else self.tr("Look again"))


def _short(path: str) -> str:
    """A path with ~ for the home folder."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path
