"""The figures under a bar of phases: each phase's name over its number, in columns of their own."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.models.phases import LABELS, MEANINGS, PHASES, PhaseName
from app.theme import Theme, sans
from app.views.inspector.figures import figures

_PIXELS, _SMALL_PIXELS = 12, 11
_LINE = 17
_LEAST_GAP, _MOST_GAP = 6.0, 28.0
_WIDEST_VALUE = "888.8 ms"
# Room for this strategy is kept, whichever there is, so that no column moves.
_WIDEST_NAME: dict[PhaseName, str] = {"rollback": f"{LABELS['rollback']} · discard"}


class PhaseTimes(QWidget):
    """Painted, so that a number that changes has nothing laid out anew; in the order of the bar."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values: dict[PhaseName, str] = {}
        self._labels: dict[PhaseName, str] = {}
        self._pixels, self._widths = _PIXELS, [0.0] * len(PHASES)
        self.setAccessibleName(name)
        self.setFixedHeight(2 * _LINE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_values(
        self, values: Mapping[PhaseName, str], labels: Mapping[PhaseName, str] | None = None
    ) -> None:
        """Other numbers, dashes where there are none; `labels` of phases that say more."""
        fresh = dict(values), dict(labels or {})
        if fresh != (self._values, self._labels):
            self._values, self._labels = fresh
            told = (f"{self.label(name)} {self.value(name)}" for name in PHASES)
            self.setAccessibleDescription(", ".join(told))
            self.update()

    def value(self, name: PhaseName) -> str:
        """A phase's number."""
        return self._values.get(name, "–")

    def label(self, name: PhaseName) -> str:
        """What a phase is called."""
        return self._labels.get(name, LABELS[name])

    def columns(self) -> dict[PhaseName, QRectF]:
        """Where each phase stands."""
        num_gaps, widths = len(PHASES) - 1, self._widths
        gap = min(max((self.width() - sum(widths)) / num_gaps, 0.0), _MOST_GAP)
        lefts = [sum(widths[:number]) + number * gap for number in range(len(PHASES))]
        return {
            name: QRectF(left, 0, width, self.height())
            for name, left, width in zip(PHASES, lefts, widths, strict=True)
        }

    def _fit(self) -> None:
        """The largest of the looks that there is room for: long names, short ones, small ones."""
        looks: tuple[tuple[int, Mapping[PhaseName, str]], ...]
        looks = ((_PIXELS, _WIDEST_NAME), (_PIXELS, {}), (_SMALL_PIXELS, {}))
        for pixels, names in looks:
            self._pixels = pixels
            metrics = QFontMetricsF(figures(pixels))
            least = metrics.horizontalAdvance(_WIDEST_VALUE)
            texts = (names.get(name, LABELS[name]) for name in PHASES)
            self._widths = [max(metrics.horizontalAdvance(text), least) for text in texts]
            if sum(self._widths) + (len(PHASES) - 1) * _LEAST_GAP <= self.width():
                break

    def sizeHint(self) -> QSize:
        return QSize(320, 2 * _LINE)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = event.pos().toPointF()
            words = (
                f"{self.label(name)} {self.value(name)}: {MEANINGS[name]}"
                for name, column in self.columns().items()
                if column.contains(at)
            )
            QToolTip.showText(event.globalPos(), next(words, ""), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            names, numbers = sans(self._pixels), figures(self._pixels)
            metrics, top = QFontMetricsF(names), Qt.AlignmentFlag.AlignVCenter
            for name, column in self.columns().items():
                label = self.label(name)
                is_long = metrics.horizontalAdvance(label) > column.width() + 1
                painter.setFont(names)
                painter.setPen(QColor(colors.muted))
                upper = QRectF(column.left(), 0, column.width() + _MOST_GAP, _LINE)
                painter.drawText(upper, top, LABELS[name] if is_long else label)
                painter.setFont(numbers)
                painter.setPen(QColor(colors.text))
                painter.drawText(upper.translated(0, _LINE), top, self.value(name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
