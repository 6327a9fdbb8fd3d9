"""Files that are attached: what they are, what is refused, and that reading can be stopped."""

import asyncio
import io
import os
from contextlib import suppress
from pathlib import Path

import pytest

from app.controllers import attachment_files, pdf_text
from app.controllers.attaching import MAX_FILES, Attacher
from app.controllers.attachment_files import ReadingStopped, read_attachment
from app.controllers.failures import FailureReporter
from app.models import attaching
from app.models.attaching import AttachmentError, attachment_of, language_of
from app.models.chats import Chats
from app.models.question import Attachment, Question
from tests.app.composer.pdf_files import pdf_of


def read(path: Path) -> tuple[Attachment, str]:
    return read_attachment(path, lambda *_: None, lambda: False)


def refusal(path: Path) -> str:
    with pytest.raises(AttachmentError) as caught:
        read(path)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    return sentence


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße 蚊\r\nzwei".encode(), "Grüße 蚊\nzwei"),
        ("Grüße".encode("utf-8-sig"), "Grüße"),
        ("Grüße 😀".encode("utf-16"), "Grüße 😀"),
        (b"\xfe\xff" + "Grüße".encode("utf-16-be"), "Grüße"),
        ("Grüße".encode("utf-32"), "Grüße"),
    ],
)
def test_text_is_read_in_its_encoding(data, text):
    assert attachment_of("a.txt", data) == (Attachment("a.txt", text, "text"), "")


def test_latin_1_is_read_and_said():
    attachment, notice = attachment_of("a.txt", "Grüße".encode("latin-1"))
    assert attachment.text == "Grüße"
    assert "Latin-1" in notice


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.bin", b"\x00\x01\x02" * 50, "not a text file"),
        ("a.docx", b"PK\x03\x04\x14\x00" + b"x" * 50, "not a text file"),
        ("a.txt", b"\xff\xfe\x00\xd8", "damaged"),
        ("a.txt", b" \n", "empty"),
        ("a.png", b"whatever", "text only"),
        ("a.dat", b"\x89PNG\r\n\x1a\n" + b"\0" * 9, "text only"),
        ("a", b"RIFF\x01\x01\x01\x01WEBPVP8", "text only"),
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(name, data, words):
    with pytest.raises(AttachmentError, match=words):
        attachment_of(name, data)


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.py", "python"), ("A.RS", "rust"), ("Makefile", "makefile"), ("notes.md", ""), ("x", "")],
)
def test_the_language_of_code_is_known_by_its_name(name, language):
    assert language_of(name) == language
    attachment, _ = attachment_of(name, b"some text")
    assert attachment.kind == ("code" if language else "text")
    assert attachment.language == language


def test_folders_missing_and_special_files_are_refused(tmp_path):
    assert "folder" in refusal(tmp_path)
    assert "cannot be read" in refusal(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    assert "ordinary" in refusal(tmp_path / "pipe")
    assert "cannot be read" in refusal(tmp_path / ("n" * 400))


def test_limits_are_said(tmp_path, monkeypatch):
    monkeypatch.setattr(attaching, "MAX_TEXT_BYTES", 1_000_000)
    monkeypatch.setattr(attaching, "MAX_PDF_BYTES", 2_000_000)
    (tmp_path / "a.txt").write_bytes(b"x" * 1_500_000)
    (tmp_path / "a.pdf").write_bytes(b"x" * 2_500_000)
    assert "up to 1 MB" in refusal(tmp_path / "a.txt")
    assert "up to 2 MB" in refusal(tmp_path / "a.pdf")


def test_a_pdf_is_read_page_by_page(tmp_path):
    path, pages = tmp_path / "a.pdf", []
    path.write_bytes(pdf_of(["One page", "", "Another page"]))
    attachment, notice = read_attachment(path, lambda *at: pages.append(at), lambda: False)
    assert attachment == Attachment("a.pdf", "One page\n\nAnother page", "pdf")
    assert notice == ""
    assert pages == [(1, 3), (2, 3), (3, 3)]


def test_pdfs_that_cannot_be_read_say_why(tmp_path):
    from pypdf import PdfReader, PdfWriter

    scanned, locked = tmp_path / "scan.pdf", tmp_path / "locked.pdf"
    scanned.write_bytes(pdf_of(["", ""]))
    assert "no text" in refusal(scanned)
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of(["secret"]))))
    writer.encrypt("word", algorithm="RC4-128")
    writer.write(locked)
    assert "password" in refusal(locked)
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of(["open to all"]))))
    writer.encrypt("", "owner", algorithm="RC4-128")
    writer.write(locked)
    assert read(locked)[0].text == "open to all"


def test_broken_pdfs_say_so(tmp_path):
    whole = pdf_of(["some text on a page"] * 3)
    broken = tmp_path / "broken.pdf"
    outcomes = set()
    for data in (b"", b"%PDF-1.4\n", whole[:120], b"%PDF-1.4" + os.urandom(500), b"x" * 99):
        broken.write_bytes(data)
        outcomes.add(refusal(broken))
    assert all("broken.pdf" in sentence for sentence in outcomes)
    # Damage anywhere gives the text or a sentence, nothing else.
    for at in range(10, len(whole), 37):
        broken.write_bytes(whole[:at] + b"\xff<<" + whole[at + 3 :])
        with suppress(AttachmentError):
            assert read(broken)[0].text


def hang(*_arguments) -> str:
    """A page that never ends."""
    while True:
        len(str(object()))


def test_a_page_that_never_ends_can_be_left(tmp_path, monkeypatch):
    path, asked = tmp_path / "a.pdf", []
    path.write_bytes(pdf_of(["x"]))
    monkeypatch.setattr(attachment_files, "pdf_text", hang)

    def is_stopped() -> bool:
        asked.append(1)
        return len(asked) > 100

    with pytest.raises(ReadingStopped):
        read_attachment(path, lambda *_: None, is_stopped)


def test_more_text_than_fits_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_text, "MAX_TEXT_BYTES", 20)
    (tmp_path / "a.pdf").write_bytes(pdf_of(["x" * 15, "y" * 15]))
    assert "attach a part" in refusal(tmp_path / "a.pdf")


class Bench:
    """An attacher, and all that it says."""

    def __init__(self, loop) -> None:
        self.loop, self.chats = loop, Chats()
        self.attacher = Attacher(self.chats, FailureReporter(self.chats), self.chats)
        self.attached: list[Attachment] = []
        self.said: list[str] = []
        self.readings: list[tuple] = []
        self.attacher.attached.connect(self.attached.append)
        self.attacher.said.connect(self.said.append)
        self.attacher.readings_changed.connect(self.readings.append)

    def wait(self, work) -> None:
        self.loop.run_until_complete(asyncio.wait_for(work, 20))


@pytest.fixture
def bench(loop):
    bench = Bench(loop)
    yield bench
    bench.chats.deleteLater()


def test_several_files_come_in_order_and_what_failed_is_said_once(bench, tmp_path):
    for name in ("a.txt", "b.py"):
        (tmp_path / name).write_text(f"text of {name}")
    for name in ("x.png", "y.png"):
        (tmp_path / name).write_bytes(b"\x89PNG")
    names = ("a.txt", "x.png", "b.py", "y.png", "gone.txt")
    bench.wait(bench.attacher.attach(bench.chats.current, [tmp_path / name for name in names]))
    assert [each.name for each in bench.attached] == ["a.txt", "b.py"]
    assert len(bench.said) == 1
    assert bench.said[0].count("text only") == 1
    assert "gone.txt cannot be read" in bench.said[0]
    assert [len(each) for each in bench.readings] == [5, 4, 3, 2, 1, 0]


def test_a_file_is_for_the_chat_it_was_attached_in(bench, tmp_path):
    (tmp_path / "a.txt").write_text("late")
    first = bench.chats.current
    first.set_draft(Question("about this"))
    bench.chats.add(type(first)(bench.chats))
    bench.wait(bench.attacher.attach(first, [tmp_path / "a.txt"]))
    assert bench.attached == []
    assert first.draft == Question("about this", (Attachment("a.txt", "late", "text"),))
    assert all(each == () for each in bench.readings)


def test_reading_is_stopped_by_its_cross_and_at_the_end(bench, tmp_path, monkeypatch):
    (tmp_path / "a.pdf").write_bytes(pdf_of(["x"]))
    (tmp_path / "b.txt").write_text("after")
    monkeypatch.setattr(attachment_files, "pdf_text", hang)

    async def reading(stop) -> None:
        paths = [tmp_path / "a.pdf", tmp_path / "b.txt"]
        task = asyncio.ensure_future(bench.attacher.attach(bench.chats.current, paths))
        await asyncio.sleep(0.15)
        stop(bench.readings[-1][0][0])
        await task

    bench.wait(reading(bench.attacher.cancel))
    assert [each.name for each in bench.attached] == ["b.txt"]
    assert bench.said == []
    bench.wait(reading(lambda _key: bench.attacher.close()))
    assert len(bench.attached) == 1


def test_too_many_files_are_not_all_taken(bench, tmp_path):
    (tmp_path / "a.txt").write_text("x")
    paths = [tmp_path / "a.txt"] * (MAX_FILES + 3)
    bench.wait(bench.attacher.attach(bench.chats.current, paths))
    assert len(bench.attached) == MAX_FILES
    assert str(MAX_FILES) in bench.said[0]
