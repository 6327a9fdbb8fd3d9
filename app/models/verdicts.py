"""What a reply came to in words: what limits the speed, did replay pay, when drafting paused."""

from app.models.phases import PhaseName, duration, shares
from app.models.run import Band, RunStatistics
from app.models.summary import percent
from app.models.worth import ABOUT_EVEN
from engine import EffectiveConfig, Statistics

_DOINGS: dict[PhaseName, str] = {
    "draft": "looking drafts up",
    "verify": "verifying",
    "rollback": "rolling back",
    "emit": "writing it down",
    "interface": "the interface",
}
_VERBS: dict[PhaseName, str] = {"interface": "The interface takes"}
MOST_BANDS = 4


def share(value: float) -> str:
    """A share of the time: one decimal, and never a nought for what is not nothing."""
    return "<0.1\u00a0%" if 0 < value < 0.0005 else percent(value, 1)


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def what_limits(run: RunStatistics) -> str:
    """Where the time between the first step and the last went."""
    parts = shares(run.phase_seconds)
    if not parts:
        return "Nothing has been measured yet."
    most = max(parts, key=lambda name: parts[name])
    rest = [f"{_DOINGS[name]} {share(parts[name])}" for name in _DOINGS if name != most]
    verb = _VERBS.get(most, f"{_DOINGS[most].capitalize()} takes")
    return f"{verb} {share(parts[most])} of the time; {', '.join(rest)}."


def did_replay_pay(run: RunStatistics, stats: Statistics, config: EffectiveConfig) -> str:
    """What rebuilding the state after partly accepted drafts brought, and what it cost."""
    strategy, health = config.rollback, run.replay
    if not config.enabled or strategy is None:
        return "Nothing was drafted, so nothing had to be replayed."
    if strategy == "discard":
        if not stats.dropped:
            return "Replay is off; no matched token has been thrown away so far."
        tokens = counted(stats.dropped, "token")
        return f"Replay is off: {tokens} had matched before a rejection and were thrown away."
    if strategy == "trim":
        return "The caches of this model can be trimmed; nothing has to be replayed."
    if not health.attempts:
        return "No draft was accepted in part, so nothing had to be rebuilt."
    kept = run.origins["replayed"]
    accepts = counted(health.attempts, "partial accept")
    begin = f"Rebuilding {accepts} kept {counted(kept, 'token')}"
    if strategy == "carry":
        begin = f"Carrying {accepts} kept {counted(kept, 'token')} in front of later forwards"
    saved, verdict = f"which saved up to {counted(kept, 'forward')}", ""
    spent = run.phase_seconds.get("rollback", 0.0)
    if run.plain_seconds is not None:
        seconds = kept * run.plain_seconds
        verdict = _verdict(seconds, spent)
        saved += f" ({duration(seconds)} of plain decoding)"
    if strategy == "replay":
        saved += f" and cost {health.attempts:,}"
    time = share(shares(run.phase_seconds).get("rollback", 0.0))
    took = f"all rolling back took {duration(spent)} ({time} of the time)"
    return f"{verdict}{begin}, {saved}; {took}."


def _verdict(saved: float, spent: float) -> str:
    """Whether plain steps for what was kept would have taken longer than all rolling back did."""
    if saved < spent * ABOUT_EVEN:
        return "No, replay did not pay. "
    return "Yes, replay paid. " if spent < saved * ABOUT_EVEN else "Replay made little difference. "


def band_at(run: RunStatistics, step: int) -> Band:
    """The stretch of steps that a step lies in."""
    return next(band for band in reversed(run.bands) if band.first <= step)


def band_words(band: Band) -> str:
    """From when to when drafting was on or standing down, and why."""
    until = "now" if band.until is None else f"{band.until:.1f} s"
    state = "drafting" if band.is_on else "standing down"
    return f"{band.since:.1f} s to {until}: {state}, {band.reason}"


def pacing_lines(run: RunStatistics, end: float | None = None) -> list[str]:
    """The newest stretches in words; none where drafting never changed. `end` is the reply's."""
    bands = [band for band in run.bands if band.end is None or band.end > band.first]
    if len(bands) < 2:
        return []
    lines = [f"{band_words(band)}." for band in bands[-MOST_BANDS:]]
    if end is not None:
        lines[-1] = lines[-1].replace(" to now:", f" to {end:.1f} s:", 1)
    if len(bands) > MOST_BANDS:
        lines.insert(0, f"And {counted(len(bands) - MOST_BANDS, 'stretch', 'stretches')} before.")
    return lines
