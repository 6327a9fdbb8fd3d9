"""Whichever drafter guesses better in this reply. Pure Python."""

from collections.abc import Sequence
from dataclasses import replace

from engine.speculation.acceptance import Account, ladder
from engine.speculation.draft import NO_DRAFT, Draft, Drafter, through_stop


class AutoDrafter:
    """Asks all its drafters, and takes the proposal with the most tokens likely to come true.

    A drafter that rates its own proposals is believed; of one that does not, an account is kept of
    which came true, by length of the match, and apart where they disagree with those of drafters
    named before. Drafts end at a stop token.
    """

    def __init__(self, drafters: Sequence[Drafter], stop_ids: frozenset[int] = frozenset()) -> None:
        self._drafters = drafters
        self._stop_ids = stop_ids
        self._account = Account()

    def extend(self, tokens: Sequence[int]) -> None:
        """Learn the next tokens of the context, and how the last proposals did."""
        self._account.settle(tokens)
        for drafter in self._drafters:
            drafter.extend(tokens)

    def propose(self, max_length: int) -> Draft:
        """The most promising proposal; of those that agree, that of the drafter named first."""
        best = NO_DRAFT
        for drafter in self._drafters:
            draft = drafter.propose(max_length)
            if not draft.tokens or _agree(draft.tokens, best.tokens):
                continue
            rated = draft if draft.chances else self._rated(draft, best)
            if rated.promise > best.promise:
                best = rated
        return best

    def _rated(self, draft: Draft, best: Draft) -> Draft:
        tokens = through_stop(draft.tokens, self._stop_ids)
        evidence = ladder("dissent" if best.tokens else "match", draft.match_length, len(tokens))
        return replace(draft, tokens=tokens, chances=self._account.chances(tokens, evidence))


def _agree(some: tuple[int, ...], others: tuple[int, ...]) -> bool:
    """Whether two proposals are the same as far as both go."""
    shared = min(len(some), len(others))
    return shared > 0 and some[:shared] == others[:shared]
