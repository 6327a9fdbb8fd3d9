"""The account of proposals: settled by the tokens that came, verified or not."""

from hypothesis import given
from hypothesis import strategies as st

from engine.speculation.acceptance import PRIORS, AcceptanceTable, Account, Evidence, ladder

kinds = st.sampled_from(sorted(PRIORS))


@given(kinds, st.integers(0, 60), st.lists(st.booleans(), max_size=40))
def test_chances_are_probabilities_and_follow_what_happens(
    kind: str, support: int, outcomes: list[bool]
) -> None:
    table = AcceptanceTable()
    (evidence,) = ladder(kind, support, 1)  # type: ignore[arg-type]
    for is_right in outcomes:
        (before,) = table.chances([evidence])
        table.observe(evidence, is_right=is_right)
        (after,) = table.chances([evidence])
        assert 0.0 < after < 1.0
        if len(set(outcomes)) == 1:
            assert (after >= before) == is_right


@given(kinds, st.integers(0, 60), st.integers(0, 40))
def test_support_grows_along_a_draft(kind: str, support: int, num_tokens: int) -> None:
    evidence = ladder(kind, support, num_tokens)  # type: ignore[arg-type]
    assert len(evidence) == num_tokens
    assert evidence == tuple(ladder(kind, support + i, 1)[0] for i in range(num_tokens))  # type: ignore[arg-type]
    levels = [each.level for each in evidence]
    assert levels == sorted(levels)


def test_a_longer_match_is_likelier_from_the_start() -> None:
    table = AcceptanceTable()
    chances = table.chances([Evidence("match", level) for level in range(10)])
    assert list(chances) == sorted(chances)
    (ambiguous,) = table.chances(ladder("ambiguous", 4, 1))
    assert ambiguous < chances[4]


def test_proposals_are_settled_up_to_the_first_wrong_token() -> None:
    account = Account()
    evidence = ladder("match", 1, 3)
    before = account.chances((1, 2, 3), evidence)
    account.settle([1, 9, 3])
    after = account.chances((1, 2, 3), evidence)
    assert after[0] > before[0]
    assert after[1] < before[1]
    assert after[2] == before[2]


def test_tokens_not_reached_are_not_judged() -> None:
    account = Account()
    evidence = ladder("match", 1, 3)
    before = account.chances((1, 2, 3), evidence)
    account.settle([1])
    after = account.chances((1, 2, 3), evidence)
    assert after[0] > before[0]
    assert after[1:] == before[1:]


def test_a_proposal_is_settled_once_and_competing_ones_each() -> None:
    account = Account()
    right, wrong = ladder("trail", 4, 1), ladder("ambiguous", 4, 1)
    first = (*account.chances((1,), right), *account.chances((2,), wrong))
    account.settle([1])
    second = (*account.chances((1,), right), *account.chances((2,), wrong))
    assert second[0] > first[0]
    assert second[1] < first[1]
    account.settle([])
    account.settle([1])
    assert (*account.chances((1,), right), *account.chances((2,), wrong)) == second
