"""Whether drafting paid in a reply, in a sentence made of what its steps with a draft came to."""

from app.models.run import RunStatistics

# Within this share of plain decoding's speed nobody would tell the two apart.
ABOUT_EVEN = 0.95


def did_drafting_pay(run: RunStatistics) -> str:
    """A step with a draft against plain decoding, both as measured; empty without either."""
    plain, number = run.plain_seconds, run.num_with_draft
    seconds, tokens = run.seconds_with_draft, run.emitted_with_draft
    if plain is None or run.plain_speed is None or not number or seconds <= 0:
        return ""
    gain = tokens * plain / seconds
    verdict = "drafting made little difference"
    if gain < ABOUT_EVEN:
        verdict = "drafting did not pay"
    elif gain > 1 / ABOUT_EVEN:
        verdict = "drafting paid"
    mean = " on average" if number > 1 else ""
    made = tokens / number
    noun = "token" if f"{made:.1f}" == "1.0" else "tokens"
    return (
        f"A step with a draft took {_milliseconds(seconds / number)} for {made:.1f} {noun}{mean}; "
        f"plain decoding takes {_milliseconds(plain)} a token, so {verdict}."
    )


def _milliseconds(seconds: float) -> str:
    """As few digits as tell two speeds apart."""
    value = seconds * 1000
    digits = 0 if value >= 20 else 1 if value >= 2 else 2
    return f"{value:,.{digits}f}\u00a0ms"
