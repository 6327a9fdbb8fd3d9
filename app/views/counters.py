"""The counters of the shown reply, by the names of the glossary, each explained on hover."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.models.reply import Reply
from app.models.summary import gigabytes, percent, rate
from engine import Kept

_DEFINITIONS = {
    "acceptance": "accepted drafts / verified drafts",
    "tokens per step": "emitted tokens / steps",
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
    "kept for reuse": (
        "memory of the caches kept for later turns, of what may be used for it (--reuse-memory)"
    ),
}


class Counters(QWidget):
    """Reads a reply; shows a dash where it has no number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        for number, (name, definition) in enumerate(_DEFINITIONS.items()):
            label, value = QLabel(name, self), QLabel("–", self)
            label.setObjectName("muted")
            value.setAccessibleName(name)
            for widget in (label, value):
                widget.setToolTip(definition)
            self._values[name] = value
            grid.addWidget(label, number, 0)
            grid.addWidget(value, number, 1, Qt.AlignmentFlag.AlignRight)

    def value(self, name: str) -> str:
        """What a counter shows."""
        return self._values[name].text()

    def show_reply(self, reply: Reply | None) -> None:
        """The numbers of this reply so far."""
        texts = _texts(reply) if reply is not None else {}
        for name, label in self._values.items():
            label.setText(texts.get(name, "–"))


def _texts(reply: Reply) -> dict[str, str]:
    stats = reply.statistics
    if reply.run is None or stats is None:
        return {}
    replay, first = reply.run.replay, stats.first_token_seconds
    read = stats.prompt_tokens - stats.reused_tokens
    return {
        "acceptance": percent(stats.acceptance, 1),
        "tokens per step": rate(stats.tokens_per_step),
        "seconds to first token": "–" if first is None else f"{first:.2f} s",
        "prompt reused · read": f"{stats.reused_tokens:,} · {read:,}",
        "replay attempts · emitted · failures": (
            f"{replay.attempts} · {replay.emitted} · {replay.failures}"
        ),
        "forwards · tokens": f"{stats.forwards:,} · {stats.emitted:,}",
        "near-ties decided alone": f"{stats.guarded:,}",
        "excluded drafts": f"{stats.excluded:,}",
        "kept for reuse": _kept(reply.kept),
    }


def _kept(kept: Kept | None) -> str:
    if kept is None:
        return "–"
    if kept.budget_bytes == 0:
        return "off"
    return f"{gigabytes(kept.bytes)} of {gigabytes(kept.budget_bytes)}"
