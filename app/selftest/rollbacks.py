"""Checks of the engine: the demo model loads, and every way of going back gives the same tokens."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.selftest.check import Check, CheckError
from app.selftest.reply import Reply, Talk
from engine import DEMO, GenerationRequest, Message, ModelInfo, RollbackName, SpeculationParams

# Short, and with drafts that are accepted whole, in part, and not at all.
_PROMPT = (
    "Replace every cat by dog in this text and write all of it again.\n\n"
    "The small cat sat on the warm mat by the red door. "
    "The small cat sat on the warm mat by the blue door."
)
_NUM_TOKENS = 24
_PLAIN = SpeculationParams(enabled=False)
_DRAFTING = SpeculationParams(drafter="lookup", draft_length=4, ngram_min=1, guard=True)


def engine_checks(talk: Talk, trace: Path) -> Iterator[Check]:
    """The checks, each as it is done; the trace of one reply is written to `trace`."""
    name = "engine"
    try:
        info = talk.load(DEMO)
        yield Check(True, name, f"the demo model computes on {info.device} in {info.dtype}")
        name = "plain"
        plain = talk.reply(_request(_PLAIN))
        yield Check(
            True, name, f"{len(plain.ids)} tokens, {plain.finished.stats.forwards} forwards"
        )
    except CheckError as error:
        yield Check(False, name, str(error))
        return
    for rollback in _rollbacks(info):
        yield _rollback_check(talk, plain, rollback, trace)


def _request(speculation: SpeculationParams) -> GenerationRequest:
    # A number of alternatives asks for the lead of every draw.
    return GenerationRequest(
        messages=(Message("user", _PROMPT),),
        speculation=speculation,
        max_tokens=_NUM_TOKENS,
        num_alternatives=1,
    )


def _rollbacks(info: ModelInfo) -> list[RollbackName]:
    """The ways that this model's caches can go back."""
    ways: list[RollbackName] = ["carry", "replay", "discard"]
    if info.local_refusal is None and info.is_recurrent:
        ways.append("local")
    if not info.is_recurrent:
        ways.append("trim")
    return ways


def _rollback_check(talk: Talk, plain: Reply, way: RollbackName, trace: Path) -> Check:
    name = f"rollback {way}"
    try:
        return Check(True, name, _rollback(talk, plain, way, trace))
    except CheckError as error:
        return Check(False, name, str(error))


def _rollback(talk: Talk, plain: Reply, way: RollbackName, trace: Path) -> str:
    """Decode with drafts and compare; `CheckError` where it is not as it should be."""
    request = _request(replace(_DRAFTING, rollback=way))
    reply = talk.reply(request, trace if way == "carry" else None)
    ran = reply.started.config.rollback
    if ran != way:
        raise CheckError(f"{ran or 'none'} ran in its place ({reply.started.config.reason})")
    sameness = compare(plain, reply)
    _require_drafts(reply, way)
    return f"{len(reply.ids)} tokens, {reply.finished.stats.forwards} forwards, {sameness}"


def _require_drafts(reply: Reply, way: RollbackName) -> None:
    """A check in which nothing was drafted, accepted and undone would have shown nothing."""
    stats, replays = reply.finished.stats, reply.finished.health.pld_ssm_replay
    undone = {"discard": stats.dropped, "trim": stats.drafted - stats.accepted}
    for number, what in (
        (stats.drafted, "drafted"),
        (stats.accepted, "accepted"),
        (undone.get(way, replays.attempts), "undone"),
    ):
        if number <= 0:
            raise CheckError(f"nothing was {what}")
    if replays.failures:
        raise CheckError(f"{replays.failures} of {replays.attempts} states could not be rebuilt")


def compare(plain: Reply, reply: Reply) -> str:
    """How the same two replies are; `CheckError` where rounding does not explain a difference."""
    if plain.ids == reply.ids:
        return "same ids"
    pairs = zip(plain.ids, reply.ids, strict=False)
    place = next(
        (at for at, (one, other) in enumerate(pairs) if one != other),
        min(len(plain.ids), len(reply.ids)),
    )
    leads = plain.margins
    lead = leads[place] if place < len(leads) else float("inf")
    if lead > 2 * reply.started.config.guard_margin:
        raise CheckError(f"token {place + 1} is another than without drafts")
    return f"same ids up to a near-tie at token {place + 1}"
