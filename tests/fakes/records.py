"""Hypothesis strategies for runs that keep the definitions: steps, their start, their end."""

from hypothesis import strategies as st

from engine.account import EffectiveConfig, Health
from engine.events import Finished, Started
from engine.request import SamplingParams
from engine.speculation.stats import Tally
from engine.step_record import Origin, PhaseSeconds, StepRecord, TextSpan

ids = st.integers(0, 2**31)
seconds = st.floats(0, 100, allow_nan=False)
logprobs = st.floats(max_value=0.0, allow_nan=False)  # minus infinity included
texts = st.text(st.characters(), max_size=4)  # lone surrogates included
spans = st.builds(TextSpan, st.integers(0, 999), st.integers(1, 4), texts)

CONFIG = EffectiveConfig(
    model="demo",
    device="cpu",
    dtype="float32",
    enabled=True,
    reason="prompt lookup, carry rollback",
    drafter="lookup",
    draft_length=None,
    base_draft_length=2,
    ngram_max=4,
    ngram_min=2,
    rollback="carry",
    rollback_requested="auto",
    replay=True,
    exclude=True,
    excluded_ids=(1, 3),
    stop_ids=(0,),
    pacing=True,
    guard=False,
    guard_margin=0.0,
    min_acceptance=0.3,
    warmup_steps=20,
    probe_interval=200,
    pending_limit=16,
    sampling=SamplingParams(temperature=0.7, seed=5),
    max_tokens=None,
    stop=("\n\n", "\ud800"),
    context_limit=4096,
    kv_bits=None,
    prefill_chunk=512,
)


def _emitted_origins(draft_length: int, accepted: int, is_rebuilt: bool) -> list[Origin]:
    """Origins of a step that does not stop inside its draft."""
    if draft_length == 0:
        return ["generated"]
    kept: Origin = "replayed" if is_rebuilt and accepted < draft_length else "accepted"
    return [kept] * accepted + ["bonus" if accepted == draft_length else "corrected"]


@st.composite
def records(draw: st.DrawFn, index: int, time: float) -> StepRecord:
    """One step that keeps every definition."""
    draft = draw(st.lists(ids, max_size=6))
    accepted = draw(st.integers(0, len(draft)))
    rollback = draw(st.sampled_from(["trim", "replay", "carry"])) if accepted < len(draft) else None
    origins = _emitted_origins(len(draft), accepted, rollback in ("replay", "carry"))
    is_cut = bool(draft) and draw(st.booleans()) and accepted > 0
    origins = origins[:-1] if is_cut else origins
    count = len(origins)
    return StepRecord(
        index=index,
        position=draw(st.integers(1, 4000)),
        pending=tuple(draw(st.lists(ids, min_size=1, max_size=3))),
        draft=tuple(draft),
        excluded=draw(st.integers(0, 3)),
        match=draw(st.none() | st.tuples(st.integers(0, 999), st.integers(1, 8))),
        accepted=accepted,
        dropped=0,
        emitted=tuple(draw(st.lists(ids, min_size=count, max_size=count))),
        origins=tuple(origins),
        rollback=rollback,
        num_replayed=draw(st.integers(0, 8)),
        forwards=draw(st.integers(1, 2)),
        guarded=0,
        seconds=draw(st.builds(PhaseSeconds, seconds, seconds, seconds)),
        time=time,
        spans=tuple(draw(st.lists(spans, max_size=2))),
        logprobs=draw(st.none() | st.lists(logprobs, max_size=3).map(tuple)),
        alternatives=draw(
            st.none()
            | st.lists(st.lists(st.tuples(ids, logprobs)).map(tuple), max_size=2).map(tuple)
        ),
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[Started, tuple[StepRecord, ...], Finished]:
    """A whole run; its end holds what `Tally` counts of its steps."""
    times = sorted(draw(st.lists(seconds, max_size=6)))
    steps = tuple(draw(records(index, time)) for index, time in enumerate(times))
    prompt = tuple(draw(st.lists(ids, min_size=1, max_size=6)))
    prefill, job = draw(seconds), draw(st.integers(1, 99))
    tally = Tally(len(prompt), 0, prefill)
    for step in steps:
        tally.add(step)
    health: Health = tally.health(CONFIG)
    reason = draw(st.sampled_from(["eos", "max_tokens", "cancelled"]))
    tail = tuple(draw(st.lists(spans, max_size=1)))
    started = Started(job, draw(texts), CONFIG, prompt, 0, draw(st.integers(0, 2**63 - 1)), prefill)
    return started, steps, Finished(job, reason, tally.snapshot(), health, tail)
