"""A drafter that knows the right answer and follows a script of how much of it to get wrong."""

from collections.abc import Iterable, Sequence
from itertools import cycle

from engine.speculation.draft import NO_DRAFT, Draft


class ScriptedDrafter:
    """Proposes what plain decoding emitted (`truth`, the reply without the prompt), right for the
    first `script[i]` tokens of the i-th draft and wrong at the next. The script repeats.

    A negative entry proposes nothing. `match` is made up, so that records carry one.
    """

    def __init__(
        self, truth: Sequence[int], num_prompt: int, script: Iterable[int], vocabulary: int
    ) -> None:
        self._truth = truth
        self._num_prompt = num_prompt
        self._script = cycle(script)
        self._vocabulary = vocabulary
        self._num_known = 0
        self.num_proposals = 0

    def extend(self, tokens: Sequence[int]) -> None:
        self._num_known += len(tokens)

    def propose(self, max_length: int) -> Draft:
        right = next(self._script)
        done = self._num_known - self._num_prompt
        tokens = list(self._truth[done : done + max_length])
        if right < 0 or not tokens:
            return NO_DRAFT
        for i in range(right, len(tokens)):
            tokens[i] = (tokens[i] + 1) % self._vocabulary
        self.num_proposals += 1
        return Draft(tuple(tokens), (0, 2))
