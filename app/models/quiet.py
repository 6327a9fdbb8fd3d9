"""The sentences above a reply that only tell of it, and warn of nothing."""

CONTINUED = "Continued where it had stopped."
SYSTEM_PROMPT = "System prompt: {0}"


def is_quiet(sentence: str) -> bool:
    """Whether nothing in it needs heeding."""
    return sentence == CONTINUED or sentence.startswith(SYSTEM_PROMPT.format(""))
