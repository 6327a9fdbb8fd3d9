"""Whether a model fits into the memory that is free: from its survey, never by trying."""

from dataclasses import dataclass
from typing import Literal

from engine import MemoryNeed, ModelSurvey, memory_need

Verdict = Literal["fits", "tight", "does not fit", "unknown"]

# Of what is free a model may take this much and the machine stays at ease.
EASY_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Fit:
    """What is needed, what is free, and the verdict; None where it cannot be told."""

    verdict: Verdict
    need: MemoryNeed | None
    free_bytes: int | None


def fit(survey: ModelSurvey, context: int | None, free_bytes: int | None) -> Fit:
    """How a model fits at `context` tokens, its whole context if None."""
    need = memory_need(survey, context)
    if need is None or free_bytes is None:
        return Fit("unknown", need, free_bytes)
    if need.total_bytes > free_bytes:
        return Fit("does not fit", need, free_bytes)
    is_easy = need.total_bytes <= free_bytes * EASY_SHARE
    return Fit("fits" if is_easy else "tight", need, free_bytes)
