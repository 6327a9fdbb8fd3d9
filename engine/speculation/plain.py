"""Plain steps, pipelined: the next forward is queued before this step's token is read.

While the device works on the queued forward, Python reads, emits and looks up. A queued forward is
never wasted on a draft: whoever finds one queued takes its token first. If the reply ends with a
forward queued, it is undone and not counted, so that the caches hold no more than the text.
"""

from dataclasses import dataclass

import mlx.core as mx

from engine.model.cache import Checkpoint
from engine.model.sampling import TargetLaw
from engine.speculation.close_up import CloseUp, CloseUps
from engine.speculation.context import Context
from engine.speculation.verify import Target, Verdict, forward, to_ids


@dataclass(frozen=True, slots=True)
class _Queued:
    choice: mx.array
    close_up: CloseUp | None
    checkpoint: Checkpoint | None


class PlainLane:
    """One forward, one token; or, pipelined, the token of a forward queued a step ago."""

    def __init__(
        self, target: Target, context: Context, law: TargetLaw, close_ups: CloseUps
    ) -> None:
        self._target = target
        self._context = context
        self._law = law
        self._close_ups = close_ups
        self._queued: _Queued | None = None
        self._is_first = True

    @property
    def is_queued(self) -> bool:
        """Whether a forward is under way whose token must be taken next."""
        return self._queued is not None

    def step(self, *, queue_next: bool) -> Verdict:
        """The target's next token.

        With `queue_next` the forward after it is started first, except in a reply's first step: on
        some devices its token would wait for that one too. A law with a history is not pipelined:
        its penalties need the token itself.
        """
        context = self._context
        queued = self._queued
        if queued is None:
            # By itself, or its token would only be told when the forward queued next is done too.
            queued = self._run(mx.array(context.pending), context.position, None)
        is_first, self._is_first, self._queued = self._is_first, False, None
        if queue_next and not is_first and not self._law.window:
            checkpoint = context.caches.checkpoint(1) if self._is_undoable else None
            self._queued = self._run(queued.choice, context.position + 1, checkpoint)
        return Verdict(to_ids(queued.choice), 1, queued.close_up)

    def undo(self) -> None:
        """Throw a queued forward away and put the caches back where they were before it."""
        if self._queued is not None and self._queued.checkpoint is not None:
            self._context.caches.restore(self._queued.checkpoint)
        self._queued = None

    @property
    def _is_undoable(self) -> bool:
        # Copying a rotating window at every step costs more than an exact end is worth; there the
        # caches end level with the text instead of one token behind it.
        return self._context.caches.is_checkpoint_cheap()

    def _run(self, tokens: mx.array, position: int, checkpoint: Checkpoint | None) -> _Queued:
        """Start a forward; what it is asked for comes with it."""
        context, law = self._context, self._law
        logits = forward(self._target, context.caches, tokens)
        history = context.tokens[-law.window :] if law.window else []
        scores = law.processed(logits[-1:], history)
        choice = law.choose(scores, position)
        close_up = self._close_ups.of(scores, choice, position)
        mx.async_eval(choice, close_up.arrays if close_up is not None else ())
        return _Queued(choice, close_up, checkpoint)
