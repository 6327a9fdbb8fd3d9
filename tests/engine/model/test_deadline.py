"""Code that does not end is ended, and whoever traced before traces again."""

import sys
from types import FrameType
from typing import Any

import pytest
from jinja2 import Environment

from engine.model.deadline import DeadlineError, deadline

ENDLESS = (
    "{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}"
    "{% endfor %}{% endfor %}{% endfor %}"
)


def ignore(_frame: FrameType, _event: str, _argument: Any) -> None:
    return None


def test_an_endless_template_is_stopped_and_the_trace_put_back() -> None:
    template = Environment(autoescape=True).from_string(ENDLESS)
    previous = sys.gettrace()
    sys.settrace(ignore)
    try:
        with pytest.raises(DeadlineError), deadline(0.05):
            template.render()
        assert sys.gettrace() is ignore
    finally:
        sys.settrace(previous)


def test_code_that_ends_is_left_alone() -> None:
    previous = sys.gettrace()
    with deadline(5.0):
        assert Environment(autoescape=True).from_string("{{ 1 + 1 }}").render() == "2"
    assert sys.gettrace() is previous
