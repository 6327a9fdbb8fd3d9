"""Auto takes the proposal that is more likely to come true, by what this reply has shown."""

from collections.abc import Sequence

from engine.speculation.auto import AutoDrafter
from engine.speculation.draft import NO_DRAFT, Draft
from engine.speculation.prompt_lookup import PromptLookupDrafter
from engine.speculation.suffix import SuffixDrafter


class Fixed:
    """Proposes the same tokens behind a match of the same length, again and again."""

    def __init__(self, tokens: tuple[int, ...], chances: tuple[float, ...] = ()) -> None:
        self._draft = Draft(tokens, (0, 3), drafter="lookup", chances=chances)
        self.seen: list[int] = []

    def extend(self, tokens: Sequence[int]) -> None:
        self.seen.extend(tokens)

    def propose(self, max_length: int) -> Draft:
        return self._draft if max_length else NO_DRAFT


def test_the_drafter_that_came_true_is_taken() -> None:
    wrong, right = Fixed((1, 2, 3)), Fixed((4, 5, 6))
    auto = AutoDrafter((wrong, right))
    assert auto.propose(3).tokens == (1, 2, 3)
    for _ in range(6):
        auto.extend([4, 5, 6])
        auto.propose(3)
    assert auto.propose(3).tokens == (4, 5, 6)
    assert wrong.seen == right.seen == [4, 5, 6] * 6


def test_it_changes_its_mind_when_the_other_is_right() -> None:
    auto = AutoDrafter((Fixed((1, 2, 3)), Fixed((4, 5, 6))))
    for emitted, expected in ((4, (4, 5, 6)), (1, (1, 2, 3))):
        for _ in range(12):
            auto.propose(3)
            auto.extend([emitted, emitted + 1, emitted + 2])
        assert auto.propose(3).tokens == expected


def test_a_drafter_that_rates_itself_is_believed() -> None:
    auto = AutoDrafter((Fixed((1, 2, 3)), Fixed((4, 5, 6), (0.99, 0.99, 0.99))))
    draft = auto.propose(3)
    assert (draft.tokens, draft.chances) == ((4, 5, 6), (0.99, 0.99, 0.99))


def test_of_equal_proposals_the_first_named_counts() -> None:
    auto = AutoDrafter((Fixed((1, 2), (0.5, 0.5)), Fixed((1, 2), (0.9, 0.9))))
    assert auto.propose(2).chances == (0.5, 0.5)


def test_every_draft_carries_its_chances() -> None:
    auto = AutoDrafter((PromptLookupDrafter(),), frozenset({7}))
    auto.extend([1, 2, 3, 4, 7, 5, 1, 2])
    draft = auto.propose(8)
    assert draft.tokens == (3, 4, 7)
    assert len(draft.chances) == 3
    assert auto.propose(0) is NO_DRAFT


def test_lookup_and_suffix_agree_on_a_plain_copy() -> None:
    auto = AutoDrafter((SuffixDrafter(), PromptLookupDrafter()))
    auto.extend([*range(10), 50, *range(5)])
    draft = auto.propose(5)
    assert (draft.tokens, draft.match, draft.drafter) == ((5, 6, 7, 8, 9), (0, 5), "suffix")


def test_a_recent_short_match_can_win_over_an_old_long_one() -> None:
    """The longest match keeps misleading; the most recent n-gram is right."""
    auto = AutoDrafter((SuffixDrafter(), PromptLookupDrafter(2, 2)))
    auto.extend([9, 8, 1, 2, 3, 1, 2])
    for turn in range(12):
        auto.propose(2)
        auto.extend([4, 20 + turn, 9, 8, 1, 2])
    assert auto.propose(2).tokens[0] == 4
