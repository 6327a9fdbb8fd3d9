"""A download in words: how far it is, how fast, and what happens next."""

from PySide6.QtCore import QCoreApplication

from app.models.downloads import Download
from app.models.model_words import bytes_words, left_words, progress_words, speed_words
from app.views.library.words import DOT


def state_words(download: Download) -> str:
    """The line under a download's bar."""
    here = _here(download)
    match download.stage:
        case "waiting":
            return DOT.join(part for part in (_tr("Waits for its turn"), here) if part)
        case "listing":
            return _tr("Asking for its files…")
        case "verifying":
            return DOT.join((_tr("Checking the files here"), _moving(download)))
        case "fetching":
            return _moving(download)
        case "retrying":
            sentence = download.sentence or _tr("Something failed for now.")
            return f"{sentence} {_tr('It goes on by itself.')}"
        case "checking":
            return _tr("Checking what came…")
        case "paused":
            return DOT.join(part for part in (_tr("Paused"), here) if part)
        case "failed":
            return download.sentence or _tr("It failed; try again.")
        case "done":
            size = bytes_words(download.total_bytes) if download.total_bytes else ""
            return DOT.join(part for part in (_tr("Ready"), size) if part)


def short_words(download: Download) -> str:
    """Where there is little room: how much of how much."""
    if download.stage in ("fetching", "retrying"):
        return _here(download) or _tr("Starting…")
    if download.stage == "failed":
        return _tr("Failed")
    return {
        "waiting": _tr("Waits"),
        "listing": _tr("Starting…"),
        "verifying": _tr("Checking…"),
        "checking": _tr("Checking…"),
        "paused": _tr("Paused"),
        "done": _tr("Ready"),
    }[download.stage]


def place_in_list(download: Download) -> tuple[int, float, int]:
    """What runs comes first, what is done last; among equals the queue's order holds."""
    order = {"waiting": 1, "paused": 2, "failed": 3, "done": 4}
    return order.get(download.stage, 0), download.position, download.id


def percent_words(download: Download) -> str:
    """How far it is: "43 %"; empty where its size is not known yet."""
    return f"{int(download.fraction * 100)} %" if download.total_bytes else ""


def _here(download: Download) -> str:
    if not download.total_bytes:
        return ""
    if not download.done_bytes and download.stage in ("waiting", "paused"):
        return bytes_words(download.total_bytes)
    return progress_words(download.done_bytes, download.total_bytes)


def _moving(download: Download) -> str:
    parts = [_here(download)]
    if download.bytes_per_second > 0:
        parts.append(speed_words(download.bytes_per_second))
    if download.seconds_left is not None:
        parts.append(left_words(download.seconds_left))
    return DOT.join(part for part in parts if part) or _tr("Starting…")


def _tr(text: str) -> str:
    return QCoreApplication.translate("DownloadWords", text)
