"""The dialogs for files: where they begin, what they suggest, and that they can be read."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QListView, QMainWindow, QTreeView

from app.models.file_name import stem_of
from app.theme import Theme
from app.views.chat_dialogs import ask_export, ask_import
from app.views.file_dialogs import FileDialog, first_folder
from app.views.stylesheet import style_sheet
from app.views.trace_menu import TraceMenu


@pytest.fixture(autouse=True)
def unused(monkeypatch):
    monkeypatch.setattr(FileDialog, "_used", None)


@pytest.fixture
def make_window(qtbot):
    def make(name="light"):
        window = QMainWindow()
        qtbot.addWidget(window)
        window.theme = Theme(name, window)
        window.setStyleSheet(style_sheet(window.theme.palette))
        window.show()
        return window

    return make


def test_the_first_dialog_begins_in_documents_and_at_home_where_there_are_none(tmp_path):
    assert first_folder(None) == tmp_path
    (tmp_path / "Documents").mkdir()
    assert first_folder(None) == tmp_path / "Documents"
    used = tmp_path / "used"
    assert first_folder(used) == tmp_path / "Documents"
    used.mkdir()
    assert first_folder(used) == used


def test_the_next_dialog_begins_where_the_last_one_ended(make_window, tmp_path):
    window, folder = make_window(), tmp_path / "exports"
    folder.mkdir()
    chosen = []
    dialog = ask_export(window, "soup.md", chosen.append)
    assert Path(dialog.directory().absolutePath()) == tmp_path
    dialog.setDirectory(str(folder))
    dialog.selectFile("soup.md")
    dialog.accept()
    assert chosen == [folder / "soup.md"]
    dialog = ask_import(window, chosen.append)
    assert Path(dialog.directory().absolutePath()) == folder
    dialog.reject()


@pytest.mark.parametrize(("name", "kind"), [("a.md", "*.md"), ("a.json", "*.json")])
def test_an_export_offers_its_own_kind_first(make_window, name, kind):
    window = make_window()
    dialog = ask_export(window, name, print)
    first, last = dialog.nameFilters()
    assert (kind in first, last) == (True, "All files (*)")
    assert [Path(each).name for each in dialog.selectedFiles()] == [name]
    dialog.reject()


@pytest.mark.parametrize(
    ("action", "kind"), [("save", "*.jsonl"), ("chrome", "*.json"), ("csv", "*.csv")]
)
def test_so_does_saving_a_trace(make_window, action, kind):
    window = make_window()
    menu = TraceMenu(window.theme, window)
    menu.set_has_reply(True)
    getattr(menu, action).trigger()
    dialog = window.findChild(QFileDialog)
    assert kind in dialog.selectedNameFilter()
    assert Path(dialog.selectedFiles()[0]).name == "reply" + kind[1:]
    dialog.reject()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_part_can_be_read(make_window, name):
    window = make_window(name)
    dialog = ask_import(window, print)
    for kind in (QListView, QTreeView, QLineEdit, QComboBox):
        for part in dialog.findChildren(kind):
            palette = part.palette()
            on = palette.base() if kind is not QComboBox else palette.button()
            light, dark = sorted((on.color().lightness(), palette.text().color().lightness()))
            assert dark - light > 120, part.objectName()
    dialog.reject()


def test_a_name_ends_with_a_word():
    title = 'Add the field "stock": 12 to every entry and print the whole list again'
    stem = stem_of(title, "reply")
    assert stem == "Add-the-field-stock-12-to-every-entry-and-print-the-whole"
    assert stem_of(title[: title.index(" list")], "reply") == stem
    assert stem_of("w" * 80, "reply") == "w" * 60
    assert stem_of("On " + "w" * 80, "reply") == "On-" + "w" * 57
    assert stem_of("a" * 30 + " " + "b" * 29, "reply") == "a" * 30 + "-" + "b" * 29
    assert stem_of("?!", "reply") == "reply"
