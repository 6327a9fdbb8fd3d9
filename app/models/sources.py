"""Which positions of the context a draft was copied from.

The engine records runs (start, length) of the context, in the draft's order; a run that starts at
`EDIT` is an edit made before and made again, which no place has. Traces of the first format have no
runs: there a draft is what follows its match, as far as the ids agree.
"""

from typing import Literal

from app.models.context_map import ContextMap
from engine import StepRecord

EDIT = -1

Part = Literal["match", "draft", "token"]


def place_in_draft(record: StepRecord, number: int) -> int | None:
    """Where in the draft the step's emitted token `number` stood; None if it was not drafted."""
    return number if 0 <= number < record.accepted else None


def draft_runs(context: ContextMap, record: StepRecord) -> tuple[tuple[int, int], ...]:
    """Runs that the draft's tokens were copied from, those that were rejected too, in order.

    They cover less than the draft where it is not known.
    """
    if record.copied:
        return _first(record.copied, len(record.draft))
    if record.match is None:
        return ()
    return _behind_match(context, record, sum(record.match))


def source_of(context: ContextMap, record: StepRecord, place: int) -> int | None:
    """The position that the draft's token `place` was copied from; EDIT, or None if not known."""
    if not 0 <= place < len(record.draft):
        return None
    for start, length in draft_runs(context, record):
        if place < length:
            return EDIT if start < 0 else start + place
        place -= length
    return None


def parts_of(
    context: ContextMap, record: StepRecord, place: int | None
) -> list[tuple[Part, int, int]]:
    """Stretches (start, length) of the context that explain a draft, each once, and as what.

    The text that matched, what the draft is made of, and of that the token at `place` in it.
    """
    found: list[tuple[Part, int, int]] = []
    if record.match is not None and record.match[1]:
        found.append(("match", *record.match))
    runs = draft_runs(context, record)
    found += (("draft", start, length) for start, length in _joined(runs))
    position = source_of(context, record, place) if place is not None else None
    if position is not None and position != EDIT:
        found.append(("token", position, 1))
    return found


def _joined(runs: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """What the runs cover: a copy may run on into itself."""
    found: list[tuple[int, int]] = []
    for start, length in sorted(run for run in runs if run[0] != EDIT):
        if found and start <= sum(found[-1]):
            first = found[-1][0]
            found[-1] = first, max(sum(found[-1]), start + length) - first
        else:
            found.append((start, length))
    return found


def _first(runs: tuple[tuple[int, int], ...], length: int) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for start, size in runs:
        if length <= 0:
            break
        found.append((start, min(size, length)))
        length -= size
    return tuple(found)


def _behind_match(
    context: ContextMap, record: StepRecord, source: int
) -> tuple[tuple[int, int], ...]:
    """A copy that reaches the end of the text runs on into itself."""
    period = record.position - source
    if period <= 0:
        return ()
    known = 0
    while known < len(record.draft):
        if context.id_at(source + known % period) != record.draft[known]:
            break
        known += 1
    runs = ((source, period),) * (known // period)
    return (*runs, (source, known % period)) if known % period else runs
