"""Draftscope checks itself where it runs: the engine, the window, and the places it writes to."""

from app.selftest.outcome import (
    Outcome,
    failure_sentence,
    is_due,
    keep_outcome,
    outcome_lines,
    read_outcome,
)
from app.selftest.quiet import QuietTest
from app.selftest.run import self_test

__all__ = [
    "Outcome",
    "QuietTest",
    "failure_sentence",
    "is_due",
    "keep_outcome",
    "outcome_lines",
    "read_outcome",
    "self_test",
]
