"""What this is, in a small sheet, and whose work is in it."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, metadata, requires
from importlib.resources import files

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.theme import Theme, mono
from app.views.sheet import Sheet
from engine import DEMO

_WIDTH, _HEIGHT = 680, 640
# What a bundle brings: the licences of everything in it.
_BUNDLED = "licences.txt"


def show_about(
    parent: QWidget, version: str, show_licences: Callable[[], object] | None = None
) -> QMessageBox:
    """Open it over a window; it goes when it is closed."""
    box = QMessageBox(parent)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(_tr("About Draftscope"))
    box.setText(_tr("Draftscope {0}").format(version))
    box.setInformativeText(
        _tr(
            "Chat with local language models and see where every token came from."
            " Models run on this computer; nothing that you type leaves it.\n\n"
            "Apache License 2.0"
        )
    )
    box.addButton(QMessageBox.StandardButton.Ok)
    if show_licences is not None:
        licences = box.addButton(_tr("Licences"), QMessageBox.ButtonRole.ActionRole)
        licences.setAccessibleName(_tr("Licences of what is in Draftscope"))
        licences.clicked.connect(show_licences)
    box.open()
    return box


class Licences(Sheet):
    """The licences of everything that is in the app."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(self.tr("Licences"), theme, parent)
        self.words = QPlainTextEdit(licences_text(), self.body)
        self.words.setObjectName("sheet_text")
        self.words.setAccessibleName(self.windowTitle())
        self.words.setReadOnly(True)
        self.words.setFont(mono(12))
        column = QVBoxLayout(self.body)
        column.setContentsMargins(24, 4, 24, 8)
        column.addWidget(self.words)
        self.arrange(QWidget(self))
        self.done_button.setDefault(True)
        size = parent.window().size()
        self.resize(min(_WIDTH, size.width() - 40), min(_HEIGHT, max(size.height() - 60, 360)))


def licences_text() -> str:
    """What the bundle has; elsewhere the packages with what they say of themselves."""
    resources = files("resources")
    bundled = resources / _BUNDLED
    if bundled.is_file():
        return bundled.read_bytes().decode("utf-8", "replace")
    notice = resources / "models" / DEMO / "NOTICE"
    parts = [_tr("Draftscope is used with these packages, each under its own licence:"), ""]
    parts += [f"{name}: {licence}" for name, licence in _packages()]
    if notice.is_file():
        parts += ["", notice.read_bytes().decode("utf-8", "replace")]
    return "\n".join(parts)


def _packages() -> list[tuple[str, str]]:
    """The packages that the app asks for, those of its developers left out."""
    try:
        wanted = requires("draftscope") or []
    except PackageNotFoundError:
        return []
    names = {_name(line) for line in wanted if "extra ==" not in line}
    return [(name, licence) for name in sorted(names, key=str.lower) if (licence := _licence(name))]


def _name(requirement: str) -> str:
    return "".join(
        letter if letter.isalnum() or letter in "-_." else " " for letter in requirement
    ).split()[0]


def _licence(name: str) -> str:
    """What it calls its licence; empty where it is not here."""
    try:
        facts = metadata(name)
    except PackageNotFoundError:
        return ""
    said = next((facts[key] for key in ("License-Expression", "License") if key in facts), "")
    kinds = [
        line.rpartition(" :: ")[2]
        for line in facts.get_all("Classifier") or []
        if "License ::" in line
    ]
    first = said.strip().splitlines()[0] if said.strip() else ", ".join(kinds)
    return first[:80] or _tr("see its own files")


def _tr(text: str) -> str:
    return QCoreApplication.translate("About", text)
