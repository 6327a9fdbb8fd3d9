"""A Mac's app outlives its window; elsewhere closing is closing. And where the window stood."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.main.dock import Dock
from app.main.window_state import geometry_of, restore_geometry


class Window(QWidget):
    closed = Signal()

    def closeEvent(self, event):
        super().closeEvent(event)
        self.closed.emit()


def made(qtbot, *, is_mac):
    window = Window()
    qtbot.addWidget(window)
    window.show()
    ends = []
    window.closed.connect(lambda: ends.append(1))
    return window, Dock(window, window, is_mac=is_mac), ends


def test_on_a_mac_a_closed_window_comes_back_from_the_dock(qtbot, qapp):
    window, dock, ends = made(qtbot, is_mac=True)
    dock.close_window()
    assert not window.isVisible()
    assert ends == []
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert not window.isVisible()
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert window.isVisible()
    dock.quit()
    assert ends == [1]


def test_elsewhere_closing_is_closing(qtbot, qapp):
    window, dock, ends = made(qtbot, is_mac=False)
    dock.close_window()
    assert ends == [1]
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert not window.isVisible()


def test_a_window_that_was_never_shown_is_not_opened_by_the_dock(qtbot, qapp):
    window = Window()
    qtbot.addWidget(window)
    Dock(window, window, is_mac=True)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert not window.isVisible()


def test_a_file_from_the_finder_brings_the_window_back_and_is_told(qtbot, tmp_path):
    window, dock, _ = made(qtbot, is_mac=True)
    told = []
    dock.file_opened.connect(told.append)
    dock.close_window()
    dock._on_file(tmp_path / "a.jsonl")
    assert told == [tmp_path / "a.jsonl"]
    assert window.isVisible()
    dock.quit()


def test_where_the_window_stood_comes_back(qtbot):
    window, other = QWidget(), QWidget()
    for each in (window, other):
        qtbot.addWidget(each)
    window.setGeometry(40, 50, 612, 433)
    text = geometry_of(window)
    assert text.isascii()
    assert restore_geometry(other, text)
    assert other.size() == window.size()
    before = other.geometry()
    for nonsense in ("", "Zm9v", "ü", "!!!!", text[:20]):
        assert not restore_geometry(other, nonsense)
    assert other.geometry() == before
