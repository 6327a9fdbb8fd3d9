"""The composer in the window: what may not be sent and why, and what is sent."""

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest


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


def test_a_long_paste_becomes_an_attachment_and_is_sent_whole(make_desk):
    desk = make_desk()
    composer = desk.window.composer
    pasted = QMimeData()
    pasted.setText("z" * 9_000)
    composer.edit.insertFromMimeData(pasted)
    composer.edit.insertPlainText("Summarise:")
    assert composer.chips.isVisible()
    desk.do(composer.submit)
    reply = desk.chats.current.last_reply
    desk.wait(desk.until(lambda: reply.is_over))
    assert desk.worker.requests[0].messages[0].content == "Summarise:\n\n" + "z" * 9_000
    assert not composer.chips.isVisible()
