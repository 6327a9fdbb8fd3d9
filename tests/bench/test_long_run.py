"""A long reply: memory grows by what the caches must hold and no more; its speed is printed.

The model is a tiny hybrid, so that the attention cache grows and the recurrent state does not.
DRAFTSCOPE_LONG_RUN=20000 makes the reply longer than the usual checks have time for.
"""

import os
import time
from itertools import pairwise

import mlx.core as mx
import pytest

from engine.events import Stepped
from engine.generate import generate
from engine.model.loaded_model import LoadedModel
from engine.request import GenerationRequest, SamplingParams
from tests.fakes.loaded import stand_in
from tests.fakes.tiny_configs import VOCABULARY
from tests.fakes.tiny_models import make_tiny

NUM_TOKENS = int(os.environ.get("DRAFTSCOPE_LONG_RUN", "4000"))
BLOCK = LAST = NUM_TOKENS // 20
SLACK_BYTES = 500_000


def speed(model: LoadedModel, text: list[int], length: int) -> float:
    """Tokens per second of a new reply to the first `length` tokens, over as many as are left."""
    request = GenerationRequest(
        prompt_ids=tuple(text[:length]),
        sampling=SamplingParams(temperature=0.8, seed=3),
        max_tokens=len(text) - length,
        reuse=False,
    )
    times = [
        (event.record.time, len(event.record.emitted))
        for event in generate(model, request, job=2, is_cancelled=lambda: False)
        if isinstance(event, Stepped)
    ]
    return (len(text) - length - times[0][1]) / (times[-1][0] - times[0][0])


@pytest.mark.tiny_model
@pytest.mark.timeout(600)
def test_memory_stays_flat_over_a_long_reply(capsys: pytest.CaptureFixture[str]) -> None:
    model = stand_in(make_tiny("qwen3_5"), VOCABULARY, context_length=NUM_TOKENS + 100)
    request = GenerationRequest(
        prompt_ids=(5, 17, 3, 42, 8, 8, 23),
        sampling=SamplingParams(temperature=0.8, seed=3),
        max_tokens=NUM_TOKENS,
    )
    text = list(request.prompt_ids or ())
    num_emitted, marks = 0, [(0, time.perf_counter(), 0, 0)]
    for event in generate(model, request, job=1, is_cancelled=lambda: False):
        if not isinstance(event, Stepped):
            continue
        num_emitted += len(event.record.emitted)
        text.extend(event.record.emitted)
        if num_emitted >= marks[-1][0] + BLOCK:
            memory = mx.get_active_memory(), mx.get_cache_memory()
            marks.append((num_emitted, time.perf_counter(), *memory))
    assert num_emitted == NUM_TOKENS
    with capsys.disabled():
        for (tokens, before, *_), (more, now, active, spare) in pairwise(marks):
            rate = (more - tokens) / (now - before)
            megabytes = f"{active / 1e6:.1f} MB held, {spare / 1e6:.1f} MB spare"
            print(f"\n  {more:6} tokens: {rate:6.0f} tok/s, {megabytes}", end="")  # noqa: T201
    last_rate = speed(model, text, len(text) - LAST)
    with capsys.disabled():
        (tokens, before, *_), (more, now, *_) = marks[-2:]
        share = (more - tokens) / (now - before) / last_rate
        print(f"\n  the last block: {share:.3f} of a fresh reply's speed there")  # noqa: T201
    entries = model.make_caches()
    model.model(mx.zeros((1, 256), mx.int32), cache=entries)
    per_token = sum(each.nbytes for each in entries) / 256
    middle, last = marks[len(marks) // 2], marks[-1]
    # What is kept to go back to is thinned as the reply grows, and may double once.
    assert last[2] - middle[2] <= 2 * per_token * (last[0] - middle[0]) + SLACK_BYTES
    assert max(mark[3] for mark in marks) < 200_000_000
