"""What became of each drafted token, against the ids of every trace and of made-up steps."""

from dataclasses import replace

import pytest

from app.models.step_facts import step_facts
from tests.app.inspector.traced import NAMES, raw_of, reply_of
from tests.fakes.scripted_worker import steps_of, tokens_of

BLOCK = steps_of(tokens_of("one two three four five six seven"))[1]


def expected_fates(step):
    """By comparing ids, not by the counts of the record."""
    draft, emitted, fates = step["draft"], step["emitted"], []
    if step["dropped"]:
        fates = ["dropped"] * step["dropped"]
    else:
        for drafted, token, origin in zip(draft, emitted, step["origins"], strict=False):
            if drafted != token:
                break
            fates.append(origin)
    if len(fates) < len(draft):
        is_answered = step["dropped"] or len(emitted) > len(fates)
        fates.append("rejected" if is_answered else "unreached")
        rest = "behind" if is_answered else "unreached"
        fates += [rest] * (len(draft) - len(fates))
    # The filter looked at one token; those behind it went with it.
    return fates + ["excluded"] * bool(step["excluded"]) + ["behind"] * (step["excluded"] - 1)


@pytest.mark.parametrize("name", NAMES)
def test_fates_agree_with_the_ids(name):
    for record, step in zip(reply_of(name).log, raw_of(name).steps, strict=True):
        facts = step_facts(record)
        assert [token.fate for token in facts.draft] == expected_fates(step)
        assert [token.token for token in facts.draft] == step["draft"] + step["cut"]
        kept = [t.token for t in facts.draft if t.fate in ("accepted", "replayed")]
        assert kept + [token for token, _ in facts.own] == step["emitted"]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_chosen_instead_is_the_corrected_token(name):
    for record, step in zip(reply_of(name).log, raw_of(name).steps, strict=True):
        rejected = step_facts(record).first_rejected
        corrected = [
            token
            for token, origin in zip(step["emitted"], step["origins"], strict=True)
            if origin == "corrected"
        ]
        if rejected is not None and not step["dropped"]:
            assert [rejected.instead] == corrected
            assert rejected.token != rejected.instead


def test_the_traces_have_every_fate_a_real_run_can_show():
    seen = {
        t.fate for name in NAMES for record in reply_of(name).log for t in step_facts(record).draft
    }
    assert seen >= {
        "accepted",
        "replayed",
        "dropped",
        "rejected",
        "behind",
        "unreached",
        "excluded",
    }


def test_a_near_tie_at_the_first_token_is_beside_what_was_decided_alone():
    record = replace(BLOCK, accepted=0, guarded=1, emitted=(9,), origins=("generated",))
    facts = step_facts(record)
    assert (facts.draft[0].fate, facts.draft[0].instead) == ("undecided", 9)
    assert [token.fate for token in facts.draft[1:]] == ["behind"] * 4
    assert facts.summary == "1 generated, 1 near a tie, 4 behind it"


def test_a_near_tie_behind_accepted_tokens_is_left_to_the_next_step():
    record = replace(
        BLOCK, accepted=2, guarded=1, emitted=BLOCK.draft[:2], origins=("accepted",) * 2
    )
    facts = step_facts(record)
    assert [t.fate for t in facts.draft] == ["accepted"] * 2 + ["undecided"] + ["behind"] * 2
    assert facts.draft[2].instead is None
    assert facts.own == ()


def test_the_summary_names_kinds_in_their_order():
    record = replace(
        BLOCK, accepted=3, emitted=(0, 1, 2, 9), origins=("replayed",) * 3 + ("corrected",)
    )
    assert step_facts(record).summary == "3 replayed, 1 corrected, 1 rejected, 1 behind it"
