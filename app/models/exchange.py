"""A question and the answers to it. Each answer carries the questions that were asked after it.

So a conversation is a tree: edits of a question are siblings, and so are the answers to one; what
was said below each of them stays with it.
"""

import time

from app.models.choices import Choices
from app.models.ids import new_id
from app.models.markdown.thinking import has_tag
from app.models.question import Question
from app.models.reply import Reply
from engine import Message


class Variant:
    """One answer to a question. `model` is who gave it.

    `is_stored`: how the tokens of this answer came to be lies on disk, and is read when it is
    looked at; until then the reply has its text alone.
    """

    def __init__(self, reply: Reply | None = None, *, id: int = 0, created: float = 0.0) -> None:
        self.id = id or new_id()
        self.created = created or time.time()
        self.reply = reply if reply is not None else Reply()
        self.model = ""
        self.is_stored = False
        # What it answers.
        self.exchange: Exchange | None = None
        self.followers: Choices[Exchange] = Choices()


class Exchange:
    """A prompt and the reply to it: the chosen one of its answers."""

    def __init__(
        self,
        prompt: str | Question,
        follow_up: str = "",
        reply: Reply | None = None,
        *,
        id: int = 0,
        created: float = 0.0,
    ) -> None:
        self.id = id or new_id()
        self.created = created or time.time()
        self.question = prompt if isinstance(prompt, Question) else Question(prompt)
        self.prompt = self.question.prompt
        self.follow_up = follow_up
        self.variants: Choices[Variant] = Choices()
        self.add(Variant(reply))
        # Siblings are where this one stands among the edits of its question.
        self.siblings: Choices[Exchange] = Choices(self)
        # The answer that it was asked after; None for a first question.
        self.parent: Variant | None = None
        # What later turns are told, and of what it was made.
        self._told: tuple[Message, ...] = ()
        self._told_of: tuple[object, ...] = ()

    def add(self, variant: Variant) -> None:
        """Take in another answer, which is chosen from here on."""
        variant.exchange = self
        self.variants.add(variant)

    @property
    def variant(self) -> Variant:
        """The chosen answer; there is always one."""
        chosen = self.variants.current
        assert chosen is not None
        return chosen

    @property
    def names_model(self) -> bool:
        """Whether who answered is worth a word: another did before, after, or in a version."""
        variant = self.variant
        others = {each.model for each in self.variants if each.model}
        if self.parent is not None:
            others.add(self.parent.model)
        following = variant.followers.current
        if following is not None:
            others.add(following.variant.model)
        return bool(others - {variant.model, ""})

    @property
    def messages(self) -> tuple[Message, ...]:
        """What later turns are told of it: nothing, if it was not answered.

        It is made once, for a chat may have ten thousands of them.
        """
        reply = self.reply
        source = reply, len(reply.pieces), reply.pieces[-1] if reply.pieces else None
        if source != self._told_of:
            text = reply.text
            is_plain = not reply.opens_thinking and not has_tag(text)
            answer = (text.lstrip() or text) if is_plain else reply.answer
            told = Message("user", self.prompt), Message("assistant", answer)
            self._told_of, self._told = source, told if answer else ()
        return self._told

    @property
    def reply(self) -> Reply:
        """The chosen answer's reply."""
        return self.variant.reply

    @reply.setter
    def reply(self, reply: Reply) -> None:
        self.variant.reply = reply


def path_of(roots: Choices[Exchange]) -> list[Exchange]:
    """What is shown of a tree: the chosen ones, from the first question to the last."""
    found: list[Exchange] = []
    at = roots.current
    while at is not None:
        found.append(at)
        at = at.variant.followers.current
    return found
