"""The rows of the models on this machine: what is written in each, and which pass the filter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.models.fit import fit
from app.models.library import LibraryModel
from app.models.model_words import fit_words
from app.views.controls import Tone
from app.views.library.parts import LibraryParts
from app.views.library.words import (
    TONES,
    caches_of,
    facts_of,
    short_name,
    speculation_of,
    verdict_words,
)

Index = QModelIndex | QPersistentModelIndex
# Where more runs of rows come or go at once, as by a filter, all rows are new to the view.
MOST_RUNS = 50


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One row; `mark` says that it is in use."""

    model: LibraryModel
    title: str
    facts: str
    chips: tuple[str, ...]
    verdict: str
    tone: Tone
    mark: str
    is_grey: bool

    @property
    def told(self) -> str:
        """As it is read out."""
        parts = (self.title, self.mark, self.facts, *self.chips, self.verdict)
        return ", ".join(part for part in parts if part)


@dataclass(slots=True, eq=False)
class _Entry:
    """A model and its title; another object where either is another.

    `searched` is what the filter looks through, and `row` is what is read: made when first wanted.
    """

    model: LibraryModel
    title: str
    searched: str = ""
    row: ModelRow | None = None


class ModelRows(QAbstractListModel):
    """Follows the library when told to: there may be thousands, so only what changed is touched."""

    def __init__(self, parts: LibraryParts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._all: dict[str, _Entry] = {}
        self._shown: list[_Entry] = []
        self._places: dict[str, int] = {}
        self._used, self._mark = "", ""
        self.filter = ""
        self.refresh()

    def refresh(self) -> None:
        """Take over what is in the library now: rows leave, change places, come, and change."""
        titles, before = self._parts.library.titles, self._all
        self._all = {}
        for model in self._parts.library.models:
            title, entry = titles[model.target], before.get(model.target)
            if entry is None or entry.model is not model or entry.title != title:
                entry = _Entry(model, title)
            self._all[model.target] = entry
        self._show(self._passing(_ordered(list(self._all.values()))))
        self.follow_use()

    def refit(self) -> None:
        """Another amount of memory is free: every verdict may be another."""
        for each in self._all.values():
            each.row = None
        self._tell([(0, len(self._shown) - 1)] if self._shown else [])

    def follow_use(self) -> None:
        """Another model is in use or on its way into memory, or the same is further."""
        state = self._parts.model
        model = self._parts.library.find(state.name) if state.name else None
        used = model.target if model is not None else ""
        mark = {"ready": self.tr("in use"), "loading": self.tr("loading")}.get(state.stage, "")
        if (used, mark) != (self._used, self._mark):
            touched = [each for each in {self._used, used} if each in self._all]
            self._used, self._mark = used, mark
            for each in touched:
                self._all[each].row = None
            self._tell(
                _runs(sorted(self._places[each] for each in touched if each in self._places))
            )

    def row(self, index: Index) -> ModelRow | None:
        """What stands in a row; None outside."""
        if not 0 <= index.row() < len(self._shown):
            return None
        entry = self._shown[index.row()]
        if entry.row is None:
            entry.row = self._written(entry)
        return entry.row

    def target_at(self, place: int) -> str:
        """The model that stands there; empty outside."""
        return self._shown[place].model.target if 0 <= place < len(self._shown) else ""

    def index_of(self, target: str) -> QModelIndex:
        """Where a model stands; invalid where it does not."""
        place = self._places.get(target)
        return self.index(place) if place is not None else QModelIndex()

    def _passing(self, entries: list[_Entry]) -> list[_Entry]:
        wanted = self.filter.casefold().split()
        if not wanted:
            return entries
        return [each for each in entries if all(word in self._searched(each) for word in wanted)]

    def _searched(self, entry: _Entry) -> str:
        if not entry.searched:
            words = (entry.model.name, entry.title, self._facts(entry.model))
            entry.searched = " ".join(words).casefold()
        return entry.searched

    def _show(self, fresh: list[_Entry]) -> None:
        """These, in this order, with as little ado for the view as it takes."""
        places = {each.model.target: place for place, each in enumerate(fresh)}
        gone = _runs([n for n, each in enumerate(self._shown) if each.model.target not in places])
        come = _runs([n for n, each in enumerate(fresh) if each.model.target not in self._places])
        if len(gone) + len(come) > MOST_RUNS:
            self.beginResetModel()
            self._shown, self._places = fresh, places
            self.endResetModel()
            return
        for first, last in reversed(gone):
            self.beginRemoveRows(QModelIndex(), first, last)
            del self._shown[first : last + 1]
            self.endRemoveRows()
        self._reorder(places)
        for first, last in come:
            self.beginInsertRows(QModelIndex(), first, last)
            self._shown[first:first] = fresh[first : last + 1]
            self.endInsertRows()
        other = [n for n, each in enumerate(fresh) if each is not self._shown[n]]
        self._shown, self._places = fresh, places
        self._tell(_runs(other))

    def _reorder(self, places: dict[str, int]) -> None:
        """Those that stay, as they will stand; what was selected stays selected."""
        now = sorted(self._shown, key=lambda each: places[each.model.target])
        if now == self._shown:
            return
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        where = {id(each): place for place, each in enumerate(now)}
        moved = [self.index(where[id(self._shown[each.row()])]) for each in held]
        self._shown = now
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def _tell(self, runs: list[tuple[int, int]]) -> None:
        for first, last in runs:
            self.dataChanged.emit(self.index(first), self.index(last))

    def _written(self, entry: _Entry) -> ModelRow:
        model, title, survey = entry.model, entry.title, entry.model.survey
        mark = self._mark if model.target == self._used else ""
        facts = self._facts(model)
        if survey.fault is not None:
            words = self.tr("Cannot be used")
            return ModelRow(model, title, facts, (), words, "neutral", mark, True)
        if not model.is_complete:
            words = self.tr("Not complete")
            return ModelRow(model, title, facts, (), words, "caution", mark, True)
        chips = tuple(chip for chip in (caches_of(survey), speculation_of(survey)[0]) if chip)
        verdict = fit(survey, model.habits.context, self._parts.library.free_bytes).verdict
        words, tone = verdict_words(verdict), TONES[verdict]
        return ModelRow(model, title, facts, chips, words, tone, mark, False)

    def _facts(self, model: LibraryModel) -> str:
        """What it is, or why it cannot be used."""
        if model.survey.fault is not None:
            return model.survey.fault
        if not model.is_complete:
            return self.tr("Files of it are missing: get the rest.")
        return facts_of(model.survey)

    def _why(self, row: ModelRow) -> str:
        """The sentence behind a row's verdict."""
        if row.is_grey:
            return row.facts
        model = row.model
        return fit_words(fit(model.survey, model.habits.context, self._parts.library.free_bytes))[1]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            name = short_name(row.model.name)
            return f"{name}\n{self._why(row)}"
        return row.told if role == Qt.ItemDataRole.AccessibleTextRole else None


def _ordered(entries: list[_Entry]) -> list[_Entry]:
    """As the library has them, those that cannot be used last."""
    faulty = [each for each in entries if each.model.survey.fault is not None]
    return [each for each in entries if each.model.survey.fault is None] + faulty


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of neighbours, of places that go up."""
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = runs[-1][0], place
        else:
            runs.append((place, place))
    return runs
