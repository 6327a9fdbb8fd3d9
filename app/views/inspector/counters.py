"""The counters of the shown reply, by the names of the glossary, each explained on hover."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.models.phases import PHASES, shares
from app.models.reply import Reply
from app.models.summary import gigabytes, percent, rate
from app.views.steady_label import SteadyLabel
from engine import Kept

_IN_PHASES = "time in draft · verify · roll back · emit · interface"
_DEFINITIONS = {
    "acceptance": "accepted drafts / verified drafts",
    "tokens per step": "emitted tokens / steps",
    "share of steps with a draft": "steps that verified a draft / steps",
    "seconds to first token": "from the start of the request to the first token",
    "prompt reused · read": "prompt tokens taken from kept caches, and run through the model now",
    "replay attempts · emitted · failures": (
        "steps that kept part of a draft and rebuilt the recurrent state for it, the tokens they "
        "emitted, and caches that could not be rolled back"
    ),
    "forwards · tokens": "forward passes of decoding, and the tokens they emitted",
    "near-ties decided alone": (
        "positions too close for a block to decide, given a forward of a single token instead"
    ),
    "excluded drafts": "drafted tokens cut because their ids are excluded",
    "dropped": "drafted tokens that had matched, and were thrown away because replay is off",
    "kept for reuse": (
        "memory of the caches kept for later turns, of what may be used for it (--reuse-memory)"
    ),
    _IN_PHASES: (
        "each phase's part of the time from the end of prefill to the last token, in per cent; "
        "interface is the time between steps that is not their own"
    ),
}
# Named over two columns, the value below: too long to stand beside it.
_WIDE = {_IN_PHASES}


class Counters(QWidget):
    """Reads a reply; shows a dash where it has no number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, SteadyLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        row = 0
        for name, definition in _DEFINITIONS.items():
            label, value = QLabel(name, self), SteadyLabel("–", self)
            label.setObjectName("muted")
            value.setAccessibleName(name)
            for widget in (label, value):
                widget.setToolTip(definition)
                widget.setAccessibleDescription(definition)
            self._values[name] = value
            is_wide = name in _WIDE
            grid.addWidget(label, row, 0, 1, 2 if is_wide else 1)
            row += is_wide
            place = (row, 0, 1, 2) if is_wide else (row, 1, 1, 1)
            grid.addWidget(value, *place, Qt.AlignmentFlag.AlignRight)
            row += 1

    @property
    def names(self) -> tuple[str, ...]:
        """What is counted."""
        return tuple(self._values)

    def value(self, name: str) -> str:
        """What a counter shows."""
        return self._values[name].text()

    def show_reply(self, reply: Reply | None) -> None:
        """The numbers of this reply so far."""
        texts = _texts(reply) if reply is not None else {}
        for name, label in self._values.items():
            label.show_words(texts.get(name, "–"))


def _texts(reply: Reply) -> dict[str, str]:
    stats = reply.statistics
    if reply.run is None or stats is None:
        return {}
    replay, first = reply.run.replay, stats.first_token_seconds
    read = stats.prompt_tokens - stats.reused_tokens
    drafting = reply.run.num_with_draft / stats.steps if stats.steps else None
    return {
        "acceptance": percent(stats.acceptance, 1),
        "tokens per step": rate(stats.tokens_per_step),
        "share of steps with a draft": percent(drafting, 1),
        "seconds to first token": "–" if first is None else f"{first:.2f} s",
        "prompt reused · read": f"{stats.reused_tokens:,} · {read:,}",
        "replay attempts · emitted · failures": (
            f"{replay.attempts} · {replay.emitted} · {replay.failures}"
        ),
        "forwards · tokens": f"{stats.forwards:,} · {stats.emitted:,}",
        "near-ties decided alone": f"{stats.guarded:,}",
        "excluded drafts": f"{stats.excluded:,}",
        "dropped": f"{stats.dropped:,}",
        "kept for reuse": _kept(reply.kept),
        _IN_PHASES: _phases(reply.run.phase_seconds),
    }


def _phases(seconds: Mapping[str, float]) -> str:
    parts = shares(seconds)
    if not parts:
        return "–"
    order = (*PHASES[1:], PHASES[0])
    return " · ".join(f"{parts[name] * 100:.1f}" for name in order) + " %"


def _kept(kept: Kept | None) -> str:
    if kept is None:
        return "–"
    if kept.budget_bytes == 0:
        return "off"
    return f"{gigabytes(kept.bytes)} of {gigabytes(kept.budget_bytes)}"
