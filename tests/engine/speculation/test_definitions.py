"""Whatever happens, ids, origins, counters and caches agree with the definitions.

Hypothesis writes the script: how much of each draft is right, what is excluded, where the reply
stops or is cancelled. The model is a checksum of its caches, so a wrong rollback changes the ids.
"""

from hypothesis import given
from hypothesis import strategies as st

from engine.request import RollbackName, SpeculationParams
from engine.speculation.stats import Tally
from engine.step_record import StepRecord
from tests.fakes.counting_model import VOCABULARY, counting_loaded
from tests.fakes.replies import Run, next_logits, run, sequential_logits
from tests.fakes.scripted_drafter import ScriptedDrafter

ROLLBACKS: tuple[RollbackName, ...] = ("trim", "discard", "replay", "carry")


def check_step(step: StepRecord, text: list[int]) -> None:
    """One record against the text before it."""
    assert step.position == len(text)
    assert list(step.pending) == text[len(text) - len(step.pending) :]
    assert len(step.origins) == len(step.emitted) >= 1
    assert step.emitted[: step.accepted] == step.draft[: step.accepted]
    drafts_kept = [origin for origin in step.origins if origin in ("accepted", "replayed")]
    assert len(drafts_kept) == step.accepted
    is_partial = 0 < step.accepted < len(step.draft)
    rebuilds = step.rollback in ("replay", "carry", "local")
    assert ("replayed" in step.origins) == (is_partial and rebuilds)
    assert (step.rollback is None) == (step.accepted == len(step.draft))
    expected = len(step.pending) + step.accepted if is_partial and rebuilds else 0
    assert step.num_replayed == expected
    assert step.forwards == 1 + (step.rollback == "replay" and is_partial)
    if step.rollback == "discard":
        assert (step.accepted, len(step.emitted)) == (0, 1)
        assert (step.dropped > 0) == (step.origins == ("generated",))


def check_reply(reply: Run, rollback: RollbackName) -> None:
    text = list(reply.started.prompt_ids)
    tally = Tally(len(text), 0, reply.started.prefill_seconds)
    for index, step in enumerate(reply.steps):
        assert step.index == index
        check_step(step, text)
        text.extend(step.emitted)
        tally.add(step)
    stats = reply.finished.stats
    assert tally.snapshot() == stats
    assert stats.emitted == len(reply.ids)
    assert stats.emitted == stats.generated + stats.accepted + stats.corrected + stats.bonus
    assert stats.replayed <= stats.accepted <= stats.verified
    assert stats.verified == stats.drafted - stats.excluded
    assert sum(stats.histogram.values()) == sum(bool(step.draft) for step in reply.steps)
    if rollback != "replay":
        assert stats.forwards <= stats.emitted
    assert reply.context.tokens == text
    assert reply.context.caches.length <= len(text)
    spans = [s for step in reply.steps for s in step.spans] + list(reply.finished.tail)
    assert sum(span.num_tokens for span in spans) == stats.emitted


@given(
    script=st.lists(st.integers(-1, 6), min_size=1, max_size=12),
    rollback=st.sampled_from(ROLLBACKS),
    recurrent=st.booleans(),
    length=st.integers(1, 6),
    max_tokens=st.integers(1, 40),
    stop_id=st.none() | st.integers(0, VOCABULARY - 1),
    excluded=st.frozensets(st.integers(0, VOCABULARY - 1), max_size=3),
    cancel_after=st.none() | st.integers(0, 20),
    stop_index=st.none() | st.integers(0, 30),
    prompt=st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=20),
)
def test_any_script(
    script: list[int],
    rollback: RollbackName,
    recurrent: bool,
    length: int,
    max_tokens: int,
    stop_id: int | None,
    excluded: frozenset[int],
    cancel_after: int | None,
    stop_index: int | None,
    prompt: list[int],
) -> None:
    stop_ids = frozenset() if stop_id is None else frozenset({stop_id})
    model = counting_loaded(recurrent=recurrent, stop_ids=stop_ids, excluded_ids=excluded)
    unstopped = run(model, prompt, max_tokens=max_tokens)
    stops: tuple[str, ...] = ()
    if stop_index is not None and len(unstopped.text) > stop_index + 2:
        stops = (unstopped.text[stop_index : stop_index + 2],)
    truth = run(model, prompt, max_tokens=max_tokens, stop=stops)

    checks = iter(range(1000))

    def is_cancelled() -> bool:
        return cancel_after is not None and next(checks) >= cancel_after

    drafter = ScriptedDrafter(unstopped.ids, len(prompt), script, VOCABULARY)
    params = SpeculationParams(draft_length=length, rollback=rollback)
    reply = run(
        model,
        prompt,
        params,
        drafter=drafter,
        max_tokens=max_tokens,
        stop=stops,
        is_cancelled=is_cancelled,
    )
    check_reply(truth, "trim")
    check_reply(reply, rollback)
    if reply.finished.reason == "cancelled":
        assert reply.ids == truth.ids[: len(reply.ids)]
    else:
        assert reply.ids == truth.ids
        assert reply.text == truth.text
        assert reply.finished.reason == truth.finished.reason
    assert not any(token in excluded for step in reply.steps for token in step.draft)
    if reply.context.pending:
        expected = sequential_logits(model, reply.context.tokens)
        assert (next_logits(model, reply.context) == expected).all()
