"""The one table of what can be done by menu, key or palette; who does it is bound at the start."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from app.models.command_table import every_command

Role = Literal["", "about", "preferences", "quit"]


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done.

    `menu` and `submenu` are words for a person; without a menu only its keys do it. A new `group`
    begins with a line in the menu. `hint` names a key that does the same among other things.
    Keys are written as Qt does: on a Mac, Ctrl is the command key.
    """

    id: str
    title: str
    menu: str
    group: int = 0
    keys: tuple[str, ...] = ()
    submenu: str = ""
    role: Role = ""
    hint: str = ""

    @property
    def words(self) -> str:
        """What it does, where its menu is not in sight."""
        whole = f"{self.submenu}: {self.title}" if self.submenu else self.title
        return whole.rstrip("…")


@dataclass(frozen=True, slots=True)
class _Bound:
    act: Callable[[], object]
    is_possible: Callable[[], bool]
    is_on: Callable[[], bool] | None


class Commands(QObject):
    """`bound`: another command has somebody who does it; `ran`: one is about to be done."""

    bound = Signal(str)
    ran = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.items = tuple(Command(**facts) for facts in every_command(self.tr))
        self._by_id = {command.id: command for command in self.items}
        self._bound: dict[str, _Bound] = {}

    def __getitem__(self, id: str) -> Command:
        return self._by_id[id]

    def bind(
        self,
        id: str,
        act: Callable[[], object],
        is_possible: Callable[[], bool] = lambda: True,
        is_on: Callable[[], bool] | None = None,
    ) -> None:
        """Who does it, whether that is possible now, and for a switch whether it is on."""
        self._bound[self._by_id[id].id] = _Bound(act, is_possible, is_on)
        self.bound.emit(id)

    def is_bound(self, id: str) -> bool:
        """Whether there is somebody who does it."""
        return id in self._bound

    def is_possible(self, id: str) -> bool:
        """Whether it can be done now."""
        bound = self._bound.get(id)
        return bound is not None and bound.is_possible()

    def is_switch(self, id: str) -> bool:
        """Whether it turns something on and off."""
        bound = self._bound.get(id)
        return bound is not None and bound.is_on is not None

    def is_on(self, id: str) -> bool:
        """Whether what it switches is on."""
        bound = self._bound.get(id)
        return bound is not None and bound.is_on is not None and bound.is_on()

    def run(self, id: str) -> bool:
        """Do it, if that is possible now; whether it was done."""
        if not self.is_possible(id):
            return False
        self.ran.emit(id)
        self._bound[id].act()
        return True
