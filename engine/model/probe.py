"""The exactness probe: a block of tokens against the same tokens one at a time, by width.

The same text runs behind the same short context, once in single tokens (the chain) and once, for
each width, in consecutive blocks with the caches that those blocks wrote, so that drift may add up.
One pass tells how far the logits part and what a forward costs.
"""

from collections.abc import Callable
from copy import deepcopy
from itertools import cycle, islice
from time import perf_counter
from typing import cast

import mlx.core as mx

from engine.errors import RequestError, TokenizerError
from engine.model.cache import Caches
from engine.model.cost import check_numbers, is_hopeless, timed_forward, width_seconds
from engine.model.cost_table import CostTable
from engine.model.faults import Translated
from engine.model.loaded_model import LoadedModel
from engine.model.probe_cache import ProbeCache
from engine.model_info import Probe, WidthProbe

# In the order of their worth, should time run out.
WIDTHS = (6, 2, 16, 3, 8, 4, 12, 32, 5, 24)
CONTEXT_LENGTH = 16
# Positions compared: as many as the chain takes CHAIN_SECONDS for, within these.
FEWEST_POSITIONS, MOST_POSITIONS = 24, 48
CHAIN_SECONDS = 0.25
# After so long no further width is begun, but the first few are measured in any case.
LONGEST_SECONDS, AT_LEAST = 8.0, 2
# Where blocks save nothing, those this wide are still compared, and few wider ones.
USUAL_WIDTH = 2
# Only interruptions add time: of so many last forwards the quickest counts.
BEST_OF = 4
# A forward this much quicker than the stored one says that the stored ones were disturbed.
DISTURBED_SHARE = 0.6
# How far a block without a number is from a chain with one: more than any margin.
FARTHEST = 3.0e38

TEXT = """\
The keeper of the lighthouse lit the lamp at dusk, as he had done every evening for thirty years.
Then he wrote two lines into his book:

```python
def total(items):
    result = 0
    for name, price in items.items():
        if price > 0:
            result += price
    return result
```

"Is that all?" asked the girl. {"id": 7, "name": "Ann", "active": true}, it said below, and on the
next page: 12 ships from the north, 3.5 miles out, wind 40 knots. The sea was calm again in the
morning, and a grey seal slept on the rocks. Où est le phare? Nobody knew who had drawn the small
map on the last page, or why the third island on it had no name.
"""


class ProbeCancelled(Exception):  # noqa: N818 (an outcome, not an error)
    """Probing was cancelled; nothing was kept."""


def probe(model: LoadedModel, *, is_cancelled: Callable[[], bool]) -> Probe:
    """Measure now, and store it in place of what was known of this model here.

    Pacing starts afresh from the new costs. `width_seconds` stays: the edges of prefill chunks
    follow from it and may not move under a loaded model. `RequestError` where it was cancelled.
    """
    try:
        measured = _Comparison(model, is_cancelled).probe()
    except ProbeCancelled as error:
        raise RequestError("The probe was cancelled; what was known before still holds.") from error
    ProbeCache(model.info).store(measured)
    model.costs = CostTable(width_seconds(measured))
    return measured


def known_or_measured(model: LoadedModel, is_cancelled: Callable[[], bool]) -> Probe:
    """The stored probe of a model just loaded, or one measured now and stored.

    Runs the model in either case: raises `NoNumbersError` for one that computes none, what MLX
    raises for weights of a wrong kind, and `ProbeCancelled`.
    """
    comparison, cache = _Comparison(model, is_cancelled), ProbeCache(model.info)
    known = cache.read()
    if known is not None:
        plain_seconds = next(each.seconds for each in known.widths if each.width == 1)
        if comparison.plain_seconds > DISTURBED_SHARE * plain_seconds:
            return known
    measured = comparison.probe()
    cache.store(measured)
    return measured


class _Comparison:
    """A model behind a short context, from which text is run again and again.

    Making it runs the model's first forwards, checks that they give numbers, and times a single
    token (`plain_seconds`).
    """

    def __init__(self, model: LoadedModel, is_cancelled: Callable[[], bool]) -> None:
        self._model = model
        self._is_cancelled = is_cancelled
        ids = _text_ids(model)
        self._text = ids[CONTEXT_LENGTH:]
        self._context = Caches(model.make_caches())
        logits, _ = timed_forward(model.model, self._context, ids[:CONTEXT_LENGTH])
        check_numbers(logits)
        logits, self.plain_seconds = self._run(1, BEST_OF)
        check_numbers(logits)

    def probe(self) -> Probe:
        """Every width that may be of use, until it takes too long."""
        began = perf_counter()
        wanted = int(CHAIN_SECONDS / self.plain_seconds)
        num_positions = max(FEWEST_POSITIONS, min(MOST_POSITIONS, wanted))
        chain, plain_seconds = self._run(1, num_positions)
        widths = [WidthProbe(1, True, 0.0, 1.0, plain_seconds)]
        widest = max(WIDTHS)
        for width in WIDTHS:
            is_late = len(widths) > AT_LEAST and perf_counter() - began > LONGEST_SECONDS
            if width > widest or is_late:
                continue
            block, seconds = self._run(width, num_positions)
            widths.append(_compared(width, chain, block, seconds))
            if is_hopeless(width, seconds, plain_seconds):
                widest = max(USUAL_WIDTH, min(widest, width))
        mx.clear_cache()
        widths.sort(key=lambda each: each.width)
        version: str = mx.__version__  # type: ignore[attr-defined]
        device = self._model.info.device
        return Probe(tuple(widths), num_positions, version, device, is_cached=False)

    def _run(self, width: int, num_positions: int) -> tuple[mx.array, float]:
        """The first `num_positions` of the text in blocks: logits in float32, seconds of a block.

        The last block is filled up with the text that follows; a single one is timed twice.
        """
        rows: list[mx.array] = []
        seconds: list[float] = []
        caches = deepcopy(self._context)
        for start in range(0, num_positions, width):
            logits, spent = self._forward(caches, start, width)
            rows.append(logits.astype(mx.float32))
            seconds.append(spent)
        if len(seconds) == 1:
            seconds.append(self._forward(deepcopy(self._context), 0, width)[1])
        return mx.concatenate(rows)[:num_positions], min(seconds[-BEST_OF:])

    def _forward(self, caches: Caches, start: int, width: int) -> tuple[mx.array, float]:
        if self._is_cancelled():
            raise ProbeCancelled
        return timed_forward(self._model.model, caches, self._text[start : start + width])


def _compared(width: int, chain: mx.array, block: mx.array, seconds: float) -> WidthProbe:
    # Equal infinities (a masked vocabulary) are no difference.
    apart = mx.where(chain == block, 0.0, mx.abs(chain - block))
    apart = mx.where(apart < FARTHEST, apart, FARTHEST)
    largest = cast(float, mx.max(apart).item())
    agrees = mx.argmax(chain, axis=-1) == mx.argmax(block, axis=-1)
    agreement = cast(float, agrees.astype(mx.float32).mean().item())
    return WidthProbe(width, largest == 0.0, largest, agreement, seconds)


def _text_ids(model: LoadedModel) -> list[int]:
    """The built-in text as ids the model has, again from its start where it is too short."""
    with Translated(TokenizerError, f"The tokenizer of {model.info.name} fails on plain text."):
        ids = model.tokenizer.encode(TEXT, add_special_tokens=False)
    known = [token for token in ids if 0 <= token < model.info.vocabulary_size] or [0]
    length = CONTEXT_LENGTH + MOST_POSITIONS + max(WIDTHS)
    return list(islice(cycle(known), length))
