"""The presets of a chat's settings: choose, save, delete."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.models.presets import NAME_LENGTH, Preset
from app.views.popup_menu import PopupMenu


class PresetRow(QWidget):
    """Emits what was meant; the sheet says which preset the settings are."""

    chosen = Signal(object)
    saved = Signal(str)
    deleted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets: tuple[Preset, ...] = ()
        self._name = ""
        label = QLabel(self.tr("Preset"), self)
        self.pick = QPushButton(self)
        self.menu = PopupMenu(self)
        self.save = QPushButton(self.tr("Save as…"), self)
        self.delete = QPushButton(self.tr("Delete"), self)
        self.naming = QWidget(self)
        self.field = QLineEdit(self.naming)
        self.field.setObjectName("sheet_field")
        self.field.setMaxLength(NAME_LENGTH)
        self.field.setPlaceholderText(self.tr("Name of the preset"))
        self.field.setAccessibleName(self.tr("Name of the preset"))
        self.keep = QPushButton(self.tr("Save"), self.naming)
        self.cancel = QPushButton(self.tr("Cancel"), self.naming)
        for button in (self.pick, self.save, self.delete, self.keep, self.cancel):
            button.setAutoDefault(False)
        self.pick.clicked.connect(self._open)
        self.save.clicked.connect(self._begin)
        self.delete.clicked.connect(lambda: self.deleted.emit(self._name))
        self.field.returnPressed.connect(self._keep)
        self.field.textChanged.connect(lambda text: self.keep.setEnabled(bool(text.strip())))
        self.keep.clicked.connect(self._keep)
        self.cancel.clicked.connect(self._end)
        self._arrange(label)

    def show_presets(self, presets: Sequence[Preset], name: str) -> None:
        """What there is to choose from, and which of it the settings are, if any."""
        self._presets, self._name = tuple(presets), name
        words = name or self.tr("Own settings")
        self.pick.setText(words.replace("&", "&&") + " ▾")
        self.pick.setAccessibleName(self.tr("Preset: {0}").format(words))
        self.delete.setVisible(bool(name))
        self.delete.setAccessibleName(self.tr("Delete the preset {0}").format(name))
        self.pick.setEnabled(bool(presets))

    def _open(self) -> None:
        self.menu.clear()
        for preset in self._presets:
            action = QAction(preset[0].replace("&", "&&"), self.menu)
            action.setCheckable(True)
            action.setChecked(preset[0] == self._name)
            action.triggered.connect(lambda _=False, each=preset: self.chosen.emit(each))
            self.menu.addAction(action)
        self.menu.popup(self.pick.mapToGlobal(QPoint(0, self.pick.height() + 2)))

    def _begin(self) -> None:
        self.field.setText(self._name)
        self.keep.setEnabled(bool(self._name))
        self.naming.show()
        self.field.setFocus()
        self.field.selectAll()

    def _keep(self) -> None:
        if self.field.text().strip():
            self.saved.emit(self.field.text())
            self._end()

    def _end(self) -> None:
        self.naming.hide()
        self.save.setFocus()

    def _arrange(self, label: QLabel) -> None:
        naming = QHBoxLayout(self.naming)
        naming.setContentsMargins(0, 0, 0, 0)
        naming.setSpacing(8)
        naming.addWidget(self.field, 1)
        naming.addWidget(self.keep)
        naming.addWidget(self.cancel)
        self.naming.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.pick)
        row.addStretch(1)
        row.addWidget(self.save)
        row.addWidget(self.delete)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.naming)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.naming.isVisible():
            self._end()
        else:
            super().keyPressEvent(event)
