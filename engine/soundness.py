"""What must add up in a trace beyond the types of its values, checked step by step.

Whoever shows a trace may then rely on it: counts fit their lists, places lie in the context, times
go forward, and the totals at the end are those of the steps.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from engine.events import Finished, Started
from engine.speculation.stats import Tally
from engine.step_record import StepRecord, TextSpan

# More cells than any step has; a column of the strip counts them in 16 bits.
MAX_CELLS = 65_535
_MAX_COUNT = 2**31
# A log-probability is at most 0; rounding may lift it a little.
_MAX_LOGPROB = 0.5


class UnsoundError(ValueError):
    """Something does not add up; `str()` says what, in a few words."""


def require(condition: bool, words: str) -> None:
    """`UnsoundError` with these words unless the condition holds."""
    if not condition:
        raise UnsoundError(words)


def check_start(started: Started) -> None:
    """`UnsoundError` where the start of a run does not add up."""
    config, plain = started.config, started.plain_seconds
    require(bool(started.prompt_ids), "the prompt is empty")
    length = len(started.prompt_ids)
    require(0 <= started.reused <= length, "more was reused than there is")
    require(0 <= started.reply_length < length, "more was continued than there is")
    seconds = (started.prefill_seconds, 0.0 if plain is None else plain)
    require(_are_durations(seconds), "a duration is impossible")
    settings = (config.guard_margin, config.min_acceptance)
    require(not any(map(math.isnan, settings)), "a setting is impossible")


def has_sound_text(started: Started) -> bool:
    """Whether the prompt's text can be cut where its tokens are said to end."""
    ends = started.prompt_ends
    if not ends:
        return True
    is_in_order = all(a <= b for a, b in zip((0, *ends), ends, strict=False))
    fits = len(ends) == len(started.prompt_ids) and ends[-1] <= len(started.prompt_text)
    return is_in_order and fits


class Ledger:
    """What the steps so far add up to."""

    def __init__(self, started: Started) -> None:
        self._tally = Tally(len(started.prompt_ids), started.reused, started.prefill_seconds)
        self._prompt_tokens = len(started.prompt_ids)
        self._num_steps = self._num_tokens = self._told = 0
        self._time = 0.0

    def add(self, step: StepRecord, *, knows_origins: bool = True) -> None:
        """Take in the next step; `UnsoundError`, and nothing changed, where it does not fit."""
        require(step.index == self._num_steps, "a step is missing")
        self._check_counts(step, knows_origins)
        self._check_places(step)
        _check_details(step)
        _check_seconds(step)
        require(step.time >= self._time, "a step comes before the one it follows")
        num_tokens = self._num_tokens + len(step.emitted)
        self._told = _end_of(step.spans, self._told, num_tokens)
        self._num_tokens, self._time = num_tokens, step.time
        self._num_steps += 1
        self._tally.add(step)

    def settled(self, finished: Finished) -> tuple[Finished, bool]:
        """The end of the run with the totals of its steps, and whether it had them already."""
        _end_of(finished.tail, self._told, self._num_tokens)
        stats = self._tally.snapshot()
        if finished.stats == stats:
            return finished, True
        self._tally.num_failures = finished.health.pld_ssm_replay.failures
        config = finished.health.config
        health = finished.health if config is None else self._tally.health(config)
        return replace(finished, stats=stats, health=health), False

    def _check_counts(self, step: StepRecord, knows_origins: bool) -> None:
        counts = (step.dropped, step.num_replayed, step.forwards, step.guarded, step.excluded)
        require(all(0 <= count <= _MAX_COUNT for count in counts), "a count is impossible")
        sizes = (len(step.emitted) + len(step.draft), step.excluded)
        require(max(sizes) <= MAX_CELLS, "a step is larger than any")
        require(len(step.emitted) == len(step.origins), "tokens and origins differ in number")
        accepted = step.origins.count("accepted") + step.origins.count("replayed")
        require(0 <= step.accepted <= len(step.draft), "more was accepted than drafted")
        require(step.accepted == accepted or not knows_origins, "origins do not add up")
        require(len(step.cut) in (0, step.excluded), "excluded tokens do not add up")

    def _check_places(self, step: StepRecord) -> None:
        length = self._prompt_tokens + self._num_tokens
        require(0 <= step.position <= _MAX_COUNT, "a position is impossible")
        if step.match is not None:
            _check_run(*step.match, length)
        for start, count in step.copied:
            require(count >= 1, "a copy is empty")
            if start != -1:
                _check_run(start, count, length)
        copied = sum(count for _, count in step.copied)
        drafted = len(step.draft) + len(step.cut)
        require(not step.copied or copied == drafted, "copies do not add up")


def _check_run(start: int, count: int, length: int) -> None:
    require(0 <= start <= start + count <= length, "a place lies outside the text")


def _check_details(step: StepRecord) -> None:
    for details in (step.logprobs, step.alternatives, step.margins):
        fits = details is None or len(details) == len(step.emitted)
        require(fits, "tokens and their details differ in number")
    logprobs = [*(step.logprobs or ())]
    logprobs += [logprob for row in step.alternatives or () for _, logprob in row]
    require(all(logprob <= _MAX_LOGPROB for logprob in logprobs), "a probability is impossible")
    require(not any(map(math.isnan, step.margins or ())), "a margin is impossible")


def _check_seconds(step: StepRecord) -> None:
    phases, choice = step.seconds, step.choice
    seconds = [phases.draft, phases.verify, phases.rollback, phases.emit, step.time]
    if choice is not None:
        seconds += [choice.chance, choice.expected, choice.plain_seconds or 0.0]
        is_sound = 0 <= choice.length <= choice.available <= _MAX_COUNT and choice.cost >= 0.0
        require(is_sound, "a choice is impossible")
    require(_are_durations(seconds), "a duration is impossible")


def _are_durations(seconds: Iterable[float]) -> bool:
    # A billion seconds are thirty years.
    return all(0.0 <= value <= 1e9 for value in seconds)


def _end_of(spans: Iterable[TextSpan], told: int, num_tokens: int) -> int:
    """How many tokens have their text behind these spans, which follow those before them."""
    for span in spans:
        require(told <= span.first and span.num_tokens >= 0, "texts overlap")
        told = span.first + span.num_tokens
    require(told <= num_tokens, "a text has no token")
    return told
