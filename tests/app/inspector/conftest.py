"""A theme, an inspection, and long replies, for panes without a window."""

import pytest

from app.models.inspection import Inspection
from app.models.speculation import SpeculationSettings
from app.theme import Theme
from app.views.inspector.live import LivePane
from tests.app.inspector.long_replies import grow, started_reply

NUM_STEPS = 50_000


@pytest.fixture
def theme(qapp):
    """The light one."""
    return Theme("light")


@pytest.fixture
def inspection(qapp):
    """Looking at nothing."""
    return Inspection()


@pytest.fixture
def settings(qapp):
    """Every flag as it is by default."""
    return SpeculationSettings()


@pytest.fixture
def pane(qtbot, theme, inspection, settings):
    """The live pane, at its usual width."""
    pane = LivePane(theme, inspection, settings)
    qtbot.addWidget(pane)
    pane.resize(331, 1450)
    pane.show()
    return pane


@pytest.fixture
def growing():
    """A reply that runs, with 100 steps so far."""
    reply = started_reply()
    grow(reply, 100)
    return reply


@pytest.fixture(scope="session")
def endless():
    """A reply of 50,000 steps."""
    reply = started_reply()
    grow(reply, NUM_STEPS)
    return reply
