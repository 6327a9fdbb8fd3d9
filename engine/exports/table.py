"""A trace as a table: one row a step, with every scalar of its record, its tokens and their texts.

Lists and texts are JSON, so that they read back exactly and no spreadsheet takes one for a formula.
Numbers are written in full: a row adds up to what the record says, to the last digit.
"""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from engine.spelling import spelled
from engine.step_record import ORIGINS, StepRecord
from engine.trace import Trace

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class _Row:
    """What the columns are made from; `previous` is the time of the step before."""

    step: StepRecord
    previous: float
    words: dict[int, str]

    def texts(self, tokens: tuple[int, ...]) -> str:
        return _json([self.words.get(token) for token in tokens])

    def choice(self, name: str) -> Cell:
        """A part of the choice of length, empty where there was none to make."""
        value: Cell = None if self.step.choice is None else getattr(self.step.choice, name)
        return value


def _json(value: Any) -> str:
    return json.dumps(spelled(value), ensure_ascii=False, allow_nan=False)


def _origin(name: str) -> Callable[[_Row], Cell]:
    return lambda row: sum(origin == name for origin in row.step.origins)


_COLUMNS: dict[str, Callable[[_Row], Cell]] = {
    "index": lambda row: row.step.index,
    "time": lambda row: row.step.time,
    "position": lambda row: row.step.position,
    "drafter": lambda row: row.step.drafter,
    "match_start": lambda row: row.step.match[0] if row.step.match else None,
    "match_length": lambda row: row.step.match[1] if row.step.match else None,
    "drafted": lambda row: len(row.step.draft) + row.step.excluded,
    "excluded": lambda row: row.step.excluded,
    "verified": lambda row: len(row.step.draft),
    "accepted": lambda row: row.step.accepted,
    "dropped": lambda row: row.step.dropped,
    "num_emitted": lambda row: len(row.step.emitted),
    **{f"num_{name}": _origin(name) for name in ORIGINS},
    "rollback": lambda row: row.step.rollback,
    "rerun": lambda row: row.step.num_replayed,
    "forwards": lambda row: row.step.forwards,
    "guarded": lambda row: row.step.guarded,
    "draft_seconds": lambda row: row.step.seconds.draft,
    "verify_seconds": lambda row: row.step.seconds.verify,
    "rollback_seconds": lambda row: row.step.seconds.rollback,
    "emit_seconds": lambda row: row.step.seconds.emit,
    "interface_seconds": lambda row: row.step.interface_seconds(row.previous),
    "choice_available": lambda row: row.choice("available"),
    "choice_length": lambda row: row.choice("length"),
    "choice_chance": lambda row: row.choice("chance"),
    "choice_expected": lambda row: row.choice("expected"),
    "choice_cost": lambda row: row.choice("cost"),
    "choice_plain_seconds": lambda row: row.choice("plain_seconds"),
    "pending": lambda row: _json(row.step.pending),
    "draft": lambda row: _json(row.step.draft),
    "draft_texts": lambda row: row.texts(row.step.draft),
    "cut": lambda row: _json(row.step.cut),
    "cut_texts": lambda row: row.texts(row.step.cut),
    "copied": lambda row: _json(row.step.copied),
    "emitted": lambda row: _json(row.step.emitted),
    "emitted_texts": lambda row: row.texts(row.step.emitted),
    "origins": lambda row: _json(row.step.origins),
    "logprobs": lambda row: _json(row.step.logprobs),
    "margins": lambda row: _json(row.step.margins),
    "text": lambda row: _json("".join(span.text for span in row.step.spans)),
}


def csv_rows(trace: Trace) -> Iterator[list[Cell]]:
    """The table, its head first. A token's text is null where the trace does not have it."""
    yield list(_COLUMNS)
    words, previous = dict(trace.started.words), trace.started.prefill_seconds
    for step in trace.steps:
        words.update(step.words)
        row = _Row(step, previous, words)
        yield [cell(row) for cell in _COLUMNS.values()]
        previous = step.time


def write_csv(trace: Trace, out: TextIO) -> None:
    """Write the table to an open text file."""
    csv.writer(out, lineterminator="\n").writerows(csv_rows(trace))
