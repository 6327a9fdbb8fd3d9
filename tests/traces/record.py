"""Records the traces beside this file anew: `python -m tests.traces.record`, a minute or two.

Every kind of run the inspector has to tell apart, from the embedded model. They are fixtures: tests
compute every number on screen again from them, and the walkthroughs in docs/ show them.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from engine import (
    EngineWorker,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    Message,
    SamplingParams,
    SpeculationParams,
    Stepped,
)

HERE = Path(__file__).parent
CODE = """\
def total_price(items, tax_rate):
    subtotal = 0
    for item in items:
        subtotal += item.price * item.quantity
    tax = subtotal * tax_rate
    return subtotal + tax"""
RENAME = f"Rename the variable subtotal to amount and print the whole code.\n\n{CODE}"
CATS = (
    'Replace every "cat" by "dog" in this text:\n\nThe cat sat by the door. A small cat came in '
    "and the old cat looked up. Every cat in the house wanted the same chair."
)
UNITS = "Replace every cat by dog in this text and write all of it again.\n\n" + "\n".join(
    f"The small cat sat on the warm mat by the {colour} door. It looked at the garden and waited."
    for colour in ("red", "blue", "green", "white", "yellow")
)
COPY = "Repeat this text exactly, word for word.\n\n"
BYTES = f"{COPY}Grüße aus Köln – 東京の空 🌙 naïve café – 東京の空 🌙 Grüße aus Köln."
FIXED = SpeculationParams(draft_length=5)
GREEDY = SamplingParams()
STORY = "Write a long story about a fox who leaves the forest to see the sea for the first time."


@dataclass(frozen=True, slots=True)
class Take:
    """A request to record, and after how many steps to stop it."""

    prompt: str
    speculation: SpeculationParams = FIXED
    max_tokens: int = 70
    stop: tuple[str, ...] = ()
    cancel_after: int | None = None
    sampling: SamplingParams = GREEDY
    earlier: tuple[Message, ...] = ()


TURN = (Message("user", f"{COPY}One two three four."), Message("assistant", "One two three four."))
TAKES = {
    "local": Take(RENAME),
    "carry": Take(RENAME, replace(FIXED, rollback="carry")),
    "replay": Take(RENAME, replace(FIXED, rollback="replay")),
    "discard": Take(RENAME, replace(FIXED, replay=False)),
    "lookup": Take(CATS, replace(FIXED, drafter="lookup")),
    # A token (" cat") that is never to be drafted, because it is what the reply will change.
    "excluded": Take(CATS, replace(FIXED, drafter="lookup", extra_excluded=(1918,))),
    "replay-partial": Take(UNITS, replace(FIXED, drafter="lookup", rollback="replay"), 160),
    "off": Take(RENAME, SpeculationParams(enabled=False), 40),
    "paused": Take(STORY, SpeculationParams(), 120),
    "cancelled": Take(CATS, cancel_after=5),
    "eos-in-block": Take(f"{COPY}One two three four.", earlier=TURN),
    "stop-string": Take(RENAME, stop=("item.quantity",)),
    "multibyte": Take(BYTES, max_tokens=90),
    "sampled": Take(CATS, sampling=SamplingParams(temperature=0.7, seed=7)),
}


def record(worker: EngineWorker, name: str, take: Take) -> None:
    """One trace, and a line about it."""
    request = GenerationRequest(
        messages=(*take.earlier, Message("user", take.prompt)),
        speculation=take.speculation,
        sampling=take.sampling,
        max_tokens=take.max_tokens,
        stop=take.stop,
        num_alternatives=3,
        reuse=False,
    )
    job = worker.generate(request, HERE / f"{name}.jsonl")
    num_steps = 0

    def count(event: object) -> None:
        nonlocal num_steps
        num_steps += isinstance(event, Stepped)
        if num_steps == take.cancel_after:
            worker.cancel(job)

    last = _last(worker, count)
    assert isinstance(last, Finished), last
    stats = last.stats
    sys.stdout.write(
        f"{name}: {last.reason}, {stats.emitted} tokens, {stats.forwards} forwards, "
        f"{stats.accepted} accepted, {stats.replayed} replayed, {stats.excluded} cut\n"
    )


def _last(worker: EngineWorker, look: Callable[[object], None]) -> Finished | Failed:
    while True:
        event = worker.events.get(timeout=60)
        look(event)
        if isinstance(event, Finished | Failed):
            return event


def main() -> None:
    """Record the traces named on the command line, or all."""
    names = sys.argv[1:] or list(TAKES)
    worker = EngineWorker()
    worker.load("demo")
    while not isinstance(event := worker.events.get(timeout=120), Loaded):
        assert not isinstance(event, Failed), event
    for name in names:
        record(worker, name, TAKES[name])
    worker.close()


if __name__ == "__main__":
    main()
