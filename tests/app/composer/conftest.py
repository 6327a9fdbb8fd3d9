"""A composer alone, in the window's style."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.context_meter import ContextUse
from app.theme import Theme
from app.views.composer import Composer
from app.views.stylesheet import style_sheet

CONTEXT = 4_096


@pytest.fixture
def make_composer(qapp) -> Iterator[Callable[..., Composer]]:
    """Makes composers in a host of some width, and ends them after the test."""
    hosts: list[QWidget] = []

    def make(width: int = 700, used: int = 0) -> Composer:
        host = QWidget()
        hosts.append(host)
        theme = Theme("light", host)
        host.setStyleSheet(style_sheet(theme.palette))
        host.resize(width, 400)
        composer = Composer(theme, host)
        QVBoxLayout(host).addWidget(composer)
        composer.set_state("Demo model", "", False, "")
        composer.show_context(ContextUse(CONTEXT, used, 0, 1_024))
        host.show()
        composer.edit.setFocus()
        return composer

    yield make
    for host in hosts:
        host.close()
        host.deleteLater()
    qapp.processEvents()


@pytest.fixture
def composer(make_composer) -> Composer:
    """One of the usual width."""
    return make_composer()
