"""Reads one attached file: looks at what it is, keeps to the limits; runs on a thread."""

import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from app.controllers.pdf_text import pdf_text
from app.models.attaching import (
    MAX_PDF_BYTES,
    MAX_TEXT_BYTES,
    TEXT_ONLY,
    AttachmentError,
    attachment_of,
    is_image,
    is_pdf,
    too_large,
)
from app.models.file_name import shown_name
from app.models.model_file import model_file_refusal
from app.models.question import Attachment

Report = Callable[[int, int], None]


class ReadingStopped(BaseException):
    """Nobody waits for the file any more; not an `Exception`, so that no parser swallows it."""


def read_attachment(
    path: Path, report: Report, is_stopped: Callable[[], bool]
) -> tuple[Attachment, str]:
    """The file as an attachment, and a sentence if there is something to know about it.

    `report` is told the page of a PDF and how many there are. Once `is_stopped` says so, reading
    ends with ReadingStopped, even in the middle of a page that would never end.
    """
    name = shown_name(path)
    try:
        data = _read(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its name is not valid"
        raise AttachmentError(f"{name} cannot be read: {reason}.") from None
    if is_stopped():
        raise ReadingStopped
    if not is_pdf(name, data):
        return attachment_of(name, data)

    def watch(_frame: FrameType, _event: str, _value: Any) -> None:
        if is_stopped():
            raise ReadingStopped

    earlier = sys.getprofile()
    # Called at every call of a function on this thread: the one way into a parser that hangs.
    sys.setprofile(watch)
    try:
        text = pdf_text(name, data, report)
    finally:
        sys.setprofile(earlier)
    return Attachment(name, text, "pdf"), ""


def _read(path: Path) -> bytes:
    """The file's bytes; AttachmentError where it is nothing to read, or too much."""
    name, found = shown_name(path), path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise AttachmentError(f"{name} is a folder; attach the files in it.")
    if not stat.S_ISREG(found.st_mode):
        raise AttachmentError(f"{name} is not an ordinary file, so it cannot be attached.")
    if is_image(name):
        raise AttachmentError(TEXT_ONLY)
    refusal = model_file_refusal(name) or too_large(name, found.st_size)
    if refusal:
        raise AttachmentError(refusal)
    limit = MAX_PDF_BYTES if is_pdf(name) else MAX_TEXT_BYTES
    with path.open("rb") as file:
        # It may have grown since it was looked at.
        data = file.read(limit + 1)
    if len(data) > limit:
        raise AttachmentError(too_large(name, len(data)))
    return data
