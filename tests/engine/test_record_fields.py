"""What a record says besides counts: where a draft was copied from, what was cut, how ids read."""

import pytest

from engine.request import SpeculationParams
from tests.fakes.loaded import stand_in
from tests.fakes.replies import Run, run
from tests.fakes.tiny_configs import VOCABULARY
from tests.fakes.tiny_models import make_tiny

PROMPT = [5, 17, 3, 42, 8, 23, 11, 5, 17, 3, 42, 9, 23, 11, 5, 17, 3]


@pytest.fixture(scope="module")
def model():
    return stand_in(make_tiny("llama"), VOCABULARY)


def copies(reply: Run) -> int:
    """Checks every draft against the places it names; how many tokens were checked."""
    context, num_checked = list(reply.started.prompt_ids), 0
    for step in reply.steps:
        proposed = (*step.draft, *step.cut)
        named = [
            (start + n if start >= 0 else None) for start, size in step.copied for n in range(size)
        ]
        assert len(named) == len(proposed)
        for place, token in zip(named, proposed, strict=True):
            if place is not None:
                assert place < len(context)
                assert context[place] == token
                num_checked += 1
        context.extend(step.emitted)
    return num_checked


@pytest.mark.tiny_model
@pytest.mark.parametrize("drafter", ["lookup", "suffix", "auto"])
def test_a_draft_is_what_stands_where_it_says_it_was_copied_from(model, drafter) -> None:
    params = SpeculationParams(drafter=drafter, draft_length=6)
    assert copies(run(model, PROMPT, params, max_tokens=120)) > 20


@pytest.mark.tiny_model
def test_what_the_filter_cut_is_named(model) -> None:
    plain = run(model, PROMPT, SpeculationParams(draft_length=6), max_tokens=60)
    drafted = [token for step in plain.steps for token in step.draft]
    often = max(set(drafted), key=drafted.count)
    params = SpeculationParams(draft_length=6, extra_excluded=(often,))
    reply = run(model, PROMPT, params, max_tokens=60)
    assert reply.ids == plain.ids
    cut = [step for step in reply.steps if step.cut]
    assert cut
    for step in reply.steps:
        assert step.excluded == len(step.cut)
        assert often not in step.draft
    assert all(step.cut[0] == often for step in cut)


@pytest.mark.tiny_model
def test_every_id_is_given_its_word_once_and_before_it_is_needed(model) -> None:
    reply = run(model, PROMPT, SpeculationParams(draft_length=6), max_tokens=60)
    told = [token for token, _ in reply.started.words]
    for step in reply.steps:
        told += [token for token, _ in step.words]
        assert {*step.draft, *step.cut, *step.emitted} <= set(told)
    assert len(told) == len(set(told))


@pytest.mark.tiny_model
def test_the_prompt_is_laid_out_and_the_phases_do_not_overlap(model) -> None:
    reply = run(model, PROMPT, SpeculationParams(draft_length=6), max_tokens=60)
    started = reply.started
    assert started.prompt_text == model.tokenizer.decode(PROMPT)
    assert started.prompt_ends[-1] == len(started.prompt_text)
    before = 0.0
    for step in reply.steps:
        seconds = step.seconds
        own = seconds.draft + seconds.verify + seconds.rollback + seconds.emit
        assert own <= step.time - before
        before = step.time
