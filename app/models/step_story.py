"""A step told in plain words: why it drafted nothing, where a draft came from, what was expected.

Every line is computed from the reply's records, so that it holds for a trace read back, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from app.models.context_map import ContextMap
from app.models.reply import Reply
from app.models.sources import EDIT
from app.models.step_facts import StepFacts
from app.models.summary import percent
from app.models.token_facts import end_of, visible
from app.models.verdicts import band_at, counted
from engine import LengthChoice, StepRecord

_LONGEST_MATCH, _LONGEST_WORD = 48, 60


@dataclass(frozen=True, slots=True)
class Line:
    """A named fact of a step, and what the name means."""

    name: str
    text: str
    meaning: str


def word(reply: Reply, token: int) -> str:
    """An id as people read it, white space visible, cut where it is very long; its number
    where no text is known.
    """
    text = reply.words.get(token)
    if text is None:
        return f"#{token}"
    cut = text if len(text) <= _LONGEST_WORD else f"{text[:_LONGEST_WORD]}…"
    return visible(cut) or "∅"


def why_no_draft(reply: Reply, record: StepRecord) -> str:
    """Why a step verified no draft; empty where it did."""
    if record.draft:
        return ""
    if record.cut:
        return f"the first proposed token, “{word(reply, record.cut[0])}”, is excluded"
    config = reply.config
    if config is not None and not config.enabled:
        return f"speculation is off: {config.reason}"
    if record.choice is not None:
        return _declined(reply, record, record.choice)
    return _without_proposal(reply, record)


def outcome(reply: Reply, facts: StepFacts) -> str:
    """What became of the draft, in a sentence or two; empty where there was none."""
    if not facts.draft:
        return ""
    words = facts.summary[:1].upper() + facts.summary[1:] + "."
    first = facts.first_rejected
    if first is not None and first.instead is not None:
        chosen, drafted = word(reply, first.instead), word(reply, first.token)
        words += f" The model chose “{chosen}” where “{drafted}” was drafted."
    elif first is not None:
        words += " What the model chose there was thrown away with the rest."
    undecided = next((token for token in facts.draft if token.fate == "undecided"), None)
    if undecided is not None:
        words += f" “{word(reply, undecided.token)}” was too near a tie for a block to decide."
    return words


def lines(reply: Reply, record: StepRecord, context: ContextMap) -> list[Line]:
    """The facts of a step, those that say nothing left out. `context` is the reply's."""
    found = [*_places(reply, record), *_source(context, record), *_work(record)]
    if record.choice is not None:
        found += _expectation(record.choice)
    return found


def _without_proposal(reply: Reply, record: StepRecord) -> str:
    if record.index > 0:
        last = reply.log[record.index - 1]
        if last.guarded and last.accepted:
            return "a near-tie was left over, and a forward of one token had to decide it"
    if reply.run is not None and not (band := band_at(reply.run, record.index)).is_on:
        return f"standing down: {band.reason}"
    config = reply.config
    if config is None:
        return ""
    num_before = reply.log.first_token(record.index)
    if config.max_tokens is not None and num_before + 1 >= config.max_tokens:
        return "only one token was left to write"
    limit = config.pending_limit
    if config.pacing and limit is not None and len(record.pending) > limit:
        return f"{len(record.pending)} pending tokens, over the limit of {limit}, were run first"
    if config.pacing:
        return "nothing was found to copy, or a plain step was already under way"
    return "nothing was found to copy"


def _declined(reply: Reply, record: StepRecord, choice: LengthChoice) -> str:
    verb = "was" if choice.available == 1 else "were"
    words = (
        f"{counted(choice.available, 'token')} {verb} found, but no draft of them promised enough; "
        f"the chance of the first was {percent(choice.chance)}"
    )
    if reply.run is not None and not (band := band_at(reply.run, record.index)).is_on:
        return f"{words}. Standing down: {band.reason}"
    return words


def _places(reply: Reply, record: StepRecord) -> list[Line]:
    pending = [word(reply, token) for token in record.pending]
    return [
        Line("position", f"{record.position:,}", "tokens of context before the step"),
        Line(
            "pending",
            f"{len(record.pending)}, “{_short(pending)}”",
            "emitted tokens that are not in the caches yet; they run in front of the draft",
        ),
    ]


def _source(context: ContextMap, record: StepRecord) -> list[Line]:
    found = []
    if record.drafter is not None:
        found.append(Line("drafter", record.drafter, "what proposed the draft"))
    if record.match is not None:
        start, length = record.match
        text = end_of(context, start, length, _LONGEST_MATCH)
        shown = f"“{text}”, " if text else ""
        shown += counted(length, "token")
        if not length:
            shown = "nothing; a copy was taken up again behind an edit"
        found.append(Line("matched", shown, "the text whose earlier occurrence was continued"))
    if record.copied:
        names = ", ".join(dict.fromkeys(_names(context, record.copied)))
        found.append(Line("copied from", names, "whose text the drafted tokens stand in"))
    return found


def _names(context: ContextMap, runs: tuple[tuple[int, int], ...]) -> Iterator[str]:
    for start, length in runs:
        if start == EDIT:
            yield "an edit made again"
        else:
            yield from (context.name(place) for place in context.places(start, length))


def _work(record: StepRecord) -> list[Line]:
    found = [Line("forwards", f"{record.forwards}", "forward passes of the model in this step")]
    if record.num_replayed:
        found.append(
            Line("run again", counted(record.num_replayed, "token"), "to rebuild the state")
        )
    if record.guarded:
        found.append(
            Line(
                "near-ties",
                f"{record.guarded}, decided alone",
                "positions too close for a block to decide; a forward of one token decides them",
            )
        )
    return found


def _expectation(choice: LengthChoice) -> list[Line]:
    found = [
        Line(
            "found · taken",
            f"{choice.available} · {choice.length}",
            "tokens that could be copied, and how many of them were worth verifying",
        ),
        Line(
            "chance of the first",
            percent(choice.chance),
            "how likely the first drafted token was right, by what earlier drafts came to",
        ),
    ]
    if choice.length and choice.cost > 0:
        gain = choice.expected / choice.cost
        found.append(
            Line(
                "expected",
                f"{choice.expected:.2f} tokens in {choice.cost:.2f} plain steps, {gain:.2f}×",
                "tokens such a step emits on average, and what it takes; above 1× it pays",
            )
        )
    return found


def _short(words: list[str]) -> str:
    """The last of them, as many as there is room for."""
    num_shown, room = 0, _LONGEST_MATCH
    for each in reversed(words):
        room -= len(each)
        if room < 0 and num_shown:
            break
        num_shown += 1
    cut = "…" if num_shown < len(words) else ""
    return cut + "".join(words[len(words) - num_shown :])
