"""What the system sends to the application alone, in a process of its own."""

import os
import subprocess
import sys

PROGRAM = """
from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QWidget
from app.main.application import Application
from app.main.dock import Dock

app = Application([])
window = QWidget()
dock = Dock(window, app, is_mac=True)
told = []
dock.file_opened.connect(told.append)
window.show()
dock.close_window()
app.sendEvent(app, QFileOpenEvent(QUrl.fromLocalFile("/tmp/a.jsonl")))
print(told[0].name, window.isVisible())
quits = QEvent(QEvent.Type.Quit)
app.sendEvent(app, quits)
print(quits.isAccepted(), window.isVisible())
"""


def test_files_and_quit_reach_the_window():
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert done.stdout.split("\n")[:2] == ["a.jsonl True", "True False"]
