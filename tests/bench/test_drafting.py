"""How long drafting takes at 32,000 tokens of context: printed, never judged."""

import random
import statistics
import sys
from time import perf_counter

import pytest

from engine.request import SpeculationParams
from engine.speculation.pacing import CostTable, Pacing
from engine.speculation.prompt_lookup import PromptLookupDrafter

CONTEXT = 32_000
NUM_STEPS = 2_000
COSTS = {1: 0.050, 2: 0.055, 4: 0.060, 8: 0.070, 16: 0.080}


def test_drafting_at_32_000_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = random.Random(5)
    half = [numbers.randrange(3_000) for _ in range(CONTEXT // 2)]
    drafter = PromptLookupDrafter()
    begin = perf_counter()
    drafter.extend(half + half)
    index_seconds = perf_counter() - begin
    pacing = Pacing(SpeculationParams(), 5, CostTable(COSTS))
    taken, lengths = [], []
    for token in half[:NUM_STEPS]:
        begin = perf_counter()
        draft = drafter.propose(16)
        match_length = draft.match[1] if draft.match is not None else 0
        lengths.append(pacing.length(match_length, 1, len(draft.tokens)))
        draft.cut_at(frozenset({0}))
        drafter.extend([token])
        taken.append(perf_counter() - begin)
    assert statistics.mean(lengths) > 1
    with capsys.disabled():
        micros = statistics.median(taken) * 1e6
        sys.stdout.write(
            f"\n  drafting at {CONTEXT:,} tokens: {micros:.1f} us a step (median of "
            f"{NUM_STEPS:,}); the index took {index_seconds * 1e3:.0f} ms\n"
        )
