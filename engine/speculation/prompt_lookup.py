"""Prompt lookup: the text after the last earlier occurrence of the current n-gram is the draft.

An index from n-gram to the place after its most recent occurrence grows with the context, amortised
O(1) a token, and is never scanned. It keeps the n-gram's hash alone, which takes a third less
memory, and what it finds is compared with the text. An n-gram enters it only once a token follows,
so the lookup of the current suffix cannot find itself. Method: prompt lookup decoding (Saxena
2023). Pure Python.
"""

from collections.abc import Sequence

from engine.speculation.draft import NO_DRAFT, Draft, wrapped


class PromptLookupDrafter:
    """Longest n-gram first (`ngram_max` down to `ngram_min`), most recent occurrence."""

    def __init__(self, ngram_max: int = 4, ngram_min: int = 2) -> None:
        self._sizes = range(ngram_max, ngram_min - 1, -1)
        self._tokens: list[int] = []
        self._index: dict[int, int] = {}

    def extend(self, tokens: Sequence[int]) -> None:
        """Learn the next tokens of the context."""
        known = self._tokens
        index = self._index
        for token in tokens:
            end = len(known)
            for size in self._sizes:
                if size <= end:
                    index[hash(tuple(known[end - size :]))] = end
            known.append(token)

    def propose(self, max_length: int) -> Draft:
        """Up to `max_length` tokens copied from behind the match.

        Where the match lies closer to the end than that, the copy runs on into itself, so text of a
        short period still gets a full draft.
        """
        if max_length < 1:
            return NO_DRAFT
        known = self._tokens
        for size in self._sizes:
            if size > len(known):
                continue
            ngram = known[-size:]
            source = self._index.get(hash(tuple(ngram)))
            if source is not None and known[source - size : source] == ngram:
                copied = known[source : source + max_length]
                period = len(known) - source
                while len(copied) < max_length:
                    copied.append(copied[len(copied) - period])
                return Draft(
                    tuple(copied),
                    (source - size, size),
                    drafter="lookup",
                    copied=wrapped(source, len(known), len(copied)),
                )
        return NO_DRAFT
