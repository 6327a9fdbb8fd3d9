"""How many tokens a question has: counted where the model has counted, else estimated."""

from collections.abc import Iterable

from app.models.attaching import estimated_tokens
from app.models.question import Attachment, Question


class Sizes:
    """Remembers what was counted of the texts that are there now."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def learn(self, texts: Iterable[str], counts: Iterable[int], question: Question) -> None:
        """Take in counts, and forget those of texts that are in the question no more."""
        self._counts |= dict(zip(texts, counts, strict=True))
        there = _texts(question)
        self._counts = {text: n for text, n in self._counts.items() if text in there}

    def forget(self) -> None:
        """Another tokenizer counts otherwise."""
        self._counts.clear()

    def missing(self, question: Question) -> tuple[str, ...]:
        """The texts of a question that were not counted."""
        return tuple(text for text in _texts(question) if text and text not in self._counts)

    def of(self, attachment: Attachment) -> int | None:
        """An attachment's tokens, if they were counted."""
        return self._counts.get(attachment.text)

    def total(
        self, length: int, typed: str | None, attachments: tuple[Attachment, ...]
    ) -> tuple[int, bool]:
        """All tokens, and whether they were all counted.

        `typed` is the text of that `length`; None while it changes, when it is only estimated.
        """
        counted = self._counts.get(typed) if typed is not None else None
        is_exact = counted is not None or not length
        tokens = counted if counted is not None else estimated_tokens(length)
        for attachment in attachments:
            counted = self.of(attachment)
            is_exact = is_exact and counted is not None
            tokens += estimated_tokens(len(attachment.text)) if counted is None else counted
        return tokens, is_exact


def _texts(question: Question) -> tuple[str, ...]:
    return (question.text, *(each.text for each in question.attachments))
