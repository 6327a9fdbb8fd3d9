"""Where the end of a text occurred before: its longest such suffix, found as the text grows.

A suffix automaton (Blumer et al. 1985), built online in amortised O(1) a token. The state that the
newest state links to is the longest suffix with an earlier occurrence, so no search is needed.
Most states have one way on and keep it in two flat arrays; only where the text has branched is
there a dictionary. Pure Python.
"""

from array import array
from collections.abc import Sequence

NONE = -1
# How many shorter suffixes hear of a new occurrence: all of them could be thousands.
FRESH_SUFFIXES = 6


class SuffixIndex:
    """The tokens of a text and the longest suffix of them that occurred before."""

    def __init__(self) -> None:
        self.tokens = array("i")
        # By state: length of its longest string, suffix link, and where it occurred last (the
        # index of that occurrence's last token).
        self._length = array("i", [0])
        self._link = array("i", [NONE])
        self._end = array("i", [NONE])
        # The first way on from a state, and any further ones.
        self._token = array("i", [NONE])
        self._next = array("i", [NONE])
        self._branches: dict[int, dict[int, int]] = {}
        self._newest = 0
        self._matched = 0
        self._source = 0

    @property
    def match_length(self) -> int:
        """How many tokens at the end of the text occurred before, as one piece."""
        return self._length[self._matched]

    @property
    def source(self) -> int:
        """The index of the token that followed the last known such occurrence."""
        return self._source

    @property
    def is_ambiguous(self) -> bool:
        """Whether that piece has been followed by different tokens."""
        return self._matched in self._branches

    def extend(self, tokens: Sequence[int]) -> None:
        """Append to the text."""
        for token in tokens:
            self.append(token)

    def append(self, token: int) -> None:
        """Append one token to the text."""
        end = len(self.tokens)
        self.tokens.append(token)
        newest = self._new_state(self._length[self._newest] + 1, 0, end)
        state, target = self._lead_on(token, newest)
        if target != NONE:
            self._link[newest] = self._exact(state, token, target)
        self._newest = newest
        self._matched = matched = self._link[newest]
        self._source = self._end[matched] + 1
        for _ in range(FRESH_SUFFIXES):
            if matched == 0:
                break
            self._end[matched] = end
            matched = self._link[matched]

    def _new_state(self, length: int, link: int, end: int) -> int:
        self._length.append(length)
        self._link.append(link)
        self._end.append(end)
        self._token.append(NONE)
        self._next.append(NONE)
        return len(self._length) - 1

    def _lead_on(self, token: int, newest: int) -> tuple[int, int]:
        """Let every suffix that had no way on by `token` lead to `newest`.

        The first suffix that had one, and where it leads; NONE, NONE where none had.
        """
        first, following, link, branches = self._token, self._next, self._link, self._branches
        state = self._newest
        while state != NONE:
            if first[state] == token:
                return state, following[state]
            if first[state] == NONE:
                first[state], following[state] = token, newest
            elif (more := branches.get(state)) is None:
                branches[state] = {token: newest}
            elif (target := more.setdefault(token, newest)) != newest:
                return state, target
            state = link[state]
        return NONE, NONE

    def _exact(self, state: int, token: int, target: int) -> int:
        """The state of exactly the string of `state` and `token`, split off `target` if need be."""
        length = self._length[state] + 1
        if self._length[target] == length:
            return target
        split = self._new_state(length, self._link[target], self._end[target])
        self._token[split], self._next[split] = self._token[target], self._next[target]
        if target in self._branches:
            self._branches[split] = self._branches[target].copy()
        self._link[target] = split
        while state != NONE and self._redirect(state, token, target, split):
            state = self._link[state]
        return split

    def _redirect(self, state: int, token: int, old: int, new: int) -> bool:
        """Let `state` lead to `new` instead of `old`; False where it did not lead there."""
        if self._token[state] == token:
            if self._next[state] != old:
                return False
            self._next[state] = new
            return True
        more = self._branches.get(state)
        if more is None or more.get(token) != old:
            return False
        more[token] = new
        return True
