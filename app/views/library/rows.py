"""The rows of the models on this machine: what is written in each, and which pass the filter."""

from collections.abc import Iterable
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
from engine import ModelSurvey

Index = QModelIndex | QPersistentModelIndex


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


class ModelRows(QAbstractListModel):
    """Follows the library when told to `refresh`; rows that read the same stay untouched."""

    def __init__(self, parts: LibraryParts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._rows: list[ModelRow] = []
        self._known: dict[str, tuple[ModelSurvey, str, tuple[str, ...]]] = {}
        self.filter = ""
        self.refresh()

    def refresh(self) -> None:
        """Take over what is in the library now."""
        fresh = [self._row(model) for model in _ordered(self._parts.library.models)]
        wanted = self.filter.casefold().split()
        if wanted:
            fresh = [row for row in fresh if all(word in _searched(row) for word in wanted)]
        before = self._rows
        if [row.model.target for row in before] != [row.model.target for row in fresh]:
            self.beginResetModel()
            self._rows = fresh
            self.endResetModel()
            return
        self._rows = fresh
        for number, (old, new) in enumerate(zip(before, fresh, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(number), self.index(number))

    def row(self, index: Index) -> ModelRow | None:
        """What stands in a row; None outside."""
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None

    def index_of(self, target: str) -> QModelIndex:
        """Where a model stands; invalid where it does not."""
        for number, row in enumerate(self._rows):
            if row.model.target == target:
                return self.index(number)
        return QModelIndex()

    def _row(self, model: LibraryModel) -> ModelRow:
        survey, parts = model.survey, self._parts
        mark = self.tr("in use") if parts.is_loaded(model.target) else ""
        mark = self.tr("loading") if parts.is_loading(model.target) else mark
        title = parts.library.title(model.target)
        if survey.fault is not None:
            words = self.tr("Cannot be used")
            return ModelRow(model, title, survey.fault, (), words, "neutral", mark, True)
        if not model.is_complete:
            words = self.tr("Not complete")
            why = self.tr("Files of it are missing: get it again to fetch the rest.")
            return ModelRow(model, title, why, (), words, "caution", mark, True)
        facts, chips = self._facts(survey)
        verdict = fit(survey, model.habits.context, parts.library.free_bytes).verdict
        words, tone = verdict_words(verdict), TONES[verdict]
        return ModelRow(model, title, facts, chips, words, tone, mark, False)

    def _facts(self, survey: ModelSurvey) -> tuple[str, tuple[str, ...]]:
        """What does not change with memory is put in words once."""
        known = self._known.get(survey.path)
        if known is None or known[0] is not survey:
            chips = tuple(chip for chip in (caches_of(survey), speculation_of(survey)[0]) if chip)
            known = self._known[survey.path] = (survey, facts_of(survey), chips)
        return known[1:]

    def _why(self, row: ModelRow) -> str:
        """The sentence behind a row's verdict."""
        if row.is_grey:
            return row.facts
        model = row.model
        return fit_words(fit(model.survey, model.habits.context, self._parts.library.free_bytes))[1]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

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


def _ordered(models: Iterable[LibraryModel]) -> list[LibraryModel]:
    """As the library has them, those that cannot be used last."""
    return sorted(models, key=lambda each: each.survey.fault is not None)


def _searched(row: ModelRow) -> str:
    return f"{row.model.name} {row.title} {row.facts}".casefold()
