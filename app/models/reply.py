"""One reply: its text as pieces with origins, its phase, its numbers, its failure."""

from dataclasses import dataclass
from typing import Literal

from app.models.markdown.thinking import split_thinking
from app.models.run import RunStatistics
from app.models.step_log import StepLog
from engine import (
    Aside,
    EffectiveConfig,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Kept,
    Notice,
    Origin,
    PrefillProgress,
    SpeculationChanged,
    SpeculationParams,
    Started,
    Statistics,
    Stepped,
    StepRecord,
    StopReason,
    TextSpan,
)

Phase = Literal["waiting", "streaming", "finished", "failed"]
_CUT: tuple[StopReason, ...] = ("cancelled", "max_tokens", "failed")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that became printable at once, and the origins of the tokens it stands for.

    Usually one token; several where bytes of a character, or the start of a possible stop string,
    were held back.
    """

    text: str
    first: int
    origins: tuple[Origin, ...]
    step: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reply ended: what it loses when it goes on, and gets back where it cannot.

    `tail` is the text that its end alone made final.
    """

    phase: Phase
    stop: StopReason | None
    final: Statistics | None
    kept: Kept | None
    finished: Finished | None
    failure: Failed | None
    tail: tuple[Piece, ...]

    @property
    def num_tokens(self) -> int:
        """How many tokens' text was shown at the end before it was whole."""
        return sum(len(piece.origins) for piece in self.tail)


class Reply:
    """Grows by the engine's events; never holds a widget.

    `request` is what was asked, and `started.config` says what became of it; `words` has the text
    of every id that was mentioned. A reply read from a trace has no request.
    """

    def __init__(self, request: GenerationRequest | None = None) -> None:
        self.request = request
        self.started: Started | None = None
        self.log = StepLog()
        self.words: dict[int, str] = {}
        self.phase: Phase = "waiting"
        self.prefill: tuple[int, int] | None = None
        self.pieces: list[Piece] = []
        self.notices: list[str] = []
        self.config: EffectiveConfig | None = None
        self.run: RunStatistics | None = None
        self.stop: StopReason | None = None
        self.final: Statistics | None = None
        self.kept: Kept | None = None
        self.finished: Finished | None = None
        # What was said between the steps, each with how many steps came before it.
        self.asides: list[tuple[int, Aside]] = []
        self.failure: Failed | None = None
        # A reply from disk whose tokens are not here says itself how its text began.
        self.opens_thinking = False
        self._origins: list[Origin] = []
        self._num_tail = 0

    @property
    def asked(self) -> SpeculationParams | None:
        """The settings it was asked with."""
        return self.request.speculation if self.request is not None else None

    @property
    def speculation(self) -> tuple[bool, str] | None:
        """Whether drafts are being made, and why; None before it has begun."""
        return self.run.speculation if self.run is not None else None

    @property
    def text(self) -> str:
        """What the model said, as plain text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def answer_start(self) -> int:
        """Where, in the text, thinking ends and the answer begins."""
        text, end = self.text, 0
        for part in split_thinking(text, self.opens_thinking):
            if part.kind == "text":
                blank = len(part.text) - len(part.text.lstrip())
                return part.start + blank if part.start or blank < len(part.text) else 0
            end = len(text)
        return end

    @property
    def answer(self) -> str:
        """The text without what was thought before it: what later turns are told."""
        return self.text[self.answer_start :]

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.phase in ("finished", "failed")

    @property
    def can_go_on(self) -> bool:
        """Whether it was cut off behind its first words, and there may be more of it."""
        has_no_end = self.is_over and self.stop is None
        is_cut = self.stop in _CUT or has_no_end or self.phase == "failed"
        return is_cut and bool(self.pieces)

    @property
    def statistics(self) -> Statistics | None:
        """Final numbers if there are, else the numbers so far."""
        if self.final is not None or self.run is None:
            return self.final
        return self.run.statistics

    def apply(self, event: Event) -> None:
        """Take over what one event says."""
        match event:
            case Stepped(_, record):
                self._add_step(record)
            case PrefillProgress(_, processed, total):
                self.prefill = (processed, total)
            case Started():
                self._start(event)
            case SpeculationChanged(_, active, reason):
                self.asides.append((len(self.log), event))
                if self.run is not None:
                    self.run.change(active, reason)
            case Notice(_, sentence):
                self.asides.append((len(self.log), event))
                self.notices.append(sentence)
            case Finished():
                self._finish(event)
            case Failed():
                self.phase, self.failure = "failed", event
                self._end_run()

    def reopen(self) -> Ending:
        """Go on where it ended, and give back how that was."""
        at = len(self.pieces) - self._num_tail
        ending = Ending(
            self.phase, self.stop, self.final, self.kept, self.finished, self.failure,
            tuple(self.pieces[at:]),
        )  # fmt: skip
        del self.pieces[at:]
        self._num_tail = 0
        self.phase, self.stop, self.final, self.kept = "streaming", None, None, None
        self.finished = self.failure = None
        return ending

    def end_again(self, ending: Ending) -> None:
        """Be over as before: nothing came of going on."""
        self.pieces.extend(ending.tail)
        self._num_tail = len(ending.tail)
        self.phase, self.stop, self.final = ending.phase, ending.stop, ending.final
        self.kept, self.finished, self.failure = ending.kept, ending.finished, ending.failure
        self._end_run()

    def _start(self, event: Started) -> None:
        self.phase, self.config = "streaming", event.config
        self.opens_thinking = event.opens_thinking
        self.run, self.started = RunStatistics(event), event
        self.words.update(event.words)

    def _add_step(self, record: StepRecord) -> None:
        if self.run is not None:
            self.run.add(record)
        self.log.append(record)
        self.words.update(record.words)
        self._origins.extend(record.origins)
        for span in record.spans:
            self._add_span(span, record.index)

    def _add_span(self, span: TextSpan, step: int) -> None:
        origins = tuple(self._origins[span.first : span.first + span.num_tokens])
        self.pieces.append(Piece(span.text, span.first, origins, step))

    def _finish(self, event: Finished) -> None:
        step = self.pieces[-1].step if self.pieces else 0
        for span in event.tail:
            self._add_span(span, step)
        self._num_tail = len(event.tail)
        self.phase, self.stop, self.final = "finished", event.reason, event.stats
        self.kept, self.finished = event.kept, event
        self._end_run()

    def _end_run(self) -> None:
        if self.run is not None:
            self.run.end()
