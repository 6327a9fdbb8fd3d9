"""The ways to run a reply again, as check boxes by group."""

from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from app.models.variants import Group, Variant
from app.theme import Theme
from app.views.compare.check import Check

_LABEL_WIDTH = 90


class VariantChoices(QWidget):
    """What a person checked stays checked from reply to reply, by its label."""

    changed = Signal()
    rebuilt = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._variants: tuple[Variant, ...] = ()
        self._wishes: dict[str, bool] = {}
        self.checks: dict[str, Check] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)

    @property
    def chosen(self) -> tuple[Variant, ...]:
        """The checked variants, in the order they are run."""
        return tuple(each for each in self._variants if self.checks[each.label].isChecked())

    def show_variants(self, variants: tuple[Variant, ...]) -> None:
        """Offer these."""
        if variants == self._variants:
            return
        had_focus = next((name for name, box in self.checks.items() if box.hasFocus()), None)
        self._clear()
        self._variants = variants
        for number, (group, members) in enumerate(groupby(variants, lambda each: each.group)):
            self._add_group(number, group, list(members))
        if had_focus in self.checks:
            self.checks[had_focus].setFocus()
        self.rebuilt.emit()
        self.changed.emit()

    def _add_group(self, row: int, group: Group, members: list[Variant]) -> None:
        name = self._name(group)
        label = QLabel(name, self)
        label.setObjectName("muted")
        holder = QWidget(self)
        boxes = QHBoxLayout(holder)
        boxes.setContentsMargins(0, 0, 0, 0)
        boxes.setSpacing(9)
        for each in members:
            box = Check(each.choice, self._theme, holder)
            box.setAccessibleName(self.tr("Run again: {0}").format(each.label))
            box.setToolTip(each.meaning)
            box.setChecked(self._wishes.get(each.label, each.is_usual))
            box.toggled.connect(lambda is_on, wish=each.label: self._on_toggled(wish, is_on))
            self.checks[each.label] = box
            boxes.addWidget(box)
        boxes.addStretch(1)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(holder, row, 1)

    def _clear(self) -> None:
        self.checks.clear()
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _on_toggled(self, label: str, is_on: bool) -> None:
        self._wishes[label] = is_on
        self.changed.emit()

    def _name(self, group: Group) -> str:
        names: dict[Group, str] = {
            "baseline": self.tr("Baseline"),
            "drafter": self.tr("Drafter"),
            "length": self.tr("Draft length"),
            "rollback": self.tr("Rollback"),
        }
        return names[group]
