"""Names of files are shown as they are written, whatever stands in them."""

from pathlib import Path

import pytest

from app.controllers.attachment_files import read_attachment
from app.models.attaching import AttachmentError
from app.models.file_name import shown_name

ODD = "name\u202etxt.exe\n.py"


def test_an_ordinary_name_stays():
    assert shown_name(Path("a/b/münchen 東京.txt")) == "münchen 東京.txt"


def test_nothing_breaks_the_line_or_turns_letters_round(tmp_path: Path):
    path = tmp_path / ODD
    path.write_text("x = 1", encoding="utf-8")
    attachment, _ = read_attachment(path, lambda *_: None, lambda: False)
    assert attachment.name == "name\u21c4txt.exe .py"
    assert attachment.text == "x = 1"
    path.unlink()
    path.mkdir()
    with pytest.raises(AttachmentError, match=r"^name.txt\.exe \.py is a folder"):
        read_attachment(path, lambda *_: None, lambda: False)
