"""Two replies that should be one: where they part, on which tokens, and how near a tie it was."""

from dataclasses import dataclass

from engine import GenerationRequest, SamplingParams, SpeculationParams
from engine.terminal.session import Reply, Session
from engine.terminal.tasks import Task

NUM_ALTERNATIVES = 5


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that decides the text, speculation aside."""

    task: Task
    sampling: SamplingParams
    max_tokens: int

    def request(
        self, speculation: SpeculationParams, num_alternatives: int = 0
    ) -> GenerationRequest:
        """The request for this case with this speculation."""
        return self.task.request(speculation, self.sampling, self.max_tokens, num_alternatives)

    def __str__(self) -> str:
        return f"{self.task.name} at temperature {self.sampling.temperature:g}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A token chosen at the position in question; None where the reply had already ended."""

    token: int | None
    text: str
    logprob: float | None

    def show(self) -> str:
        """The token for a person."""
        return "the end" if self.token is None else f"{self.token} {self.text!r}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first position of the reply where plain and speculative decoding chose differently."""

    case: Case
    params: SpeculationParams
    position: int
    plain: Choice
    speculative: Choice

    @property
    def gap(self) -> float | None:
        """How much likelier the plain token was, as a difference of log-probabilities."""
        if self.plain.logprob is None or self.speculative.logprob is None:
            return None
        return self.plain.logprob - self.speculative.logprob

    def sentence(self) -> str:
        """The difference for a person."""
        gap = "unknown" if self.gap is None else f"{self.gap:.6f}"
        return (
            f"{self.case}, {self.params.rollback} rollback, draft length "
            f"{self.params.draft_length}: token {self.position} is {self.plain.show()} plain and "
            f"{self.speculative.show()} speculative (log-probability gap {gap})."
        )

    def as_json(self) -> dict[str, object]:
        """The difference as plain values."""
        return {
            "prompt": self.case.task.name,
            "temperature": self.case.sampling.temperature,
            "rollback": self.params.rollback,
            "draft_length": self.params.draft_length,
            "position": self.position,
            "plain": {"id": self.plain.token, "text": self.plain.text},
            "speculative": {"id": self.speculative.token, "text": self.speculative.text},
            "gap": self.gap,
        }


def explain(
    session: Session,
    case: Case,
    params: SpeculationParams,
    plain: Reply,
    speculative: Reply,
) -> Difference:
    """The first difference; decodes plainly once more to learn how likely both tokens were."""
    position = _parting(plain.ids, speculative.ids)
    request = case.request(SpeculationParams(enabled=False), NUM_ALTERNATIVES)
    likely = _logprobs(session.reply(request, is_quiet=True), position)
    return Difference(
        case,
        params,
        position,
        _choice(plain, position, likely),
        _choice(speculative, position, likely),
    )


def _parting(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    pairs = zip(first, second, strict=False)
    shorter = min(len(first), len(second))
    return next((index for index, (one, other) in enumerate(pairs) if one != other), shorter)


def _logprobs(reply: Reply, position: int) -> dict[int, float]:
    """The log-probabilities known at this position of the reply."""
    first = 0
    for record in reply.records:
        index = position - first
        if index < len(record.emitted):
            known = dict(record.alternatives[index]) if record.alternatives else {}
            if record.logprobs is not None:
                known[record.emitted[index]] = record.logprobs[index]
            return known
        first += len(record.emitted)
    return {}


def _choice(reply: Reply, position: int, likely: dict[int, float]) -> Choice:
    if position >= len(reply.ids):
        return Choice(None, "", None)
    token = reply.ids[position]
    spans = [span for record in reply.records for span in record.spans]
    spans += reply.finished.tail
    covering = (s.text for s in spans if s.first <= position < s.first + s.num_tokens)
    return Choice(token, "".join(covering), likely.get(token))
