"""The models on this machine, and what is remembered of each."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, Signal

from app.models.model_title import model_title, natural_order, titles
from engine import ModelSurvey, SamplingParams

Origin = Literal["built in", "hub", "folder"]


@dataclass(frozen=True, slots=True)
class ModelHabits:
    """What the person wants of one model; None and empty are the model's own, or the app's.

    `context` is the most tokens to use of its context, `sampling` and `speculation` (flags by name)
    are what a new chat with it begins with. `used` is when it was last loaded, in seconds.
    """

    context: int | None = None
    sampling: SamplingParams | None = None
    speculation: dict[str, object] = field(default_factory=dict)
    used: float | None = None


@dataclass(frozen=True, slots=True)
class LibraryModel:
    """One model: what its folder says, where it comes from, what is remembered of it.

    `target` is what to load it by: `demo`, or its folder. `is_complete` is False while files that
    its index or the download names are missing.
    """

    target: str
    origin: Origin
    survey: ModelSurvey
    habits: ModelHabits = ModelHabits()
    is_complete: bool = True

    @property
    def name(self) -> str:
        """What it is called."""
        return self.survey.name


class Library(QObject):
    """All of them in the order of their titles; written by its controller only.

    `folders` are those the person added; `free_bytes` is the memory that is free now for a model,
    what the loaded one would give back included; None where it cannot be told. `titles` has what
    each of the models is called, by its target.
    """

    changed = Signal()
    folders_changed = Signal()
    memory_changed = Signal()
    scanning_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.models: tuple[LibraryModel, ...] = ()
        self.folders: tuple[str, ...] = ()
        self.free_bytes: int | None = None
        self.is_scanning = False
        self.titles: dict[str, str] = {}
        self._by_target: dict[str, LibraryModel] = {}
        self._by_name: dict[str, LibraryModel] = {}

    def find(self, target: str) -> LibraryModel | None:
        """The model of that folder, or else of that name."""
        return self._by_target.get(target) or self._by_name.get(target)

    def target_of(self, name: str) -> str:
        """What the model of this folder or name is loaded by; the name itself where none is."""
        model = self.find(name)
        return name if model is None else model.target

    def title(self, target: str) -> str:
        """What a model is called for people, be it here or not; no other one here is called so."""
        model = self.find(target)
        return model_title(target) if model is None else self.titles[model.target]

    def set_models(self, models: Iterable[LibraryModel]) -> None:
        """What is there now."""
        given = tuple(models)
        called = titles(each.target for each in given)
        now = tuple(sorted(given, key=lambda each: _place(each, called[each.target])))
        if now != self.models:
            self.models, self.titles = now, called
            # Of two with the same name the first is meant.
            self._by_target = {each.target: each for each in reversed(now)}
            self._by_name = {each.name: each for each in reversed(now)}
            self.changed.emit()

    def set_folders(self, folders: Iterable[str]) -> None:
        """The folders that are looked through."""
        now = tuple(folders)
        if now != self.folders:
            self.folders = now
            self.folders_changed.emit()

    def set_free_bytes(self, free: int | None) -> None:
        """The memory that is free."""
        if free != self.free_bytes:
            self.free_bytes = free
            self.memory_changed.emit()

    def set_scanning(self, is_scanning: bool) -> None:
        """Whether folders are being looked through now."""
        if is_scanning != self.is_scanning:
            self.is_scanning = is_scanning
            self.scanning_changed.emit(is_scanning)


def _place(model: LibraryModel, title: str) -> tuple[tuple[tuple[str, int], ...], str, str]:
    return natural_order(title), model.name.casefold(), model.target
