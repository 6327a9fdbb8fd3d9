"""Every step of a reply, small enough to keep all day: full records packed, outlines at hand.

A reply of 50,000 steps is looked at in two ways. Drawing all of it needs a few counts a step, which
lie in plain arrays; looking at one step needs its record, which is unpacked with its neighbours.
"""

import pickle
import zlib
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from io import BytesIO
from operator import attrgetter
from typing import Any

from engine import ORIGINS, LengthChoice, Origin, PhaseSeconds, StepRecord, TextSpan

CHUNK = 128
_NUM_OPEN = 4
_FASTEST = 1


@dataclass(frozen=True, slots=True)
class StepColumn:
    """One step as the strip draws it: emitted tokens by origin, rejected and cut drafts above."""

    index: int
    origins: tuple[tuple[Origin, int], ...]
    rejected: int
    excluded: int

    @property
    def emitted(self) -> int:
        """Tokens the step emitted."""
        return sum(count for _, count in self.origins)

    @property
    def height(self) -> int:
        """Cells in the column."""
        return self.emitted + self.rejected


class StepLog:
    """Records in order of their index, which is their place here."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._open: list[StepRecord] = []
        self._unpacked: OrderedDict[int, tuple[StepRecord, ...]] = OrderedDict()
        # Of each step: the reply's token it begins with, and counts in the order of ORIGINS, then
        # of rejected and of excluded drafts.
        self._firsts = array("L")
        self._counts = array("H")
        self._num_tokens = 0
        self.tallest = 0

    def __len__(self) -> int:
        return len(self._firsts)

    def __getitem__(self, index: int) -> StepRecord:
        """The record of a step, from 0."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        chunk, at = divmod(index, CHUNK)
        return self._open[at] if chunk == len(self._packed) else self._chunk(chunk)[at]

    def __iter__(self) -> Iterator[StepRecord]:
        for index in range(len(self)):
            yield self[index]

    @property
    def num_tokens(self) -> int:
        """How many tokens the steps emitted."""
        return self._num_tokens

    def append(self, record: StepRecord) -> None:
        """Take in the next step."""
        self._firsts.append(self._num_tokens)
        counts = [record.origins.count(origin) for origin in ORIGINS]
        rejected = len(record.draft) - record.accepted
        self._counts.extend([*counts, rejected, record.excluded])
        self._num_tokens += len(record.emitted)
        self.tallest = max(self.tallest, len(record.emitted) + rejected)
        self._open.append(record)
        if len(self._open) == CHUNK:
            self._packed.append(_packed(self._open))
            self._open = []

    def column(self, index: int) -> StepColumn:
        """A step's outline; cheap."""
        width = len(ORIGINS) + 2
        counts = self._counts[index * width : (index + 1) * width]
        origins = tuple((kind, counts[n]) for n, kind in enumerate(ORIGINS) if counts[n])
        return StepColumn(index, origins, counts[-2], counts[-1])

    def first_token(self, index: int) -> int:
        """The number, in the reply, of the first token a step emitted."""
        return self._firsts[index]

    def step_of(self, token: int) -> int:
        """The step that emitted a token of the reply."""
        if not 0 <= token < self._num_tokens:
            raise IndexError(token)
        return bisect_right(self._firsts, token) - 1

    def _chunk(self, number: int) -> tuple[StepRecord, ...]:
        if number not in self._unpacked:
            # Our own records, packed a moment ago in this process.
            records = pickle.loads(zlib.decompress(self._packed[number]))
            self._unpacked[number] = tuple(records)
            while len(self._unpacked) > _NUM_OPEN:
                self._unpacked.popitem(last=False)
        self._unpacked.move_to_end(number)
        return self._unpacked[number]


_Reader = Callable[[Any], tuple[type, tuple[Any, ...]]]


def _by_fields(kind: type) -> _Reader:
    """All fields of a record at once: by itself a dataclass gives them one by one."""
    read = attrgetter(*(each.name for each in fields(kind)))
    return lambda record: (kind, read(record))


_BY_FIELDS: dict[type, _Reader] = {
    kind: _by_fields(kind) for kind in (StepRecord, TextSpan, PhaseSeconds, LengthChoice)
}


def _packed(records: list[StepRecord]) -> bytes:
    target = BytesIO()
    packer = pickle.Pickler(target, pickle.HIGHEST_PROTOCOL)
    packer.dispatch_table = _BY_FIELDS
    packer.dump(records)
    return zlib.compress(target.getbuffer(), _FASTEST)
