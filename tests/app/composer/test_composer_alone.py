"""Drafts, chips, sizes, what is dropped, and the choice where the context is full."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget

from app.models.context_meter import ContextUse
from app.models.question import Attachment, Question
from app.views.composer.chips import Chip
from app.views.composer.file_drop import FileDrop
from app.views.composer.peek import TYPED_CHARACTERS, Peek

NOTE = Attachment("notes.txt", "word " * 1_000, "text")
CODE = Attachment("a & b.py", "print()\n" * 10, "code", "python")


def chips_of(composer) -> list[Chip]:
    QApplication.sendPostedEvents(None, 0)
    return [chip for chip in composer.chips.items if isinstance(chip, Chip)]


def test_a_draft_is_told_while_typing_and_at_once_when_asked(composer, qtbot):
    told = []
    composer.draft_changed.connect(told.append)
    QTest.keyClicks(composer.edit, "abc")
    assert told == []
    qtbot.waitUntil(lambda: told == [Question("abc")], timeout=2_000)
    QTest.keyClicks(composer.edit, "d")
    composer.flush_draft()
    assert told[-1] == Question("abcd")
    composer.flush_draft()
    assert len(told) == 2


def test_showing_another_chats_draft_is_no_change_of_it(composer, qtbot):
    told = []
    composer.draft_changed.connect(told.append)
    composer.show_draft(Question("begun", (NOTE,)))
    assert composer.question == Question("begun", (NOTE,))
    assert len(chips_of(composer)) == 1
    composer.show_draft(Question())
    assert composer.question == Question()
    assert not composer.chips.isVisible()
    composer.flush_draft()
    qtbot.wait(200)
    assert told == []


def test_sending_empties_the_draft_first(composer):
    order = []
    composer.draft_changed.connect(lambda question: order.append(("draft", question)))
    composer.send_requested.connect(lambda question: order.append(("sent", question)))
    composer.show_draft(Question("ask", (NOTE,)))
    composer.submit()
    assert order == [("draft", Question()), ("sent", Question("ask", (NOTE,)))]


def test_a_chip_is_taken_away_and_the_others_stay(composer):
    composer.show_draft(Question("x", (NOTE, CODE)))
    first, second = chips_of(composer)
    assert "notes.txt · 5 KB · ≈ 1,250 tokens" in first.button.text()
    assert "a && b.py" in second.button.text()
    first.cross.click()
    assert composer.question.attachments == (CODE,)
    assert len(chips_of(composer)) == 1


def test_chips_flow_onto_lines_in_a_narrow_column(make_composer, qapp):
    composer = make_composer(430)
    composer.show_draft(Question("x", (NOTE, NOTE, NOTE)))
    qapp.processEvents()
    tops = {chip.y() for chip in chips_of(composer)}
    assert len(tops) == 3
    assert composer.chips.height() >= max(tops) + chips_of(composer)[0].height()
    assert composer.width() <= 430


def test_a_peek_can_turn_an_attachment_into_typed_text(composer, qapp):
    composer.show_draft(Question("Look: ", (Attachment("Pasted text", "the words"),)))
    chips_of(composer)[0].button.click()
    peek = composer.findChild(Peek)
    assert peek.words.toPlainText() == "the words"
    peek.insert.click()
    assert composer.question == Question("Look: the words")
    qapp.processEvents()
    composer.show_draft(Question("", (Attachment("Pasted text", "x" * (TYPED_CHARACTERS + 1)),)))
    chips_of(composer)[0].button.click()
    peek = composer.findChildren(Peek)[-1]
    assert not peek.insert.isEnabled()
    assert "Too long" in peek.note.text()
    peek.reject()


def test_nothing_is_sent_while_a_file_is_read(composer):
    cancelled = []
    composer.reading_cancelled.connect(cancelled.append)
    composer.set_text("go")
    composer.show_readings([(2**60, "big.pdf", "reading page 1 of 9")])
    assert not composer.button.isEnabled()
    assert "read" in composer.button.toolTip()
    assert chips_of(composer)[0].button.text() == "big.pdf · reading page 1 of 9"
    chips_of(composer)[0].cross.click()
    assert cancelled == [2**60]
    composer.show_readings([])
    assert composer.button.isEnabled()


def test_sizes_are_estimated_at_once_and_counted_later(composer, qtbot):
    asked = []
    composer.count_requested.connect(asked.append)
    composer.set_text("eight ch")
    composer.attach(NOTE)
    assert composer.size_hint.text() == "≈ 1,252 tokens"
    qtbot.waitUntil(lambda: bool(asked), timeout=2_000)
    assert asked == [("eight ch", NOTE.text)]
    composer.show_counts(asked[0], (3, 999))
    assert composer.size_hint.text() == "1,002 tokens"
    assert composer.use == ContextUse(4_096, 0, 1_002, 1_024, True)
    QTest.keyClicks(composer.edit, "!")
    assert composer.size_hint.text() == "≈ 1,002 tokens"
    composer.forget_counts()
    assert asked[-1] == ("eight ch!", NOTE.text)
    assert "1,250" in chips_of(composer)[0].button.text()


def test_one_token_is_one_token(composer):
    composer.set_text("ab")
    assert composer.size_hint.text() == "≈ 1 token"
    composer.set_text("eight ch")
    assert composer.size_hint.text() == "≈ 2 tokens"


def test_return_while_a_reply_is_written_says_what_to_do(composer):
    said, sent = [], []
    composer.said.connect(said.append)
    composer.send_requested.connect(sent.append)
    composer.set_state("", "", True, "")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert said == []
    composer.set_text("one more")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert said == ["Wait until the reply ends, or stop it"]
    assert sent == []
    assert composer.text == "one more"
    assert composer.button.isEnabled()
    assert composer.button.text() == "Stop"
    composer.set_state("", "", False, "")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert len(sent) == 1


def test_a_full_context_is_asked_about_before_sending(make_composer):
    composer = make_composer(used=3_000)
    sent, left_out, new = [], [], []
    composer.send_requested.connect(sent.append)
    composer.leave_out_requested.connect(left_out.append)
    composer.new_chat_requested.connect(new.append)
    composer.set_text("w" * 800)
    composer.submit()
    assert sent == []
    assert composer.choice.isVisible()
    assert composer.edit.toPlainText() == "w" * 800
    composer.set_text("short")
    assert not composer.choice.isVisible()
    for button, told in (
        (composer.choice.leave_out, left_out),
        (composer.choice.new_chat, new),
        (composer.choice.anyway, sent),
    ):
        composer.set_text("w" * 800)
        composer.submit()
        button.click()
        assert told == [Question("w" * 800)]
        assert not composer.choice.isVisible()
        assert composer.edit.toPlainText() == ""


def test_a_message_too_long_by_itself_cannot_be_helped_by_leaving_out(composer):
    composer.show_draft(Question("", (Attachment("Pasted text", "z" * 40_000),)))
    composer.submit()
    assert composer.choice.isVisible()
    assert "alone" in composer.choice.words.text()
    assert not composer.choice.leave_out.isVisible()


def test_a_reply_that_met_the_end_offers_a_way_on(composer):
    left_out = []
    composer.leave_out_requested.connect(left_out.append)
    composer.set_text("typed already")
    composer.show_context(ContextUse(4_096, 4_000, 0, 1_024), "failed")
    assert composer.choice.isVisible()
    assert not composer.choice.anyway.isVisible()
    composer.choice.leave_out.click()
    assert left_out == [None]
    assert composer.text == "typed already"
    composer.show_context(ContextUse(4_096, 4_000, 0, 1_024), "failed")
    assert not composer.choice.isVisible()
    composer.show_draft(Question())
    composer.show_context(ContextUse(4_096, 4_000, 0, 1_024), "stopped")
    assert composer.choice.isVisible()
    composer.show_context(ContextUse(4_096, 10, 0, 1_024))
    assert not composer.choice.isVisible()


def test_the_meter_says_its_numbers_in_words(make_composer):
    composer = make_composer(used=1_500)
    composer.set_text("x" * 400)
    words = composer.foot.meter.toolTip()
    assert "1,500 of the model's 4,096" in words
    assert "about 100" in words
    assert "1,024 are kept free" in words


def dropped(host: QWidget, mime: QMimeData) -> bool:
    enter = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter.ignore()
    QApplication.sendEvent(host, enter)
    if enter.isAccepted():
        drop = QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(host, drop)
    return enter.isAccepted()


def test_files_dropped_on_the_column_are_attached_and_traces_among_them_passed_on(composer):
    host, chosen = composer.parentWidget(), []
    drop, traces = FileDrop(host, composer), []
    drop.trace_dropped.connect(traces.append)
    composer.files_chosen.connect(chosen.append)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile("/f/run.jsonl")])
    assert not dropped(host, mime)
    assert not dropped(composer.edit, mime)
    mime.setUrls([QUrl.fromLocalFile("/f/run.jsonl"), QUrl.fromLocalFile("/f/a.py")])
    assert dropped(host, mime)
    assert chosen == [(Path("/f/a.py"),)]
    assert traces == [Path("/f/run.jsonl")]
    words = QMimeData()
    words.setText("dropped words")
    assert dropped(host, words)
    assert composer.text == "dropped words"
    composer.hide()
    assert not dropped(host, words)


def test_the_button_opens_a_dialog_for_files(composer, qapp):
    chosen = []
    composer.files_chosen.connect(chosen.append)
    composer.foot.plus.click()
    dialog = composer.findChild(QFileDialog)
    dialog.filesSelected.emit(["/f/a.txt", "/f/b.txt"])
    assert chosen == [(Path("/f/a.txt"), Path("/f/b.txt"))]
    dialog.close()
    qapp.processEvents()


@pytest.mark.parametrize("width", [430, 700])
def test_every_control_has_a_name_and_nothing_is_cut(make_composer, qapp, width):
    composer = make_composer(width, used=3_900)
    composer.show_draft(Question("x" * 400, (NOTE, CODE)))
    composer.submit()
    qapp.processEvents()
    for button in composer.findChildren(QAbstractButton):
        assert button.accessibleName() or button.text()
    assert composer.button.width() >= composer.button.sizeHint().width()
    assert composer.parentWidget().width() == width


def test_a_model_to_load_is_offered_and_the_cursor_goes_on_to_the_message(composer):
    asked = []
    composer.load_requested.connect(lambda: asked.append(1))
    assert composer.foot.load.isHidden()
    composer.show_load("Qwen3.5-9B")
    assert composer.foot.load.text() == "Load Qwen3.5-9B"
    composer.foot.load.setFocus()
    composer.foot.load.click()
    assert asked == [1]
    assert composer.window().focusWidget() is composer.edit
    composer.show_load("")
    assert composer.foot.load.isHidden()


def test_a_long_name_to_load_leaves_room_for_the_rest(make_composer):
    composer = make_composer(420)
    name = "An-Extremely-Long-Model-Name-That-Does-Not-End-4bit"
    composer.show_load(name)
    composer.layout().activate()
    foot = composer.foot
    assert foot.load.text().endswith("4bit")
    assert "…" in foot.load.text()
    assert foot.load.toolTip() == f"Load {name}"
    assert foot.button.geometry().right() <= foot.width()
    assert foot.state.isHidden()
    composer.show_load("")
    assert not foot.state.isHidden()
