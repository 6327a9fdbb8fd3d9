"""What the worker is asked to do; `job` is the number that its events carry."""

from dataclasses import dataclass
from pathlib import Path

from engine.request import GenerationRequest


@dataclass(frozen=True, slots=True)
class Load:
    """Load a model by name."""

    job: int
    name: str


@dataclass(frozen=True, slots=True)
class Generate:
    """Make a reply; `is_reference` decodes with mlx-lm's own loop."""

    job: int
    request: GenerationRequest
    trace: Path | None
    is_reference: bool


@dataclass(frozen=True, slots=True)
class Probe:
    """Compare blocks with single tokens."""

    job: int


@dataclass(frozen=True, slots=True)
class Count:
    """Count the tokens of texts."""

    job: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spell:
    """Tell the tokens of a text, or what ids read as."""

    job: int
    asked: str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unload:
    """Let the model go."""

    job: int


Job = Load | Generate | Probe | Count | Spell | Unload
