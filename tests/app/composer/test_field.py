"""The field: keys, input methods, history, long pastes, files and pictures that are pasted."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.models.attaching import LONG_PASTE, sound_text
from app.models.text_size import TextSize
from app.views.composer.history import History
from app.views.composer.prompt_edit import MAX_LINES


def press(composer, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(composer.edit, key, modifier)


def pasted(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


def test_return_sends_and_shift_return_breaks(composer):
    sent = []
    composer.send_requested.connect(sent.append)
    QTest.keyClicks(composer.edit, "one")
    press(composer, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "two")
    assert composer.edit.toPlainText() == "one\ntwo"
    assert sent == []
    press(composer, Qt.Key.Key_Return)
    assert [question.text for question in sent] == ["one\ntwo"]
    assert composer.edit.toPlainText() == ""


@pytest.mark.parametrize(("preedit", "commit"), [("か", "蚊"), ("¨", "ë"), ("^", "ô")])
def test_return_never_sends_while_something_is_composed(composer, preedit, commit):
    sent = []
    composer.send_requested.connect(sent.append)
    QTest.keyClicks(composer.edit, "word ")
    QApplication.sendEvent(composer.edit, QInputMethodEvent(preedit, []))
    press(composer, Qt.Key.Key_Return)
    assert sent == []
    done = QInputMethodEvent("", [])
    done.setCommitString(commit)
    QApplication.sendEvent(composer.edit, done)
    press(composer, Qt.Key.Key_Return)
    assert len(sent) == 1
    assert commit in sent[0].text


def test_it_grows_up_to_nine_lines(composer):
    heights = []
    for _ in range(MAX_LINES + 4):
        heights.append(composer.edit.height())
        press(composer, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert heights[:MAX_LINES] == sorted(set(heights[:MAX_LINES]))
    assert len(set(heights[MAX_LINES - 1 :])) == 1


def test_blank_text_is_nothing_to_send_however_long(composer):
    for text in ("", "  \n ", "\n" * 3_000, " " * 2_000):
        composer.set_text(text)
        assert composer.edit.is_blank
        assert not composer.button.isEnabled()
        assert composer.button.toolTip() == "Type a message first"
    composer.set_text("\n" * 3_000 + "x")
    assert not composer.edit.is_blank


def test_only_a_long_paste_becomes_a_chip(composer):
    composer.edit.insertFromMimeData(pasted("a" * LONG_PASTE))
    assert composer.question.attachments == ()
    assert len(composer.question.text) == LONG_PASTE
    composer.edit.insertFromMimeData(pasted("b" * (LONG_PASTE + 1)))
    composer.edit.insertFromMimeData(pasted("c" * 5_000))
    names = [each.name for each in composer.question.attachments]
    assert names == ["Pasted text", "Pasted text 2"]
    assert composer.question.attachments[1].text == "c" * 5_000


def test_halves_of_characters_do_not_get_in(composer):
    composer.edit.insertFromMimeData(pasted("broken \ud83d here"))
    composer.question.text.encode("utf-8")
    assert sound_text("a\ud83d\0b") == "a��b"
    assert sound_text("\ud83d\ude00 ö") == "😀 ö"


def test_the_field_grows_with_the_text_that_is_read(composer):
    size, edit = TextSize(parent=composer), composer.edit
    usual, height = edit.fontInfo().pixelSize(), edit.height()
    edit.follow_size(size)
    assert (edit.fontInfo().pixelSize(), edit.height()) == (usual, height)
    size.grow(6)
    assert edit.fontInfo().pixelSize() == usual + 6
    composer.set_text("one\ntwo")
    assert edit.height() >= 2 * edit.fontMetrics().lineSpacing() > 2 * height - 8
    size.reset()
    assert edit.fontInfo().pixelSize() == usual


def test_pasted_files_are_attached_and_pictures_refused(composer):
    chosen, said = [], []
    composer.files_chosen.connect(chosen.append)
    composer.said.connect(said.append)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile("/folder/notes.md")])
    composer.edit.insertFromMimeData(mime)
    assert chosen == [(Path("/folder/notes.md"),)]
    assert composer.edit.toPlainText() == ""
    picture = QMimeData()
    picture.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    composer.edit.insertFromMimeData(picture)
    assert "text only" in said[0]


def test_up_and_down_walk_through_what_was_asked(composer):
    composer.edit.history.source = lambda: ["first", "second\nof two lines", "third"]
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "third"
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "second\nof two lines"
    press(composer, Qt.Key.Key_Up)
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "first"
    for expected in ("second\nof two lines", "third", ""):
        press(composer, Qt.Key.Key_Down)
        assert composer.edit.toPlainText() == expected


def test_history_keeps_out_of_typed_text(composer):
    composer.edit.history.source = lambda: ["earlier"]
    QTest.keyClicks(composer.edit, "mine")
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "mine"
    composer.edit.clear()
    press(composer, Qt.Key.Key_Up)
    QTest.keyClicks(composer.edit, "!")
    press(composer, Qt.Key.Key_Down)
    assert composer.edit.toPlainText() == "earlier!"


def test_in_a_long_entry_the_caret_moves_before_history_does(composer):
    composer.edit.history.source = lambda: ["older", "one\ntwo\nthree"]
    press(composer, Qt.Key.Key_Up)
    composer.edit.moveCursor(QTextCursor.MoveOperation.End)
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "one\ntwo\nthree"
    press(composer, Qt.Key.Key_Up)
    press(composer, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "older"


def test_history_tells_no_question_twice_in_a_row():
    history = History()
    history.source = lambda: ["a", "b", "b", "  "]
    assert history.moved(1, "") == "b"
    assert history.moved(1, "b") == "a"
    assert history.moved(1, "a") is None
    assert history.moved(-1, "a") == "b"
    assert history.moved(-1, "b") == ""
    assert history.moved(-1, "") is None
