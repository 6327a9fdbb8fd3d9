"""The traces as the app shows them, and as plain JSON, to compute every number a second time."""

import json
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from app.models.reply import Reply
from engine import read_trace, replay_trace

FOLDER = Path(__file__).parents[2] / "traces"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def reply_of(name: str) -> Reply:
    """A reply fed from a trace."""
    reply = Reply()
    for event in replay_trace(read_trace(FOLDER / f"{name}.jsonl")):
        reply.apply(event)
    return reply


@dataclass
class Raw:
    """A trace's lines as JSON, and sums over them that share no code with the app."""

    start: dict[str, Any]
    steps: list[dict[str, Any]] = field(default_factory=list)
    asides: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    finish: dict[str, Any] | None = None

    def total(self, name: str) -> int:
        """A field summed over the steps; of a list, its lengths."""
        values = (step[name] for step in self.steps)
        return sum(len(value) if isinstance(value, list) else value for value in values)

    def num_origin(self, origin: str) -> int:
        """How many tokens have an origin."""
        return sum(step["origins"].count(origin) for step in self.steps)

    @property
    def with_draft(self) -> list[dict[str, Any]]:
        """The steps that verified a draft."""
        return [step for step in self.steps if step["draft"]]

    @property
    def times(self) -> list[tuple[dict[str, Any], float]]:
        """Each step, and the seconds since the one before it, the first since prefill."""
        ends = [self.start["prefill_seconds"], *(step["time"] for step in self.steps)]
        spans = [after - before for before, after in pairwise(ends)]
        return list(zip(self.steps, spans, strict=True))

    def phase(self, name: str) -> float:
        """Seconds in a phase, over all steps."""
        if name != "interface":
            return sum(step["seconds"][name] for step in self.steps)
        return sum(max(0.0, span - sum(step["seconds"].values())) for step, span in self.times)


def raw_of(name: str) -> Raw:
    """The lines of a trace."""
    lines = (FOLDER / f"{name}.jsonl").read_text().splitlines()
    objects = [json.loads(line) for line in lines]
    raw = Raw(objects[0])
    for line in objects[1:]:
        if line["type"] == "step":
            raw.steps.append(line)
        elif line["type"] == "finish":
            raw.finish = line
        else:
            raw.asides.append((len(raw.steps), line))
    return raw
