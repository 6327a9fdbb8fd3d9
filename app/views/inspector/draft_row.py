"""A step's draft laid out token by token, with what became of each, then the model's own token.

Signs as in the reply: a tint and an underline for tokens of the text. Rejected ones are struck out,
the first beside what the model chose; excluded ones stand crossed in a dotted box; those that
matched and were thrown away are struck out in a solid box.
"""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.reply import Reply
from app.models.step_facts import FATES, Fate, StepFacts, step_facts
from app.models.step_story import word
from app.models.summary import MEANINGS
from app.theme import Theme, mono
from app.views.inspector.frame import Frame
from app.views.inspector.patterns import Patterns
from app.views.origin_marks import paint_mark
from engine import Origin, StepRecord

# Nobody reads more of one step; a trace may hold any number.
MOST_CHIPS = 300
_ROW = 28
_PIXELS = 12
_HEIGHT = 21
_GAP = 6
_PAD = 4
_CROSS = 10
_ARROW = "→"
_STRUCK: frozenset[str] = frozenset({"rejected", "behind", "dropped"})


@dataclass(frozen=True, slots=True)
class Chip:
    """A token as it is shown; `number` is its place among the emitted, None where it is not one."""

    text: str
    kind: Fate | Origin
    number: int | None
    words: str
    is_instead: bool = False


def chips_of(reply: Reply, record: StepRecord, facts: StepFacts) -> tuple[Chip, ...]:
    """The tokens of a step in the order in which they are shown."""
    chips: list[Chip] = []
    own = [
        Chip(word(reply, token), kind, number, _said(reply, token, kind, MEANINGS[kind]))
        for number, (token, kind) in enumerate(facts.own, record.accepted)
    ]
    for place, token in enumerate(facts.draft):
        number = place if place < record.accepted else None
        said = _said(reply, token.token, token.fate, FATES[token.fate])
        chips.append(Chip(word(reply, token.token), token.fate, number, said))
        if token.instead is not None:
            # Beside what it took the place of.
            chips += [replace(chip, is_instead=True) for chip in own]
            own = []
    return (*chips, *own)


def _said(reply: Reply, token: int, kind: str, meaning: str) -> str:
    return f"“{word(reply, token)}” (id {token}), {kind}: {meaning}"


class DraftRow(Frame):
    """Wraps; at most `max_lines` lines where that is given, and says how many tokens it left out.

    `token_chosen` has the place among the step's emitted tokens of the one that was clicked.
    """

    token_chosen = Signal(int)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, max_lines: int | None = None
    ) -> None:
        super().__init__(theme, "", parent)
        self._patterns = Patterns(theme)
        self._max_lines = max_lines
        self.chips: tuple[Chip, ...] = ()
        self._num_left_out = 0
        self.setAccessibleName(self.tr("Draft"))
        # Not fixed: that would hold it to the height of its size hint, which is for one width.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(max_lines is None)
        self.setSizePolicy(policy)
        if max_lines is not None:
            self.setFixedHeight(max_lines * _ROW)

    def show_step(self, reply: Reply | None, record: StepRecord | None) -> None:
        """Another step, or none."""
        chips: tuple[Chip, ...] = ()
        if reply is not None and record is not None:
            chips = chips_of(reply, record, step_facts(record))
        shown = chips[:MOST_CHIPS]
        self._num_left_out = len(chips) - len(shown)
        if shown != self.chips:
            self.chips = chips = shown
            self.describe("; ".join(chip.words for chip in chips))
            self.updateGeometry()
            self.update()

    def laid_out(self, width: int) -> list[tuple[Chip, QRectF]]:
        """Each chip that is shown, and where."""
        metrics = QFontMetricsF(mono(_PIXELS))
        placed: list[tuple[Chip, QRectF]] = []
        x, line = 0.0, 0
        for chip in self.chips:
            size = metrics.horizontalAdvance(chip.text) + 2 * _PAD
            size = min(size + (_CROSS if chip.kind == "excluded" else 0), float(width))
            lead = self._lead(metrics) if chip.is_instead else 0.0
            if x and x + lead + size > width:
                x, line = 0.0, line + 1
            if self._max_lines is not None and line >= self._max_lines:
                break
            x += lead
            placed.append((chip, QRectF(x, line * _ROW + (_ROW - _HEIGHT) / 2, size, _HEIGHT)))
            x += size + _GAP
        return placed

    def words_at(self, place: QPoint) -> str:
        """The token under the mouse."""
        chip = self._chip_at(place)
        return chip.words if chip is not None else ""

    def _chip_at(self, place: QPoint) -> Chip | None:
        for chip, rect in self.laid_out(self.width()):
            if rect.contains(place.toPointF()):
                return chip
        return None

    @staticmethod
    def _lead(metrics: QFontMetricsF) -> float:
        return metrics.horizontalAdvance(_ARROW) + _GAP

    def _paint_chip(self, painter: QPainter, chip: Chip, rect: QRectF) -> None:
        colors = self.theme.palette
        font = mono(_PIXELS)
        font.setStrikeOut(chip.kind in _STRUCK)
        painter.setFont(font)
        is_text = chip.number is not None
        if chip.kind in ("accepted", "replayed", "corrected", "bonus"):
            paint_mark(painter, self.theme, chip.kind, rect)
        elif chip.kind == "generated":
            painter.fillRect(rect, self.theme.tint("generated"))
        elif chip.kind != "rejected" and chip.kind != "behind":
            style = Qt.PenStyle.SolidLine if chip.kind == "dropped" else Qt.PenStyle.DotLine
            painter.setPen(QPen(QColor(colors.muted), 1, style))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
        inner = rect.adjusted(_PAD, 0, -_PAD, -1)
        if chip.kind == "excluded":
            self._patterns.cross(painter, QRectF(rect.left() + 3, rect.top(), 8, rect.height()))
            inner.setLeft(inner.left() + _CROSS)
        painter.setPen(QColor(colors.text if is_text else colors.muted))
        text = QFontMetricsF(font).elidedText(
            chip.text, Qt.TextElideMode.ElideRight, inner.width() + 1
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)

    def paint(self, painter: QPainter) -> None:
        """The chips, and how many there is no room for."""
        painter.setFont(mono(_PIXELS))
        placed = self.laid_out(self.width())
        for chip, rect in placed:
            if chip.is_instead:
                painter.setFont(mono(_PIXELS))
                painter.setPen(QColor(self.theme.palette.muted))
                lead = self._lead(QFontMetricsF(mono(_PIXELS)))
                room = QRectF(rect.left() - lead, rect.top(), lead, rect.height() - 1)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, _ARROW)
            self._paint_chip(painter, chip, rect)
        left_out = self._num_left_out + len(self.chips) - len(placed)
        if left_out and placed:
            self._paint_rest(painter, left_out)

    def _paint_rest(self, painter: QPainter, left_out: int) -> None:
        words = f"+{left_out}"
        size = QFontMetricsF(mono(_PIXELS)).horizontalAdvance(words) + 2 * _PAD
        room = QRectF(self.width() - size, self.height() - _ROW, size, _ROW)
        painter.fillRect(room, QColor(self.theme.palette.raised))
        painter.setFont(mono(_PIXELS))
        painter.setPen(QColor(self.theme.palette.muted))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def hasHeightForWidth(self) -> bool:
        return self._max_lines is None

    def heightForWidth(self, width: int) -> int:
        if self._max_lines is not None:
            return self._max_lines * _ROW
        placed = self.laid_out(width)
        return round(placed[-1][1].bottom() + (_ROW - _HEIGHT) / 2) if placed else _ROW

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        chip = self._chip_at(event.position().toPoint())
        if chip is not None and chip.number is not None:
            self.token_chosen.emit(chip.number)
