"""A reply that was stopped goes on: the events of its second run, told as if there had been one.

The engine runs prompt and reply so far as a new prompt. What it says of the new tokens is moved
behind the old ones, so that steps, times, text and numbers are those of one reply, and so is its
trace. What reading the prompt again took is left out: it is no part of decoding.
"""

from dataclasses import replace

from app.models.quiet import CONTINUED
from app.models.reply import Reply
from engine import (
    Event,
    Failed,
    Finished,
    Notice,
    PrefillProgress,
    SpeculationChanged,
    Started,
    Stepped,
    StepRecord,
    TextSpan,
)


class Continuation:
    """Made from a reply that is over and has begun; `reopen`s it.

    Where it fails before its first step the reply is as it was, and `failure` says why.
    """

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._num_steps, self._num_tokens = len(reply.log), reply.log.num_tokens
        self._seconds = reply.log[self._num_steps - 1].time if self._num_steps else 0.0
        self._shift = 0.0
        self._ending = reply.reopen()
        self._num_open = self._ending.num_tokens
        self.failure: Failed | None = None

    def told(self, event: Event) -> Event | None:
        """The event as the reply is to hear it; None where it is not."""
        match event:
            case Started():
                self._shift = self._seconds - event.prefill_seconds
                self._reply.words.update(event.words)
                # Of record in the trace; nothing to warn of.
                told = Notice(event.job, CONTINUED)
                self._reply.asides.append((len(self._reply.log), told))
                return self._taken_up(event)
            case PrefillProgress():
                return None
            case Stepped(job, record):
                return Stepped(job, self._moved(record))
            case Finished():
                return self._finished(event)
            case Failed() if len(self._reply.log) == self._num_steps:
                self._reply.end_again(self._ending)
                self.failure = event
                return None
        return event

    def _taken_up(self, event: Started) -> SpeculationChanged | None:
        """The engine begins anew: a pause has ended, even where nothing was said of it."""
        config, before = event.config, self._reply.speculation
        if before is None or before[0] is config.enabled:
            return None
        return SpeculationChanged(event.job, config.enabled, config.reason)

    def _moved(self, record: StepRecord) -> StepRecord:
        return replace(
            record,
            index=record.index + self._num_steps,
            time=record.time + self._shift,
            spans=self._spans(record.spans),
        )

    def _spans(self, spans: tuple[TextSpan, ...]) -> tuple[TextSpan, ...]:
        """The first text after the stop may complete a character that had been cut by it."""
        moved: list[TextSpan] = []
        for span in spans:
            moved.append(
                replace(
                    span,
                    first=span.first + self._num_tokens - self._num_open,
                    num_tokens=span.num_tokens + self._num_open,
                )
            )
            self._num_open = 0
        return tuple(moved)

    def _finished(self, event: Finished) -> Finished:
        run = self._reply.run
        assert run is not None
        return replace(event, stats=run.statistics, tail=self._spans(event.tail))
