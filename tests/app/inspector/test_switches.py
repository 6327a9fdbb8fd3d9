"""The switches while a trace is shown: they tell what it ran with, and nothing can be set."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.models.playback import Playback
from tests.app.trace_replies import trace


def test_a_played_trace_locks_the_switches_from_its_first_moment(pane, inspection, settings, qtbot):
    inspection.show_reply(None)
    tip = pane.speculation.toolTip()
    playback = Playback(trace("local"), parent=pane)
    locked = (pane.speculation, pane.replay, pane.exclusions, pane.length)

    def look():
        qtbot.waitUntil(lambda: playback.is_settled)
        inspection.show_reply(playback.reply)
        pane.refresh()
        assert not any(each.isEnabled() for each in locked)
        assert {each.toolTip() for each in locked} == {"As the trace was recorded"}
        assert pane.length.text() == "5 ▾"
        assert pane.effective.accessibleName() == "effective: local, length 5"

    look()
    played = playback.reply
    playback.seek_time(0.0)
    look()
    assert playback.reply is not played
    assert "next reply" not in pane.reason.text()
    playback.seek_step(4)
    look()
    QTest.mouseClick(pane.speculation, Qt.MouseButton.LeftButton, pos=QPoint(10, 12))
    assert settings.params.enabled
    inspection.show_reply(None)
    pane.refresh()
    assert pane.speculation.isEnabled()
    assert pane.speculation.toolTip() == tip
    playback.close()


def test_a_locked_switch_has_not_the_colour_of_a_live_one(pane, theme):
    def colours():
        picture = pane.speculation.grab().toImage()
        return {picture.pixelColor(x, 12).name() for x in range(2, 30)}

    assert theme.palette.accent in colours()
    pane.speculation.setEnabled(False)
    locked = colours()
    assert theme.palette.accent not in locked
    pane.speculation.setChecked(False)
    assert colours() != locked
