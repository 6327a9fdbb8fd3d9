"""A person and a model, in token ids: every reply is checked against the same one from scratch.

Each reply may use another rollback and another script of right and wrong drafts, and may be
cancelled; the caches it leaves are the next one's start.
"""

import random
from collections.abc import Callable, Sequence
from itertools import count

from engine.events import PrefillProgress
from engine.model.loaded_model import LoadedModel
from engine.request import RollbackName, SpeculationParams
from tests.fakes.replies import PLAIN, Run, run
from tests.fakes.scripted_drafter import ScriptedDrafter

ROLLBACKS: tuple[RollbackName, ...] = ("auto", "trim", "discard", "replay", "carry", "local")
NUM_TOKENS = 24


def after(num_looks: int) -> Callable[[], bool]:
    """Cancels at the look after the first `num_looks` (one before each chunk and each step)."""
    looks = count()
    return lambda: next(looks) >= num_looks


class Talk:
    """`text` is the last prompt and its reply; `rng` decides about drafts."""

    def __init__(self, model: LoadedModel, seed: int = 0) -> None:
        self.model = model
        self.rng = random.Random(seed)
        self.text: list[int] = []
        self.num_prompt = 0

    def words(self, low: int = 3, high: int = 20) -> list[int]:
        """Something to say."""
        size = self.model.info.vocabulary_size
        return [self.rng.randrange(size) for _ in range(self.rng.randint(low, high))]

    def speculation(self) -> SpeculationParams:
        """Plain, drafts of a fixed length under any rollback, or as it is by default."""
        kind = self.rng.randrange(4)
        if kind == 0:
            return PLAIN
        if kind == 1:
            return SpeculationParams()
        return SpeculationParams(
            draft_length=self.rng.randint(1, 6), rollback=self.rng.choice(ROLLBACKS)
        )

    def say(
        self,
        prompt: Sequence[int],
        *,
        max_tokens: int = NUM_TOKENS,
        is_cancelled: Callable[[], bool] = lambda: False,
        prefill_chunk: int = 7,
    ) -> Run:
        """A reply to `prompt`, which becomes the text; asserts that reuse changed no id."""
        truth = run(self.model, prompt, max_tokens=max_tokens, prefill_chunk=256).ids
        script = [self.rng.randint(-1, 5) for _ in range(5)]
        size = self.model.info.vocabulary_size
        reply = run(
            self.model,
            prompt,
            self.speculation(),
            drafter=ScriptedDrafter(truth, len(prompt), script, size),
            max_tokens=max_tokens,
            is_cancelled=is_cancelled,
            reuse=True,
            prefill_chunk=prefill_chunk,
        )
        is_whole = reply.finished.reason != "cancelled"
        assert reply.ids == (truth if is_whole else truth[: len(reply.ids)])
        check_counts(reply, len(prompt), is_whole=is_whole)
        self.text, self.num_prompt = [*prompt, *reply.ids], len(prompt)
        return reply

    @property
    def prompt(self) -> list[int]:
        """The last prompt."""
        return self.text[: self.num_prompt]


def num_processed(reply: Run) -> int:
    """Prompt tokens that were run, by the progress the reply reported."""
    progress = [event for event in reply.events if isinstance(event, PrefillProgress)]
    return progress[-1].processed - progress[0].processed


def check_counts(reply: Run, num_prompt: int, *, is_whole: bool) -> None:
    """Reused and processed tokens make up the prompt but for its last one, everywhere alike."""
    assert reply.finished.stats.reused_tokens == reply.started.reused
    if is_whole:
        assert reply.started.reused + num_processed(reply) == num_prompt - 1
    kept = reply.finished.kept
    assert kept is not None
    assert kept.bytes <= kept.budget_bytes
