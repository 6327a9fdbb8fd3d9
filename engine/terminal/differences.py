"""Two replies that should be one: where they part, on which tokens, and how near a tie it was."""

from dataclasses import dataclass

from engine import EngineError, GenerationRequest, Probe, SamplingParams, SpeculationParams
from engine.terminal import output
from engine.terminal.figures import first_difference
from engine.terminal.session import Reply, Session
from engine.terminal.tasks import Task

# Any number asks the engine to record by how many logits each token won.
NUM_ALTERNATIVES = 1


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that decides the text, speculation aside."""

    task: Task
    sampling: SamplingParams
    max_tokens: int

    def request(
        self, speculation: SpeculationParams, num_alternatives: int = 0, *, reuse: bool = False
    ) -> GenerationRequest:
        """The request for this case with this speculation."""
        return self.task.request(
            speculation, self.sampling, self.max_tokens, num_alternatives, reuse=reuse
        )

    def __str__(self) -> str:
        return f"{self.task.name} at temperature {self.sampling.temperature:g}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A token chosen at the position in question; None where the reply had already ended."""

    token: int | None
    text: str

    def show(self) -> str:
        """The token for a person."""
        return "the end" if self.token is None else f"{self.token} {self.text!r}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first position of the reply where plain and speculative decoding chose differently.

    `margin` is by how many logits the plain token won its draw; `width` how many tokens the widest
    forward up to there had, and `tolerance` by how many logits such a block may differ here.
    """

    case: Case
    setting: str
    position: int
    plain: Choice
    speculative: Choice
    margin: float | None
    width: int
    tolerance: float | None

    @property
    def verdict(self) -> str:
        """Whether rounding explains it: a lead of up to twice what the probe measured can flip."""
        if self.margin is None or self.tolerance is None:
            return "unknown"
        return "near-tie" if self.margin <= 2 * self.tolerance else "NOT a tie: report it"

    def sentence(self) -> str:
        """The difference for a person."""
        return (
            f"{self.case}, {self.setting}: token {self.position} is {self.plain.show()} plain and "
            f"{self.speculative.show()} speculative; the plain one led by "
            f"{output.number(self.margin, 6)} logits, and a block of up to {self.width} may be off "
            f"by {output.number(self.tolerance, 6)} here: {self.verdict}."
        )

    def as_json(self) -> dict[str, object]:
        """The difference as plain values."""
        return {
            "prompt": self.case.task.name,
            "temperature": self.case.sampling.temperature,
            "setting": self.setting,
            "position": self.position,
            "plain": {"id": self.plain.token, "text": self.plain.text},
            "speculative": {"id": self.speculative.token, "text": self.speculative.text},
            "margin": self.margin,
            "width": self.width,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
        }


class Explainer:
    """Explains differences on one model, which it probes when there is a first one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._probe: Probe | None = None
        self._is_probed = False

    def explain(self, case: Case, setting: str, plain: Reply, speculative: Reply) -> Difference:
        """The first difference; decodes plainly once more to learn by how much its token won."""
        position = first_difference(plain.ids, speculative.ids)
        request = case.request(SpeculationParams(enabled=False), NUM_ALTERNATIVES)
        again = self._session.reply(request, is_quiet=True)
        width = _widest(speculative, position)
        return Difference(
            case,
            setting,
            position,
            _choice(plain, position),
            _choice(speculative, position),
            _margin(again, position),
            width,
            self._tolerance(width),
        )

    def _tolerance(self, width: int) -> float | None:
        """The largest difference in logits that blocks of up to `width` tokens show here."""
        if not self._is_probed:
            self._is_probed = True
            try:
                self._probe = self._session.probe()
            except EngineError as error:
                output.note(f"note: the model could not be probed: {error.sentence}")
        if self._probe is None:
            return None
        widths = sorted(self._probe.widths, key=lambda each: each.width)
        reach = next((each.width for each in widths if each.width >= width), width)
        return max(
            (each.largest_difference for each in widths if each.width <= reach), default=None
        )


def _widest(reply: Reply, position: int) -> int:
    """The width of the widest forward that ran before the token at `position` was known."""
    widest, known = 1, 0
    for record in reply.records:
        if known > position:
            break
        widest = max(widest, len(record.pending) + len(record.draft))
        known += len(record.emitted)
    return widest


def _margin(reply: Reply, position: int) -> float | None:
    margins = [margin for record in reply.records for margin in record.margins or ()]
    return margins[position] if position < len(margins) else None


def _choice(reply: Reply, position: int) -> Choice:
    if position >= len(reply.ids):
        return Choice(None, "")
    spans = [span for record in reply.records for span in record.spans]
    spans += reply.finished.tail
    covering = (s.text for s in spans if s.first <= position < s.first + s.num_tokens)
    return Choice(reply.ids[position], "".join(covering))
