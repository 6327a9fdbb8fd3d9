"""Numbers in words: the line under a reply, sizes, rates."""

from app.models.reply import Reply
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


def rate(value: float | None, digits: int = 1) -> str:
    """A number, or a dash where there was nothing to divide by."""
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value: float | None, digits: int = 0) -> str:
    """A share in per cent."""
    return "–" if value is None else f"{value * 100:.{digits}f} %"


def gigabytes(num_bytes: int) -> str:
    """Memory in the unit that reads best."""
    size = num_bytes / 1e6
    return f"{size / 1000:.1f} GB" if size >= 1000 else f"{size:.0f} MB"


def summary_line(reply: Reply) -> str:
    """Speed, size and end of a reply in one line."""
    stats = reply.statistics
    if stats is None:
        return ""
    if reply.is_over and stats.emitted == 0 and reply.stop is not None:
        return f"{STOPPED[reply.stop]}, before the first token"
    parts = [f"{rate(_speed(reply, stats))} tok/s", f"{stats.emitted:,} tokens"]
    if stats.first_token_seconds is not None:
        parts.append(f"{stats.first_token_seconds:.1f} s to first")
    if stats.acceptance is not None:
        parts.append(f"{percent(stats.acceptance)} of verified tokens accepted")
    if stats.tokens_per_step is not None:
        parts.append(f"{stats.tokens_per_step:.1f} tokens a step")
    if reply.stop is not None:
        parts.append(STOPPED[reply.stop])
    return " · ".join(parts)


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
    return "Speculation paused" if config.enabled else "Speculation off"
