"""Prompt lookup against its definition: longest n-gram, most recent earlier occurrence."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.speculation.draft import NO_DRAFT, Draft
from engine.speculation.prompt_lookup import PromptLookupDrafter


def places(draft: Draft) -> list[int]:
    """Where in the text each token was copied from."""
    return [start + n for start, size in draft.copied for n in range(size)]


def by_definition(tokens: list[int], sizes: range, max_length: int) -> Draft:
    """A scan, as the method is told: slow and obvious."""
    for size in sizes:
        if size > len(tokens):
            continue
        suffix = tokens[len(tokens) - size :]
        for start in range(len(tokens) - size - 1, -1, -1):
            if tokens[start : start + size] == suffix:
                virtual = list(tokens)
                for i in range(max_length):
                    virtual.append(virtual[start + size + i])
                return Draft(tuple(virtual[len(tokens) :]), (start, size), drafter="lookup")
    return NO_DRAFT


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=12),
    st.integers(1, 9),
    st.integers(1, 2),
    st.integers(0, 3),
)
def test_incremental_index_is_the_definition(
    blocks: list[list[int]], max_length: int, smallest: int, more: int
) -> None:
    drafter = PromptLookupDrafter(smallest + more, smallest)
    tokens: list[int] = []
    for block in blocks:
        drafter.extend(block)
        tokens.extend(block)
        sizes = range(smallest + more, smallest - 1, -1)
        draft = drafter.propose(max_length)
        assert replace(draft, copied=()) == by_definition(tokens, sizes, max_length)
        assert [tokens[place] for place in places(draft)] == list(draft.tokens)


def test_a_short_period_runs_on_into_itself() -> None:
    drafter = PromptLookupDrafter(4, 2)
    drafter.extend([1, 2, 1, 2])
    assert drafter.propose(5).tokens == (1, 2, 1, 2, 1)


def test_nothing_asked_nothing_proposed() -> None:
    drafter = PromptLookupDrafter()
    drafter.extend([1, 2, 3, 1, 2])
    assert drafter.propose(0) is NO_DRAFT


def test_excluded_tokens_cut_the_draft() -> None:
    draft = Draft((5, 6, 7, 8), (0, 2))
    assert draft.cut_at(frozenset({7})) == Draft((5, 6), (0, 2), (7, 8))
    assert draft.cut_at(frozenset({7})).excluded == 2
    assert draft.cut_at(frozenset({1})) is draft
