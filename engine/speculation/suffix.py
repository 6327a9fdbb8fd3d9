"""Suffix drafts: what followed where the longest piece of the text's end occurred before.

Two proposals compete. The *match* copies from behind the last occurrence of the longest suffix that
has one; the longer it is, the longer the copy is likely to hold. The *trail* goes on from where the
reply was copying, through the edits it makes. Which is better is told by how such proposals did in
this reply. Pure Python.
"""

from collections.abc import Sequence

from engine.speculation.acceptance import Account, Evidence, ladder
from engine.speculation.draft import NO_DRAFT, Draft, through_stop, wrapped
from engine.speculation.suffix_index import SuffixIndex
from engine.speculation.trail import Trail

# A draft is at most so long, and so much longer for each token that matches.
SHORTEST, GROWTH = 8, 4


class SuffixDrafter:
    """Longest suffix match and the trail of the source; drafts end at a stop token.

    What comes before the first proposal is the prompt: it is copied from, but follows no trail.
    """

    def __init__(self, stop_ids: frozenset[int] = frozenset()) -> None:
        self._stop_ids = stop_ids
        self._index = SuffixIndex()
        self._trail = Trail(self._index)
        self._account = Account()
        self._is_replying = False

    def extend(self, tokens: Sequence[int]) -> None:
        """Learn the next tokens of the context, and how the last proposals did."""
        self._account.settle(tokens)
        append = self._trail.append if self._is_replying else self._index.append
        for token in tokens:
            append(token)

    def propose(self, max_length: int) -> Draft:
        """The more promising of match and trail, up to `max_length` tokens."""
        self._is_replying = True
        if max_length < 1:
            return NO_DRAFT
        trail = self._trail_on(max_length)
        if trail.match is not None and sum(trail.match) == self._index.source:
            # The same source, and the trail knows its edits.
            return trail
        match = self._match(max_length)
        return trail if trail.promise > match.promise else match

    def _match(self, max_length: int) -> Draft:
        index = self._index
        length, source = index.match_length, index.source
        if length == 0:
            return NO_DRAFT
        wanted = min(max_length, SHORTEST + GROWTH * length)
        copied = index.tokens[source : source + wanted].tolist()
        period = len(index.tokens) - source
        while len(copied) < wanted:
            copied.append(copied[len(copied) - period])
        evidence = ladder("match", length, wanted)
        if index.is_ambiguous:
            evidence = ladder("ambiguous", length, 1) + evidence[1:]
        runs = wrapped(source, len(index.tokens), wanted)
        return self._draft(tuple(copied), (source - length, length), evidence, runs)

    def _trail_on(self, max_length: int) -> Draft:
        found = self._trail.continuation(max_length)
        if found is None or not found.tokens:
            return NO_DRAFT
        return self._draft(*found)

    def _draft(
        self,
        tokens: tuple[int, ...],
        match: tuple[int, int],
        evidence: Sequence[Evidence],
        copied: tuple[tuple[int, int], ...],
    ) -> Draft:
        tokens = through_stop(tokens, self._stop_ids)
        chances = self._account.chances(tokens, evidence)
        return Draft(tokens, match, drafter="suffix", chances=chances, copied=copied)
