"""Where a reply copies from: it follows the source, and finds it again behind an edit. Pure Python.

While the reply is the source's text, the source's next token is expected. Where the two part, a
*gap* opens: the reply's last tokens are looked for in a small window behind that place, and enough
of them found there take the source up again. What lay between on either side is an edit, and is
expected again wherever the source has that text again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.speculation.acceptance import Evidence, ladder
from engine.speculation.edits import Edit, EditMemory
from engine.speculation.suffix_index import SuffixIndex

# Tokens in a row that make a source worth following, a loss of it worth a gap, an edit worth
# believing.
WORTH_FOLLOWING = 3
# A gap ends when it is this long, or when so many tokens in a row match some other place.
LONGEST_GAP = 48
ELSEWHERE = 12
WINDOW = 16
# Tokens that must match to take the source up again: where at most one of its tokens was left out,
# and otherwise.
NEAR, FAR = 1, 4
UNPROVEN, PROVEN = Evidence("edit", 0), Evidence("proven edit", 0)


class Continuation(NamedTuple):
    """What the source says next, its known edits made; `match` is (start, length) in the text.

    `copied` are the runs (start, length) of the text it is made of; start -1 for an edit's tokens.
    """

    tokens: tuple[int, ...]
    match: tuple[int, int]
    evidence: tuple[Evidence, ...]
    copied: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Following:
    """The source goes on at `source`; the last `run` tokens were as expected.

    `num_same` of those are the source's own, edits not counted. Inside an edit, `rest` of its new
    text comes first; it began at `edit_start` in source and text. `lesson` is the edit that led
    here, until enough tokens confirm it.
    """

    source: int
    run: int
    num_same: int
    rest: tuple[int, ...] = ()
    edit_start: tuple[int, int] = (0, 0)
    lesson: Edit | None = None


@dataclass(frozen=True, slots=True)
class _Gap:
    """The reply left the source at `source` with its own token number `text`."""

    source: int
    text: int


class Trail:
    """Follows the source of a reply; tokens go into the index of its text through here."""

    def __init__(self, index: SuffixIndex) -> None:
        self._index = index
        self._edits = EditMemory()
        self._following: _Following | None = None
        self._gap: _Gap | None = None
        self._sighting: tuple[int, int] | None = None

    def append(self, token: int) -> None:
        """Take in the text's next token."""
        index = self._index
        if self._following is not None and not self._is_as_expected(self._following, token):
            self._part(self._following)
        index.append(token)
        self._sighting = None
        if self._gap is not None:
            self._search(self._gap)
        matched = index.match_length
        if self._following is None and self._gap is None and matched >= WORTH_FOLLOWING:
            self._following = _Following(index.source, matched, matched)

    def continuation(self, max_length: int) -> Continuation | None:
        """The next tokens of the source, None where there is none to follow."""
        here = self._following
        if here is not None:
            source, run, num_same, rest = here.source, here.run, here.num_same, here.rest
        elif self._sighting is not None:
            (source, run), rest = self._sighting, ()
            num_same = run
        else:
            return None
        match = (source - num_same, num_same)
        evidence = ladder("trail", run, max_length)
        tokens = (*rest, *self._index.tokens[source : source + max_length])[:max_length]
        if self._edits.touches(tokens[len(rest) :]):
            return self._edited(source, list(rest), match, list(evidence))
        runs = ((-1, len(rest)),) if rest else ()
        return Continuation(tokens, match, evidence, (*runs, (source, max_length)))

    def _edited(
        self, source: int, tokens: list[int], match: tuple[int, int], evidence: list[Evidence]
    ) -> Continuation:
        """`tokens` and what the source says then with every known edit made in it."""
        text, longest = self._index.tokens, len(evidence)
        runs = [(-1, len(tokens))] if tokens else []
        while len(tokens) < longest and source < len(text):
            edit = self._edits.find(text, source)
            if edit is None:
                tokens.append(text[source])
                _extend(runs, source, 1)
                source += 1
            else:
                evidence[len(tokens)] = PROVEN if edit.is_proven else UNPROVEN
                tokens.extend(edit.new)
                runs.append((-1, len(edit.new)))
                source += len(edit.old)
        return Continuation(tuple(tokens[:longest]), match, tuple(evidence), tuple(runs))

    def _is_as_expected(self, here: _Following, token: int) -> bool:
        """Move on along the source if `token` is what it, or an edit of it, says."""
        text = self._index.tokens
        if here.rest:
            if here.rest[0] != token:
                return False
            here.rest = here.rest[1:]
        else:
            edit = self._edits.find(text, here.source)
            if text[here.source] == token:
                if edit is not None:
                    self._edits.was_wrong(edit)
                here.source += 1
                here.num_same += 1
            elif edit is not None and edit.new[0] == token:
                self._edits.came_true(edit)
                here.edit_start = here.source, len(text)
                here.rest = edit.new[1:]
                here.source += len(edit.old)
                here.num_same = 0
            else:
                return False
        here.run += 1
        self._confirm(here)
        return True

    def _part(self, here: _Following) -> None:
        """The reply has left the source."""
        self._following = None
        if here.run >= WORTH_FOLLOWING:
            start = here.edit_start if here.rest else (here.source, len(self._index.tokens))
            self._gap = _Gap(*start)

    def _search(self, gap: _Gap) -> None:
        """Look for the reply's last tokens in the window behind a gap, and take it from there."""
        index = self._index
        length = len(index.tokens) - gap.text
        matched = index.match_length
        if length > LONGEST_GAP or (matched >= ELSEWHERE and matched > length):
            self._gap = None
            return
        found = _longest_match(index.tokens, gap, length)
        if found is None:
            return
        source, run = found
        num_left_out = source - run - gap.source
        if run < (NEAR if num_left_out <= 1 else FAR):
            self._sighting = found
            return
        lesson = self._lesson(gap, source - run, run)
        self._following = _Following(source, run, run, lesson=lesson)
        self._gap = None
        self._confirm(self._following)

    def _lesson(self, gap: _Gap, source: int, run: int) -> Edit:
        """The edit from a gap to `source`, where the last `run` tokens match again.

        What was only put in or only left out takes the token behind it along.
        """
        text = self._index.tokens
        end = len(text) - run
        along = int(source == gap.source or end == gap.text)
        old = tuple(text[gap.source : source + along])
        new = tuple(text[gap.text : end + along])
        return Edit(old, new)

    def _confirm(self, here: _Following) -> None:
        if here.lesson is not None and here.run >= WORTH_FOLLOWING:
            self._edits.learn(here.lesson)
            here.lesson = None


def _longest_match(text: Sequence[int], gap: _Gap, longest: int) -> tuple[int, int] | None:
    """Where in the window the text's last tokens are, as (index behind them, how many match)."""
    found, best = None, 0
    for place in range(gap.source, min(gap.source + WINDOW, gap.text)):
        run = 0
        while run < longest and run <= place - gap.source and text[place - run] == text[-1 - run]:
            run += 1
        if run > best:
            found, best = (place + 1, run), run
    return found


def _extend(runs: list[tuple[int, int]], start: int, length: int) -> None:
    """Add a run, as part of the last one where it goes on from there."""
    if runs and runs[-1][0] >= 0 and sum(runs[-1]) == start:
        runs[-1] = (runs[-1][0], runs[-1][1] + length)
    else:
        runs.append((start, length))
