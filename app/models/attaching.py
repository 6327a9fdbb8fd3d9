"""What becomes of a file that is attached: its text, what it is written in, or why it cannot be."""

import codecs
from pathlib import PurePath

from app.models.question import Attachment

MAX_TEXT_BYTES = 10_000_000
MAX_PDF_BYTES = 50_000_000
LONG_PASTE = 2_500
CHARACTERS_PER_TOKEN = 4
TEXT_ONLY = "This model reads text only; an image cannot be attached."

_LANGUAGES = {
    "bash": "sh bash zsh",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp",
    "csharp": "cs",
    "css": "css",
    "dart": "dart",
    "diff": "diff patch",
    "elixir": "ex exs",
    "go": "go",
    "haskell": "hs",
    "html": "html htm",
    "ini": "ini cfg",
    "java": "java",
    "javascript": "js mjs cjs jsx",
    "json": "json jsonl",
    "julia": "jl",
    "kotlin": "kt kts",
    "latex": "tex",
    "lua": "lua",
    "objectivec": "m mm",
    "perl": "pl pm",
    "php": "php",
    "powershell": "ps1",
    "python": "py pyi",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "scss": "scss",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "typescript": "ts tsx",
    "xml": "xml svg plist",
    "yaml": "yaml yml",
    "zig": "zig",
}
_BY_SUFFIX = {f".{end}": name for name, ends in _LANGUAGES.items() for end in ends.split()}
_BY_NAME = {"makefile": "makefile", "dockerfile": "dockerfile", "cmakelists.txt": "cmake"}
_IMAGES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"),
    *(".heic", ".heif", ".avif", ".ico", ".psd"),
)
_IMAGE_HEADS = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*")
# The longer mark first: UTF-32's begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PDF_HEAD_BYTES = 1024
# Bytes that no text has: control characters other than white space, backspace and escape.
_CONTROLS = bytes(n for n in range(32) if n not in b"\t\n\v\f\r\b\x1b") + b"\x7f"


class AttachmentError(Exception):
    """One sentence on why a file cannot be attached."""


def estimated_tokens(characters: int) -> int:
    """About how many tokens so many characters are, before they are counted."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def sound_text(text: str) -> str:
    """The text without halves of surrogate pairs, which nothing can encode, and without NULs."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "�") if "\0" in text else text


def pasted(text: str, number: int) -> Attachment:
    """A long paste, the `number`th of its question."""
    return Attachment("Pasted text" if number == 1 else f"Pasted text {number}", text)


def language_of(name: str) -> str:
    """What a file of this name is written in; empty where it is no code."""
    path = PurePath(name)
    return _BY_NAME.get(path.name.lower()) or _BY_SUFFIX.get(path.suffix.lower(), "")


def is_image(name: str, head: bytes = b"") -> bool:
    """Whether this is a picture, by its name or its first bytes."""
    return (
        PurePath(name).suffix.lower() in _IMAGES
        or head.startswith(_IMAGE_HEADS)
        or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")
    )


def is_pdf(name: str, head: bytes = b"") -> bool:
    """Whether this is a PDF, by its name or its first bytes."""
    return PurePath(name).suffix.lower() == ".pdf" or b"%PDF-" in head[:_PDF_HEAD_BYTES]


def too_large(name: str, size: int) -> str:
    """Why a file of this size cannot be attached; empty where it can."""
    limit, kind = (MAX_PDF_BYTES, "PDF") if is_pdf(name) else (MAX_TEXT_BYTES, "text")
    if size <= limit:
        return ""
    return (
        f"{name} has {size / 1e6:,.1f} MB; {kind} files up to {limit // 1_000_000} MB"
        " can be attached."
    )


def attachment_of(name: str, data: bytes) -> tuple[Attachment, str]:
    """A text or code file as an attachment, and a sentence where its text had to be guessed."""
    if is_image(name, data[:16]):
        raise AttachmentError(TEXT_ONLY)
    text, notice = _decoded(name, data)
    if not text.strip():
        raise AttachmentError(f"{name} is empty, so there is nothing to attach.")
    language = language_of(name)
    return Attachment(name, text, "code" if language else "text", language), notice


def _decoded(name: str, data: bytes) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return _lines(data.decode(encoding)), ""
            except UnicodeDecodeError:
                raise AttachmentError(
                    f"{name} begins as {encoding.upper().removesuffix('-SIG')} text but is damaged;"
                    " save it again as UTF-8."
                ) from None
    if len(data.translate(None, _CONTROLS)) != len(data):
        raise AttachmentError(
            f"{name} is not a text file; text, code and PDF files can be attached."
        )
    try:
        return _lines(data.decode("utf-8")), ""
    except UnicodeDecodeError:
        notice = f"{name} is not UTF-8 and was read as Latin-1; letters with accents may be wrong."
        return _lines(data.decode("latin-1")), notice


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
