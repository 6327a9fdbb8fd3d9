"""The person's key for models whose makers ask who takes them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.views.switch_row import quiet

_LONGEST = 200


class KeyField(QWidget):
    """Folded away until it is needed; `show_outcome` says what became of a key, nothing before."""

    saved = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fold = QPushButton(self)
        self.fold.setObjectName("quiet")
        self.fold.setCheckable(True)
        self.field = QLineEdit(self)
        self.field.setObjectName("sheet_field")
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setMaxLength(_LONGEST)
        self.field.setPlaceholderText(self.tr("Access key for the hub"))
        self.field.setAccessibleName(
            self.tr("Access key for the hub, for models with terms to accept")
        )
        self.save = QPushButton(self.tr("Save"), self)
        self.forget = QPushButton(self.tr("Forget saved key"), self)
        self.said = quiet("", self)
        for button in (self.fold, self.save, self.forget):
            button.setAutoDefault(False)
        self.save.setEnabled(False)
        self.body = QWidget(self)
        self._arrange()
        self.fold.toggled.connect(self._on_folded)
        self.field.textChanged.connect(lambda text: self.save.setEnabled(bool(text.strip())))
        self.field.returnPressed.connect(self._save)
        self.save.clicked.connect(self._save)
        self.forget.clicked.connect(self._forget)
        self._on_folded(False)

    def open(self) -> None:
        """Unfold, with the cursor in the field."""
        self.fold.setChecked(True)
        self.field.setFocus()

    def show_outcome(self, sentence: str) -> None:
        """What became of the key, or of the wish to forget it."""
        self.said.setText(sentence)
        self.said.setVisible(self.fold.isChecked() and bool(sentence))

    def _save(self) -> None:
        text = self.field.text().strip()
        if text:
            self.field.setFocus()
            self.field.clear()
            self.show_outcome("")
            self.saved.emit(text)

    def _forget(self) -> None:
        self.field.clear()
        self.show_outcome("")
        self.saved.emit("")

    def _on_folded(self, is_open: bool) -> None:
        self.body.setVisible(is_open)
        self.said.setVisible(bool(is_open and self.said.text()))
        words = self.tr("Key for models with terms")
        self.fold.setText(f"{words} {'▾' if is_open else '▸'}")
        if is_open:
            self.field.setFocus()

    def _arrange(self) -> None:
        about = self.tr(
            "Some makers ask you to accept terms: do so on the model's page, make a key that may"
            " read there, and save it here. It is kept by the system's keyring."
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.save)
        row.addWidget(self.forget)
        column = QVBoxLayout(self.body)
        column.setContentsMargins(4, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(quiet(about, self.body))
        column.addLayout(row)
        column.addWidget(self.said)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self.body)
