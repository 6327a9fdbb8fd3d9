"""What a reply changes in the text it copies: a change once seen is expected again. Pure Python."""

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_OLD, LONGEST_NEW = 8, 24
FIRST_TRUST, MOST_TRUST, BLAME = 1.0, 3.0, 1.5
PROVEN_TRUST = 2.0


@dataclass(slots=True)
class Edit:
    """`old` in the source became `new` in the reply, neither of them empty.

    `trust` moves with how it did since.
    """

    old: tuple[int, ...]
    new: tuple[int, ...]
    trust: float = FIRST_TRUST

    @property
    def is_proven(self) -> bool:
        """Whether it came true again since it was learned."""
        return self.trust >= PROVEN_TRUST


class EditMemory:
    """The edits of one reply, by the first token they replace; the newest counts."""

    def __init__(self) -> None:
        self._edits: dict[int, Edit] = {}

    def learn(self, edit: Edit) -> None:
        """Remember a change, unless it is too long to come a second time."""
        if len(edit.old) <= LONGEST_OLD and len(edit.new) <= LONGEST_NEW:
            self._edits[edit.old[0]] = edit

    def touches(self, tokens: Sequence[int]) -> bool:
        """Whether an edit could begin at one of these tokens."""
        return not self._edits.keys().isdisjoint(tokens)

    def find(self, text: Sequence[int], start: int) -> Edit | None:
        """The edit known of what stands at `start`."""
        edit = self._edits.get(text[start])
        if edit is None or tuple(text[start : start + len(edit.old)]) != edit.old:
            return None
        return edit

    def came_true(self, edit: Edit) -> None:
        """The reply made this change again."""
        edit.trust = min(edit.trust + 1.0, MOST_TRUST)

    def was_wrong(self, edit: Edit) -> None:
        """The reply left this text as it was."""
        edit.trust -= BLAME
        if edit.trust < 0.0:
            self._edits.pop(edit.old[0], None)
