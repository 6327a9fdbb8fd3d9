"""Tells a person who is elsewhere that a long reply has ended."""

import time
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject

from app.models.conversation import Conversation
from app.models.exchange import Exchange

LONG_SECONDS = 10.0
_WORDS_LENGTH = 120


class Announcer(Protocol):
    """How this desktop tells something: a notification, a bounce in the Dock."""

    def announce(self, title: str, words: str) -> None:
        """Tell it, where the desktop can."""


class Notifier(QObject):
    """Follows what runs. Of a reply no word is shown unless `shows_words`; of a chat its title."""

    def __init__(
        self,
        announcer: Announcer,
        is_active: Callable[[], bool],
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._announcer, self._is_active, self._clock = announcer, is_active, clock
        self.is_on = True
        self.shows_words = False
        self._began: tuple[object, float] | None = None

    def follow(self, owner: object | None) -> None:
        """What runs now, if anything."""
        if owner is not None:
            self._began = owner, self._clock()

    def on_answered(self, chat: Conversation, exchange: Exchange) -> None:
        """A reply has ended."""
        began, self._began = self._began, None
        if began is None or began[0] is not exchange:
            return
        reply = exchange.reply
        was_long = self._clock() - began[1] > LONG_SECONDS
        # Who stopped it knows that it has ended.
        if not self.is_on or not was_long or reply.stop == "cancelled" or self._is_active():
            return
        if reply.failure is not None:
            title = self.tr("A reply could not be finished")
        else:
            title = self.tr("A reply is ready")
        self._announcer.announce(title, self._words(chat, exchange))

    def _words(self, chat: Conversation, exchange: Exchange) -> str:
        words = " ".join(exchange.reply.answer[: 4 * _WORDS_LENGTH].split())
        if not self.shows_words or not words:
            return chat.title
        cut = words if len(words) <= _WORDS_LENGTH else words[:_WORDS_LENGTH].rstrip() + "…"
        return f"{chat.title}\n{cut}"
