"""A second chat that says the same: all of its tree, under new numbers."""

from dataclasses import replace
from typing import TypeVar

from app.models.branching import branched
from app.models.choices import Choices
from app.models.conversation import Conversation
from app.models.exchange import Exchange, Variant
from app.models.reply import Reply

T = TypeVar("T")


def duplicated(chat: Conversation, title: str) -> Conversation:
    """A copy of a chat that is loaded. A reply that grows is copied as far as it has come.

    How a reply came to be is copied where it is in memory; of others the copy has the text.
    """
    twin = Conversation()
    twin.title, twin.is_named = title, True
    twin.folder, twin.model, twin.draft = chat.folder, chat.model, chat.draft
    twin.overrides = dict(chat.overrides)
    roots: Choices[Exchange] = Choices()
    numbers: dict[int, int] = {}
    _copy_tree(chat.roots, roots, numbers)
    first = chat.settings.first
    twin.settings = replace(chat.settings, first=numbers.get(first) if first is not None else None)
    twin.fill(roots)
    return twin


def _copy_tree(old: Choices[Exchange], fresh: Choices[Exchange], numbers: dict[int, int]) -> None:
    """Parents before children, so that the numbers grow as in the original."""
    waiting: list[tuple[Choices[Exchange], Choices[Exchange], Variant | None]] = [
        (old, fresh, None)
    ]
    while waiting:
        sources, copies, parent = waiting.pop()
        for exchange in sources:
            copy = _copied(exchange)
            copy.parent, copy.siblings = parent, copies
            copies.add(copy)
            numbers[exchange.id] = copy.id
            for variant, answer in zip(exchange.variants, copy.variants, strict=True):
                waiting.append((variant.followers, answer.followers, answer))
        _choose_alike(sources, copies)


def _copied(exchange: Exchange) -> Exchange:
    copy = Exchange(exchange.question, exchange.follow_up, created=exchange.created)
    copy.variants = Choices()
    for variant in exchange.variants:
        answer = Variant(_as_it_stands(variant.reply), created=variant.created)
        answer.model = variant.model
        copy.add(answer)
    _choose_alike(exchange.variants, copy.variants)
    return copy


def _as_it_stands(reply: Reply) -> Reply:
    """Nobody writes the copy of a reply that is being written: it ends here, as if stopped."""
    copy = branched(reply)
    if not copy.is_over:
        copy.final = copy.statistics
        copy.phase, copy.stop = "finished", "cancelled"
    return copy


def _choose_alike(old: Choices[T], fresh: Choices[T]) -> None:
    """The one in the same place."""
    for place, item in enumerate(fresh):
        if place == old.index:
            fresh.choose(item)
            return
