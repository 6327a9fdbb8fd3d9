"""Numbers in words: the line under a reply, sizes, rates."""

from dataclasses import dataclass
from typing import Literal

from app.models.reply import Reply
from app.models.worth import ABOUT_EVEN, did_drafting_pay
from engine import EffectiveConfig, Origin, Statistics, StopReason

STOPPED: dict[StopReason, str] = {
    "eos": "stopped: end of text",
    "stop_string": "stopped: stop text",
    "max_tokens": "stopped: token limit",
    "context_full": "stopped: context full",
    "cancelled": "stopped by you",
    "failed": "failed",
}

MEANINGS: dict[Origin, str] = {
    "generated": "from a plain step, without a draft",
    "accepted": "drafted from earlier text, and the model agreed",
    "replayed": "accepted, and the recurrent state had to be rebuilt for it",
    "corrected": "the model's own token where it disagreed with the draft",
    "bonus": "the model's next token after a whole draft was accepted",
}


_OFF = "Speculation off"


def rate(value: float | None, digits: int = 1) -> str:
    """A number, or a dash where there was nothing to divide by."""
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value: float | None, digits: int = 0) -> str:
    """A share in per cent, never torn from its sign."""
    return "–" if value is None else f"{value * 100:.{digits}f}\u00a0%"


def gigabytes(num_bytes: int) -> str:
    """Memory in the unit that reads best."""
    size = num_bytes / 1e6
    return f"{size / 1000:.1f} GB" if size >= 1000 else f"{size:.0f} MB"


def summary_line(reply: Reply) -> str:
    """Speed, size and end of a reply in one line."""
    stats = reply.statistics
    if stats is None:
        return ""
    if reply.is_over and stats.emitted == 0 and _end(reply):
        return f"{_end(reply)}, before the first token"
    parts = [
        f"{rate(_speed(reply, stats))} tok/s",
        "1 token" if stats.emitted == 1 else f"{stats.emitted:,} tokens",
    ]
    if stats.first_token_seconds is not None:
        parts.append(f"{stats.first_token_seconds:.1f} s to first")
    if stats.acceptance is not None:
        parts.append(f"{percent(stats.acceptance)} of verified tokens accepted")
    if stats.tokens_per_step is not None:
        parts.append(f"{stats.tokens_per_step:.1f} tokens a step")
    if _end(reply):
        parts.append(_end(reply))
    return " · ".join(parts)


def _end(reply: Reply) -> str:
    """What ended it. Only the end of the app itself leaves a finished reply without a reason."""
    if reply.stop is not None:
        return STOPPED[reply.stop]
    return "cut off" if reply.phase == "finished" else ""


def speed_of(reply: Reply) -> float | None:
    """Tokens per second: now while it runs, over the whole reply afterwards."""
    stats = reply.statistics
    return _speed(reply, stats) if stats is not None else None


def _speed(reply: Reply, stats: Statistics) -> float | None:
    live = reply.run.speed if reply.run is not None else None
    return stats.decode_tps if reply.is_over or live is None else live


def effective(config: EffectiveConfig, is_drafting: bool = True) -> str:
    """What a reply really runs with, in a few words."""
    if not config.enabled:
        return "plain decoding"
    if not is_drafting:
        return "plain for now"
    strategy = config.rollback or "no rollback"
    if config.draft_length is None:
        return f"{strategy}, auto length"
    return f"{strategy}, length {config.draft_length}"


def speculation_state(config: EffectiveConfig, is_drafting: bool) -> str:
    """The badge's words: on, paused by the engine itself, or off."""
    if is_drafting:
        return "Speculation on"
    return "Speculation paused" if config.enabled else _OFF


@dataclass(frozen=True, slots=True)
class Badge:
    """Whether speculation is on, in a few words, and why."""

    words: str
    tone: Literal["good", "caution"]
    why: str


def badge_of(reply: Reply | None, is_wanted: bool) -> Badge:
    """The badge of a reply; before there is one, what the next will be asked to do."""
    if reply is None or reply.speculation is None or reply.config is None:
        why = "as set for the next reply"
        return Badge("Speculation on", "good", why) if is_wanted else Badge(_OFF, "caution", why)
    is_on, why = reply.speculation
    words = speculation_state(reply.config, is_on)
    if not is_on:
        return Badge(words, "caution", why)
    if reply.run is not None and not reply.run.num_with_draft:
        return Badge(words, "good", why)
    # What a colour says is answered first: drafts paid, or they did not.
    paid = did_drafting_pay(reply.run) if reply.run is not None else ""
    why = f"{paid} {why[:1].upper()}{why[1:]}." if paid else why
    gain = gain_of(reply)
    stats = reply.statistics
    if gain is not None:
        tone: Literal["good", "caution"] = "good" if gain >= ABOUT_EVEN else "caution"
        return Badge(f"{words} · {gain:.1f}× plain", tone, why)
    if stats is not None and stats.tokens_per_step is not None:
        return Badge(f"{words} · {stats.tokens_per_step:.1f} tokens a step", "good", why)
    return Badge(words, "good", why)


def gain_of(reply: Reply) -> float | None:
    """Decoding speed over that of plain steps, as it was measured; None where either is unknown."""
    stats = reply.statistics
    plain = reply.run.plain_speed if reply.run is not None else None
    if stats is None or stats.decode_tps is None or plain is None:
        return None
    return stats.decode_tps / plain
