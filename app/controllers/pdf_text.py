"""The text of a PDF, page by page."""

import io
import struct
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.models.attaching import MAX_TEXT_BYTES, AttachmentError, sound_text

if TYPE_CHECKING:
    from pypdf import PdfReader

# What pypdf is seen to raise on damaged files beside its own errors.
_DAMAGED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


def pdf_text(name: str, data: bytes, report: Callable[[int, int], None]) -> str:
    """The text of all pages; AttachmentError where there is none to be had."""
    # Only now: it takes a while, and most chats never see a PDF.
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise AttachmentError(
                f"{name} is locked with a password; save it without one and attach it again."
            )
        text = sound_text(_pages(name, reader, report))
    except DependencyError:
        raise AttachmentError(
            f"{name} is encrypted in a way that cannot be read; save it unencrypted first."
        ) from None
    except (PyPdfError, *_DAMAGED):
        raise AttachmentError(
            f"{name} is damaged or not a PDF; open it in a viewer and save it again."
        ) from None
    if not text.strip():
        raise AttachmentError(
            f"{name} has no text, only pictures of it; run text recognition on it first."
        )
    return text


def _pages(name: str, reader: "PdfReader", report: Callable[[int, int], None]) -> str:
    pages: list[str] = []
    total, length = len(reader.pages), 0
    for number, page in enumerate(reader.pages, 1):
        report(number, total)
        text = page.extract_text().strip()
        length += len(text)
        if length > MAX_TEXT_BYTES:
            limit = MAX_TEXT_BYTES // 1_000_000
            raise AttachmentError(
                f"{name} holds more than {limit} MB of text; attach a part of it."
            )
        if text:
            pages.append(text)
    return "\n\n".join(pages)
