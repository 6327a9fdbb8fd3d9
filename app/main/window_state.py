"""Where the window stood: Qt's own account of it, as text for the settings file."""

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QWidget

_SHORTEST = 46


def geometry_of(window: QWidget) -> str:
    """Place, size, full screen or not, and on which screen."""
    return window.saveGeometry().toBase64().toStdString()


def restore_geometry(window: QWidget, text: str) -> bool:
    """Put it there again, as far as the screens of today allow; whether the text was one."""
    if not text.isascii():
        return False
    account = QByteArray.fromBase64(QByteArray(text.encode()))
    # Qt takes one that was cut for a window of no size.
    return account.size() >= _SHORTEST and window.restoreGeometry(account)
