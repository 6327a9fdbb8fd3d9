"""When what follows a growing text is shown."""

from PySide6.QtCore import QObject

from app.views.due import Due


def test_it_waits_for_text_and_goes_without_if_none_comes(qtbot):
    owner = QObject()
    due = Due(owner)
    assert not due.is_now
    assert not due.is_awaited
    with qtbot.waitSignal(due.waited):
        due.start(5)
        assert due.is_awaited
        qtbot.waitUntil(lambda: due.is_now)
        assert due.is_awaited
    assert not due.is_now
    assert not due.is_awaited


def test_what_was_shown_is_told_of_no_more(qtbot):
    owner = QObject()
    due = Due(owner)
    with qtbot.assertNotEmitted(due.waited, wait=120):
        due.start(5)
        qtbot.waitUntil(lambda: due.is_now)
        due.rest()
        assert not due.is_now
        assert not due.is_awaited
