"""What a chat is called until somebody names it: the first line of its first question."""

TITLE_LENGTH = 80


def title_of(prompt: str) -> str:
    """A title from the first line of the first prompt."""
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    first = " ".join(first.split()).rstrip(".:")
    return first if len(first) <= TITLE_LENGTH else first[: TITLE_LENGTH - 1].rstrip() + "…"
