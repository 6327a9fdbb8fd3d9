"""What a person asks: words that were typed, and texts that were pasted or dropped beside them."""

from dataclasses import dataclass
from typing import Literal

from app.models.markdown.fences import fence_around

AttachmentKind = Literal["paste", "text", "code", "pdf"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text that goes with a question; of a PDF only its text is kept.

    `language` names what a code file is written in, for its fence.
    """

    name: str
    text: str
    kind: AttachmentKind = "paste"
    language: str = ""

    @property
    def as_prompt(self) -> str:
        """How the model reads it: a paste as it is, a file under its name."""
        if self.kind == "paste":
            return self.text
        if self.kind == "code":
            fence = fence_around(self.text)
            return f"{self.name}:\n{fence}{self.language}\n{self.text.rstrip()}\n{fence}"
        return f"{self.name}:\n\n{self.text}"


@dataclass(frozen=True, slots=True)
class Question:
    """Typed words with their attachments; what is being typed is one too."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()

    @property
    def prompt(self) -> str:
        """All of it, as the model reads it."""
        parts = (self.text, *(each.as_prompt for each in self.attachments))
        return "\n\n".join(part for part in parts if part.strip())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask."""
        return not self.text.strip() and not any(each.text.strip() for each in self.attachments)
