"""What drafting costs at 128,000 tokens of context: time is printed, never judged; memory is."""

import random
import statistics
import sys
import tracemalloc
from collections.abc import Callable
from time import perf_counter

import pytest

from engine.model.cost_table import CostTable
from engine.request import SpeculationParams
from engine.speculation.auto import AutoDrafter
from engine.speculation.draft import Drafter
from engine.speculation.pacing import MAX_DRAFT_LENGTH, Pacing
from engine.speculation.prompt_lookup import PromptLookupDrafter
from engine.speculation.suffix import SuffixDrafter

CONTEXT = 128_000
NUM_STEPS = 2_000
COSTS = {1: 0.050, 2: 0.055, 4: 0.060, 8: 0.070, 16: 0.080, 32: 0.110}
MAKERS: dict[str, Callable[[], Drafter]] = {
    "lookup": PromptLookupDrafter,
    "suffix": SuffixDrafter,
    "auto": lambda: AutoDrafter((SuffixDrafter(), PromptLookupDrafter())),
}


def text(seed: int, num_tokens: int) -> list[int]:
    """Tokens of a vocabulary of 50,000, few of them common and most of them rare."""
    numbers = random.Random(seed)
    return [int(50_000 * numbers.random() ** 4) for _ in range(num_tokens)]


@pytest.mark.parametrize("name", MAKERS)
def test_drafting_at_128_000_tokens(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The reply copies the middle of its prompt, with a token of its own now and then."""
    known = text(5, CONTEXT)
    drafter = MAKERS[name]()
    begin = perf_counter()
    drafter.extend(known)
    index_seconds = perf_counter() - begin
    pacing = Pacing(SpeculationParams(), 5, CostTable(COSTS))
    numbers = random.Random(6)
    taken, lengths = [], []
    for token in known[CONTEXT // 2 : CONTEXT // 2 + NUM_STEPS]:
        begin = perf_counter()
        draft = drafter.propose(MAX_DRAFT_LENGTH)
        if draft.tokens:
            lengths.append(pacing.choose(draft, 1).length)
            draft.cut_at(frozenset({0}))
        drafter.extend([token if numbers.random() < 0.9 else numbers.randrange(50_000)])
        taken.append(perf_counter() - begin)
    assert statistics.mean(lengths) > 1
    with capsys.disabled():
        sys.stdout.write(
            f"\n  {name} at {CONTEXT:,} tokens: {statistics.median(taken) * 1e6:.1f} us a step "
            f"(median of {NUM_STEPS:,}); its index took {index_seconds:.2f} s\n"
        )


@pytest.mark.parametrize("name", MAKERS)
def test_memory_at_128_000_tokens(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = text(7, CONTEXT)
    tracemalloc.start()
    try:
        drafter = MAKERS[name]()
        drafter.extend(known)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    with capsys.disabled():
        sys.stdout.write(f"\n  {name} at {CONTEXT:,} tokens: {used / CONTEXT:.0f} bytes a token\n")
    assert used / CONTEXT < 500
