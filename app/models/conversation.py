"""One chat: a tree of exchanges, and the path through it that is shown.

One that was opened from a trace is only read: its last reply is what the playback makes of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.models.chat_facts import ChatFacts
from app.models.chat_title import title_of
from app.models.choices import Choices
from app.models.exchange import Exchange, Variant, path_of
from app.models.playback import Playback
from app.models.question import Question
from app.models.reply import Reply
from engine import Message

Node = Exchange | Variant


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken out of a conversation, and its place among its siblings."""

    node: Node
    at: int


class Conversation(ChatFacts):
    """Signals come once per turn of the event loop, never once per token.

    `exchange_added`: at the end of the path; `exchange_changed`: one of the path has grown, or has
    another reply; `path_changed`: from that exchange on (None: from the start) the path is another
    one; `removed` is what was taken out, with all below it, and `restored` what came back.
    """

    exchange_added = Signal(object)
    exchange_changed = Signal(object)
    path_changed = Signal(object)
    removed = Signal(object)
    restored = Signal(object)

    def __init__(self, parent: QObject | None = None, *, id: int = 0) -> None:
        super().__init__(parent, id=id)
        # Whether its exchanges are here; those of a chat from disk come when it is opened.
        self.is_loaded = True
        # Of one whose exchanges are not here: the first question that is shown.
        self.stored_choice: int | None = None
        # Its turns, versions among them, and those that are shown.
        self.num_stored = self.num_shown = 0
        self.roots: Choices[Exchange] = Choices()
        self.playback: Playback | None = None
        # The file it was opened from, and the marks of what lay in it then.
        self.source: Path | None = None
        self.stamp: tuple[int, ...] = ()
        self._path: list[Exchange] = []

    @property
    def exchanges(self) -> list[Exchange]:
        """What is shown, from the first question to the last reply."""
        return self._path

    @property
    def is_read_only(self) -> bool:
        """Whether it was opened from a trace, so that nothing can be asked in it."""
        return self.playback is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said or begun in it."""
        return self.is_loaded and not self.roots and self.draft.is_empty and not self.is_named

    @property
    def choice(self) -> int | None:
        """The number of the first question that is shown; None where nothing was asked."""
        first = self.roots.current
        if not self.is_loaded:
            return self.stored_choice
        return first.id if first is not None else None

    @property
    def last_reply(self) -> Reply | None:
        """The newest reply, which the inspector shows."""
        return self._path[-1].reply if self._path else None

    def ask(self, question: str | Question, follow_up: str = "") -> Exchange:
        """Add a question at the end, with a reply that waits."""
        exchange = Exchange(question, follow_up)
        last = self._path[-1].variant if self._path else None
        self._attach(exchange, last, last.followers if last is not None else self.roots)
        self._path.append(exchange)
        self.touch()
        if len(self._path) == 1 and not self.is_named:
            self.set_title(title_of(exchange.prompt) or self.title)
        self.exchange_added.emit(exchange)
        return exchange

    def edit(self, exchange: Exchange, question: Question) -> Exchange:
        """Ask something else in place of a question; what was asked stays beside it."""
        fresh = Exchange(question)
        self._attach(fresh, exchange.parent, exchange.siblings)
        self.touch()
        if exchange.parent is None and not self.is_named:
            self.set_title(title_of(fresh.prompt) or self.title)
        self._walk(fresh)
        return fresh

    def answer_again(self, exchange: Exchange) -> Variant:
        """Another answer to a question; the earlier ones stay beside it."""
        variant = Variant()
        exchange.add(variant)
        self.touch()
        self._walk(exchange)
        return variant

    def choose(self, exchange: Exchange, variant: Variant | None = None) -> None:
        """Show another edit of a question, or another answer to it."""
        exchange.siblings.choose(exchange)
        if variant is not None:
            exchange.variants.choose(variant)
        self._walk(exchange)
        self.facts_changed.emit()

    def show(self, exchange: Exchange, variant: Variant | None = None) -> None:
        """Go over to the branch that an exchange, or one of its answers, lies on."""
        if exchange in self._path and variant in (None, exchange.variant):
            return
        if variant is not None:
            exchange.variants.choose(variant)
        at: Exchange | None = exchange
        while at is not None:
            at.siblings.choose(at)
            above = at.parent
            at = above.exchange if above is not None else None
            if at is not None and above is not None:
                at.variants.choose(above)
        self._walk(None)
        self.facts_changed.emit()

    def remove(self, node: Node) -> Removed:
        """Take out a question, or one of its answers, with all that was said below it.

        A question goes with its only answer. What is given back can be `put_back`.
        """
        if isinstance(node, Variant):
            assert node.exchange is not None
            if len(node.exchange.variants) == 1:
                return self.remove(node.exchange)
            at = node.exchange.variants.remove(node)
            self._walk(node.exchange)
        else:
            at = node.siblings.remove(node)
            above = node.parent.exchange if node.parent is not None else None
            self._walk(node.siblings.current or above)
        self.removed.emit(node)
        self.facts_changed.emit()
        return Removed(node, at)

    def put_back(self, removed: Removed) -> None:
        """Undo a removal."""
        node = removed.node
        if isinstance(node, Variant):
            assert node.exchange is not None
            node.exchange.variants.insert(removed.at, node)
            start = node.exchange
        else:
            node.siblings.insert(removed.at, node)
            start = node
        self.restored.emit(node)
        self._walk(start)
        self.facts_changed.emit()

    def every_exchange(self) -> Iterator[Exchange]:
        """All exchanges of the tree, parents before children."""
        waiting = list(self.roots)[::-1]
        while waiting:
            exchange = waiting.pop()
            yield exchange
            for variant in exchange.variants:
                waiting.extend(list(variant.followers)[::-1])

    def fill(self, roots: Choices[Exchange]) -> None:
        """Take in the exchanges that were read from disk."""
        self.roots, self.is_loaded = roots, True
        self._path = path_of(roots)
        self.path_changed.emit(None)

    def rename(self, title: str) -> None:
        """Give it a name; an empty one leaves the naming to its first question."""
        title = " ".join(title.split())
        self.is_named = bool(title)
        first = self._path[0].prompt if self._path else ""
        self.set_title(title or title_of(first) or self.tr("New chat"))

    def play(self, title: str, exchanges: list[Exchange], playback: Playback) -> None:
        """Become what a trace tells: earlier exchanges, and a last one whose reply is played."""
        self.title, self._path, self.playback = title, exchanges, playback
        playback.setParent(self)
        self._follow_playback()
        playback.reply_changed.connect(self._follow_playback)
        playback.grown.connect(self._follow_playback)
        self.title_changed.emit()

    def publish(self, exchange: Exchange) -> None:
        """Tell the views that an exchange has grown."""
        self.exchange_changed.emit(exchange)

    def prompt_start(self, exchange: Exchange | None = None) -> int:
        """Where on the path the prompt of a question begins; of the next one, if none is given.

        What lies before the settings' `first` is left out. Where that lies on another branch, or
        behind the question, it says nothing: all is sent.
        """
        first = self.settings.first
        if first is None:
            return 0
        path = self._path if exchange is None else self._path[: self._path.index(exchange) + 1]
        return next((place for place, each in enumerate(path) if each.id == first), 0)

    def messages(self, exchange: Exchange, system: str = "") -> tuple[Message, ...]:
        """What the model is to answer: what was asked and answered before, then its prompt."""
        messages = [Message("system", system)] if system else []
        for each in self._path[self.prompt_start(exchange) : self._path.index(exchange)]:
            messages += each.messages
        return (*messages, Message("user", exchange.prompt))

    def _attach(
        self, exchange: Exchange, parent: Variant | None, beside: Choices[Exchange]
    ) -> None:
        exchange.parent, exchange.siblings = parent, beside
        beside.add(exchange)

    def _walk(self, start: Exchange | None) -> None:
        """Find the path anew, and say that it is another one from `start` on."""
        self._path = path_of(self.roots)
        self.path_changed.emit(start)

    def _follow_playback(self) -> None:
        if self.playback is not None:
            self._path[-1].reply = self.playback.reply
            self.publish(self._path[-1])
