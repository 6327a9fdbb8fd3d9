"""The log: the app's life and the shape of problems, bounded, and not a word of content."""

import logging
import os
from logging.handlers import RotatingFileHandler

import pytest
from PySide6.QtCore import QObject

from app.main import logs
from app.main.logs import (
    MAX_BYTES,
    NAME,
    LogFile,
    ModelLife,
    life_log,
    log_folder,
    places_in,
    recent_problems,
    shape_of,
)
from app.models.model_state import ModelState
from engine import Failed, Loaded
from tests.fakes.scripted_worker import INFO

SECRET = "a secret word"
log = logging.getLogger("draftscope")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An open log; nothing on standard error."""
    monkeypatch.setattr(logging, "lastResort", None)
    file = LogFile(tmp_path / "logs")
    assert file.open()
    yield tmp_path / "logs"
    file.close()


def text_of(folder) -> str:
    return "".join(path.read_text() for path in sorted(folder.glob(f"{NAME}*")))


def failing():
    try:
        {}[SECRET]
    except KeyError as error:
        raise ValueError(f"about {SECRET}") from error


def test_the_life_is_written_with_its_words(folder):
    life_log.info("started: %s", "version 1")
    life_log.warning("two\nlines")
    lines = text_of(folder).splitlines()
    assert lines[0].endswith("INFO started: version 1")
    assert lines[1].endswith("WARNING two lines")
    assert recent_problems(folder) == (lines[1],)


def test_of_an_exception_there_is_kind_and_place_only(folder):
    try:
        failing()
    except ValueError as error:
        log.error("unexpected", exc_info=error)  # noqa: TRY400 - as the app reports it
    (line,) = recent_problems(folder)
    assert "ValueError at tests/app/test_logs.py" in line
    assert "in failing" in line
    assert "; from KeyError at" in line
    assert SECRET not in text_of(folder)


def test_what_libraries_say_is_left_out(folder):
    logging.getLogger("some.library").error("read %s", SECRET)
    logging.getLogger("some.library").warning(f"in {SECRET}")
    logging.getLogger("some.library").info("not at all")
    lines = recent_problems(folder)
    assert len(lines) == 2
    assert "some.library at tests/app/test_logs.py" in lines[0]
    assert SECRET not in text_of(folder)


def test_a_chain_that_bites_its_tail_ends():
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    assert shape_of(one) == "ValueError at no place; from KeyError at no place"


def test_it_is_three_files_at_most_of_a_megabyte_each(tmp_path, monkeypatch):
    assert MAX_BYTES == 1_000_000
    monkeypatch.setattr(logs, "MAX_BYTES", 20_000)
    file = LogFile(tmp_path)
    assert file.open()
    for number in range(2_000):
        life_log.info("line %s %s", number, "x" * 80)
    file.close()
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {NAME, f"{NAME}.1", f"{NAME}.2"}
    assert all(0 < size <= 20_000 for size in sizes.values())
    assert "line 1999" in (tmp_path / NAME).read_text()


def test_nobody_else_can_read_it(folder):
    life_log.info("x")
    assert folder.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_is_done_without(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    file = LogFile(tmp_path / "file" / "logs")
    assert not file.open()
    life_log.info("to nowhere")
    file.close()
    assert capsys.readouterr().err == ""


def test_a_disk_that_takes_no_more_disturbs_nobody(folder, capsys, monkeypatch):
    life_log.info("first")

    def full(*_arguments):
        raise OSError(28, os.strerror(28))

    (handler,) = [each for each in life_log.handlers if isinstance(each, RotatingFileHandler)]
    monkeypatch.setattr(handler.stream, "write", full, raising=False)
    life_log.info("second")
    assert capsys.readouterr().err == ""


def test_after_the_end_nothing_is_written(tmp_path):
    file = LogFile(tmp_path)
    assert file.open()
    file.close()
    life_log.info("late")
    assert "late" not in text_of(tmp_path)
    assert not [each for each in life_log.handlers if isinstance(each, RotatingFileHandler)]


def test_loads_and_failures_are_told(folder):
    root = QObject()
    model = ModelState(root)
    life = ModelLife(model, root)
    model.begin("/a/secret/folder")
    model.apply(Loaded(1, INFO))
    model.apply(Loaded(1, INFO))
    model.begin("other")
    model.apply(Failed(2, f"{SECRET}.", f"ValueError: {SECRET}"))
    life.note_end(None)
    life.note_end(Failed(3, SECRET, f'  File "{logs.__file__}", line 12, in open\n{SECRET}'))
    text = text_of(folder)
    assert text.count("model loaded: qwen3_5, float32 on cpu") == 1
    assert "a model could not be loaded, at no place" in text
    assert "a reply failed (other) at app/main/logs.py:12 in open" in text
    assert "secret" not in text
    root.deleteLater()


def test_only_places_that_are_here_are_taken_from_a_traceback():
    details = f'  File "{__file__}", line 3, in f\n  File "/a/{SECRET}.py", line 1, in g\n'
    assert places_in(details) == ("tests/app/test_logs.py:3 in f",)
    assert places_in(f'  File "{__file__}", line 3, in {SECRET}') == ()


def test_problems_of_a_log_that_is_not_there(tmp_path):
    assert recent_problems(tmp_path) == ()
    (tmp_path / NAME).write_bytes(b"\xff\xfe ERROR \x00\n" * 10_000)
    assert len(recent_problems(tmp_path, 5)) == 5


def test_it_lies_in_the_person_s_own_folder():
    assert str(log_folder()).startswith(os.environ["HOME"])
