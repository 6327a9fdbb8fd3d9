"""The exchanges of a chat, made of its messages as they are read from disk."""

from collections.abc import Iterator
from typing import Any

from app.controllers.records import exchange_from, unanswered, variant_from
from app.models.choices import Choices
from app.models.exchange import Exchange, Variant
from app.storage import MessageRecord, RunRecord

# How many messages are made at a time.
_AT_ONCE = 16


class Tree:
    """Grows from `roots`. A message whose parent is not there is left out with its own.

    `joint` is an answer that is here already, with all that was asked after it: it is put in its
    place, and what is on disk below it is passed over.
    """

    def __init__(self, choice: int | None, joint: Variant | None = None) -> None:
        self.roots: Choices[Exchange] = Choices()
        self._joint = joint
        self._here = {joint.id} if joint is not None else set[int]()
        self._exchanges: dict[int, Exchange] = {}
        self._variants: dict[int, Variant] = {}
        self._choices: list[tuple[Choices[Any], int | None]] = [(self.roots, choice)]

    @property
    def is_joined(self) -> bool:
        """Whether the answer that was here has its place."""
        return self._joint is None or self._joint.exchange is not None

    def growing(self, messages: list[MessageRecord], runs: dict[int, RunRecord]) -> Iterator[None]:
        """Take in messages, parents before their children, with a pause after some each.

        Both are used up: to let go of thousands of records at once takes long, too.
        """
        messages.reverse()
        while messages:
            record = messages.pop()
            self._add(record, runs.pop(record.id, None))
            if len(messages) % _AT_ONCE == 0:
                yield
        for number, exchange in enumerate(self._exchanges.values()):
            if not len(exchange.variants):
                exchange.add(unanswered())
            if number % _AT_ONCE == _AT_ONCE - 1:
                yield
        for number, (among, chosen) in enumerate(self._choices):
            for item in list(among):
                if item.id == chosen:
                    among.choose(item)
            if number % _AT_ONCE == _AT_ONCE - 1:
                yield

    def stand_on(self, answer: Variant, choice: int | None) -> None:
        """What was asked after this answer belongs here."""
        self._variants[answer.id] = answer
        self._choices.append((answer.followers, choice))

    def _add(self, record: MessageRecord, run: RunRecord | None) -> None:
        if record.parent in self._here:
            self._here.add(record.id)
        elif record.role == "user":
            parent = self._variants.get(record.parent) if record.parent is not None else None
            if parent is None and record.parent is not None:
                return
            exchange = exchange_from(record, parent, parent.followers if parent else self.roots)
            self._exchanges[record.id] = exchange
            self._choices.append((exchange.variants, record.choice))
        elif record.parent in self._exchanges:
            if self._joint is not None and record.id == self._joint.id:
                self._exchanges[record.parent].add(self._joint)
                return
            variant = variant_from(record, run)
            self._exchanges[record.parent].add(variant)
            self.stand_on(variant, record.choice)


def end_from(messages: list[MessageRecord], runs: dict[int, RunRecord]) -> Variant:
    """An answer, with all that was asked after it; it comes first among the messages."""
    first, *others = messages
    answer = variant_from(first, runs.get(first.id))
    tree = Tree(None)
    tree.stand_on(answer, first.choice)
    for _ in tree.growing(others, runs):
        pass
    return answer
