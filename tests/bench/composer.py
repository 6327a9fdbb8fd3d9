"""What the composer costs: `QT_QPA_PLATFORM=offscreen python -m tests.bench.composer`.

Prints, and judges nothing: long pastes, keys in a long text, telling a long draft, reading files.
"""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QMimeData
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.controllers.attachment_files import read_attachment
from app.models.attaching import attachment_of
from app.models.context_meter import ContextUse
from app.models.question import Question
from app.theme import Theme
from app.views.composer import Composer
from app.views.stylesheet import style_sheet
from tests.app.composer.pdf_files import pdf_of

NUM_KEYS = 50


def timed(words: str, act: Callable[[], object], times: int = 1) -> None:
    """Do it, and print what it took."""
    begin = time.perf_counter()
    for _ in range(times):
        act()
    took = (time.perf_counter() - begin) / times
    print(f"{words:<58}{took * 1000:>9.2f} ms")  # noqa: T201


def mime_of(text: str) -> QMimeData:
    """Text as it is pasted."""
    mime = QMimeData()
    mime.setText(text)
    return mime


def view(application: QApplication) -> None:
    """What the window does."""
    host = QWidget()
    theme = Theme("light", host)
    host.setStyleSheet(style_sheet(theme.palette))
    composer = Composer(theme, host)
    QVBoxLayout(host).addWidget(composer)
    composer.show_context(ContextUse(32_768, 1_000, 0, 8_192))
    host.resize(700, 500)
    host.show()
    application.processEvents()

    def paste(text: str) -> None:
        composer.edit.insertFromMimeData(mime_of(text))
        application.processEvents()

    def key() -> None:
        QTest.keyClick(composer.edit, "a")
        application.processEvents()

    timed("paste of 3,000 lines", lambda: paste("def f(x): return x + 1  # a line\n" * 3_000))
    timed("paste of 5,000,000 characters", lambda: paste("z" * 5_000_000))
    timed("telling that draft", composer.flush_draft)
    composer.show_draft(Question())
    timed("a key in an empty field", key, NUM_KEYS)
    for name, text in (
        ("in 1,500 lines, 100,000 characters", ("word " * 13 + "\n") * 1_500),
        ("in one line of 20,000 characters", "word " * 4_000),
        ("in one line of 100,000 characters", "word " * 20_000),
    ):
        timed(f"showing a draft {name}", lambda t=text: composer.show_draft(Question(t)))
        application.processEvents()
        timed(f"a key {name}", key, NUM_KEYS)
        timed(f"telling the draft {name}", composer.flush_draft)
    host.close()


def files(folder: Path) -> None:
    """What reading does, on its thread."""
    text = folder / "a.txt"
    text.write_text("Some words of a text.\n" * 400_000)
    timed("reading a text file of 9 MB", lambda: read_attachment(text, _nothing, _never))
    timed("reading 9 MB as Latin-1", lambda: attachment_of("a", b"\xe4 text " * 1_200_000))
    pdf = folder / "a.pdf"
    pdf.write_bytes(pdf_of([f"The words of page {n}" for n in range(300)]))
    timed("reading a PDF of 300 pages", lambda: read_attachment(pdf, _nothing, _never))


def _nothing(_page: int, _total: int) -> None:
    pass


def _never() -> bool:
    return False


if __name__ == "__main__":
    view(QApplication([]))
    with TemporaryDirectory() as folder:
        files(Path(folder))
