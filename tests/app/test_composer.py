"""The composer in the window: keys, input methods, what may not be sent and why, long pastes."""

import time

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


def test_return_sends_and_shift_return_breaks(make_desk):
    desk = make_desk()
    edit, sent = desk.window.composer.edit, []
    desk.window.composer.send_requested.disconnect()
    desk.window.composer.send_requested.connect(sent.append)
    QTest.keyClicks(edit, "one")
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(edit, "two")
    assert edit.toPlainText() == "one\ntwo"
    assert sent == []
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert sent == ["one\ntwo"]
    assert edit.toPlainText() == ""


def test_return_never_sends_while_an_input_method_composes(make_desk):
    desk = make_desk()
    edit, sent = desk.window.composer.edit, []
    desk.window.composer.send_requested.connect(sent.append)
    QTest.keyClicks(edit, "kana ")
    QApplication.sendEvent(edit, QInputMethodEvent("か", []))
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert sent == []
    assert desk.worker.requests == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("蚊")
    QApplication.sendEvent(edit, commit)
    assert "蚊" in edit.toPlainText()


def test_nothing_is_sent_before_the_model_is_there_and_the_text_stays(make_desk):
    desk = make_desk(is_loaded=False)
    composer = desk.window.composer
    desk.session.model.begin("demo")
    composer.set_text("keep me")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert composer.text == "keep me"
    assert not composer.button.isEnabled()
    assert "loaded" in composer.button.toolTip()
    desk.load()
    assert composer.button.isEnabled()


def test_an_empty_message_says_why_it_cannot_be_sent(make_desk):
    composer = make_desk().window.composer
    composer.set_text("   \n ")
    assert not composer.button.isEnabled()
    assert composer.button.toolTip() == "Type a message first"


def test_a_long_paste_becomes_an_attachment_and_is_sent_whole(make_desk):
    desk = make_desk()
    composer = desk.window.composer
    pasted = QMimeData()
    pasted.setText("z" * 1_000_000)
    begin = time.perf_counter()
    composer.edit.insertFromMimeData(pasted)
    composer.edit.insertPlainText("Summarise:")
    desk.settle()
    assert time.perf_counter() - begin < 1
    assert composer.attachment.isVisible()
    assert "1,000,000" in composer.attachment.text()
    desk.do(composer.submit)
    reply = desk.chats.current.last_reply
    desk.wait(desk.until(lambda: reply.is_over))
    assert desk.worker.requests[0].messages[0].content == "Summarise:\n\n" + "z" * 1_000_000
    assert not composer.attachment.isVisible()
