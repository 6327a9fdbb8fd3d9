"""The counters of the shown reply, by the names of the glossary: one a line, explained on hover."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.reply import Reply
from app.models.summary import gigabytes, percent, rate
from app.theme import Theme, sans
from app.views.inspector.figures import figures
from app.views.inspector.frame import Frame
from engine import Kept

_DEFINITIONS = {
    "acceptance": "accepted drafts / verified drafts",
    "tokens per step": "emitted tokens / steps",
    "steps with a draft": "steps that verified a draft / steps",
    "time to first token": "from the start of the request to the first token",
    "prompt tokens reused": "prompt tokens taken from kept caches",
    "prompt tokens read": "prompt tokens run through the model for this reply",
    "forwards": "forward passes of decoding",
    "tokens": "tokens that were emitted",
    "replay attempts": (
        "steps that kept part of a draft and rebuilt the recurrent state for it"
    ),
    "replay emitted": "tokens that those steps emitted",
    "replay failures": "caches that could not be rolled back",
    "near-ties decided alone": (
        "positions too close for a block to decide, given a forward of a single token instead"
    ),
    "excluded tokens": "drafted tokens cut because their ids are excluded",
    "dropped tokens": (
        "drafted tokens that had matched, and were thrown away because replay is off"
    ),
    "kept for reuse": (
        "memory of the caches kept for later turns, of what may be used for it (--reuse-memory)"
    ),
}  # fmt: skip
_ROW, _PIXELS = 22, 13
# A wide pane has several columns, of at least this width.
_COLUMN, _GUTTER = 270, 32


class Counters(Frame):
    """Reads a reply; shows a dash where it has no number.

    Painted: numbers change all the time, and labels would have the pane laid out for each.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self._values: dict[str, str] = {}
        self.setAccessibleName(self.tr("Counters"))
        # Not fixed: that would hold it to the height of its size hint, which is for one width.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def names(self) -> tuple[str, ...]:
        """What is counted."""
        return tuple(_DEFINITIONS)

    def value(self, name: str) -> str:
        """What a counter shows."""
        return self._values.get(name, "–")

    def show_reply(self, reply: Reply | None) -> None:
        """The numbers of this reply so far."""
        values = _values(reply) if reply is not None else {}
        if values != self._values:
            self._values = values
            self.describe(", ".join(f"{name} {self.value(name)}" for name in self.names))
            self.update()

    def words_at(self, place: QPoint) -> str:
        """The counter under the mouse."""
        cells = zip(self.names, self._cells(self.width()), strict=True)
        found = (f"{name}: {_DEFINITIONS[name]}" for name, cell in cells if cell.contains(place))
        return next(found, "")

    def _cells(self, width: int) -> list[QRect]:
        """A line for each, column by column."""
        num_columns = max((width + _GUTTER) // (_COLUMN + _GUTTER), 1)
        num_rows = -(-len(_DEFINITIONS) // num_columns)
        size = QSize((width + _GUTTER) // num_columns - _GUTTER, _ROW)
        return [
            QRect(QPoint(column * (size.width() + _GUTTER), row * _ROW), size)
            for column, row in (divmod(number, num_rows) for number in range(len(_DEFINITIONS)))
        ]

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(cell.top() for cell in self._cells(width)) + _ROW

    def paintEvent(self, event: QPaintEvent) -> None:
        colors, middle = self.theme.palette, Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            for name, cell in zip(self.names, self._cells(self.width()), strict=True):
                if not cell.intersects(event.rect()):
                    continue
                painter.setFont(sans(_PIXELS))
                painter.setPen(QColor(colors.muted))
                painter.drawText(cell, middle, name)
                painter.setFont(figures(_PIXELS))
                painter.setPen(QColor(colors.text))
                painter.drawText(cell, middle | Qt.AlignmentFlag.AlignRight, self.value(name))
            self.paint_focus(painter)


def _values(reply: Reply) -> dict[str, str]:
    stats = reply.statistics
    if reply.run is None or stats is None:
        return {}
    replay, first = reply.run.replay, stats.first_token_seconds
    drafting = reply.run.num_with_draft / stats.steps if stats.steps else None
    return {
        "acceptance": percent(stats.acceptance, 1),
        "tokens per step": rate(stats.tokens_per_step),
        "steps with a draft": percent(drafting, 1),
        "time to first token": "–" if first is None else f"{first:.2f} s",
        "prompt tokens reused": f"{stats.reused_tokens:,}",
        "prompt tokens read": f"{stats.prompt_tokens - stats.reused_tokens:,}",
        "forwards": f"{stats.forwards:,}",
        "tokens": f"{stats.emitted:,}",
        "replay attempts": f"{replay.attempts:,}",
        "replay emitted": f"{replay.emitted:,}",
        "replay failures": f"{replay.failures:,}",
        "near-ties decided alone": f"{stats.guarded:,}",
        "excluded tokens": f"{stats.excluded:,}",
        "dropped tokens": f"{stats.dropped:,}",
        "kept for reuse": _kept(reply.kept),
    }


def _kept(kept: Kept | None) -> str:
    if kept is None:
        return "–"
    if kept.budget_bytes == 0:
        return "off"
    return f"{gigabytes(kept.bytes)} of {gigabytes(kept.budget_bytes)}"
