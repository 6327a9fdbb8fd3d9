"""What one check found, and its line."""

from dataclasses import dataclass

OK, FAILED = "ok", "FAILED"


class CheckError(Exception):
    """A check cannot go on; `str()` says what was wrong, as the end of its line."""


@dataclass(frozen=True, slots=True)
class Check:
    """`words` say what was found, or what is wrong."""

    is_ok: bool
    name: str
    words: str

    @property
    def line(self) -> str:
        """One line for a person, whatever the words have in them."""
        return f"{OK if self.is_ok else FAILED}  {self.name}: {' '.join(self.words.split())}"
