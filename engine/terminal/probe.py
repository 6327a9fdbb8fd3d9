"""`probe`: its place is kept; comparing block and one-token logits comes in a later version."""

from engine.terminal import output
from engine.terminal.arguments import Arguments


def run(_arguments: Arguments) -> int:
    """Say that there is no probe yet; returns the exit code."""
    output.error("The probe comes with the exactness guard in a later version; use verify for now.")
    return 2
