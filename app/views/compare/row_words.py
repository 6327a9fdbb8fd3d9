"""The selected row explained in words: does it pay, is the text the same, and if not, why."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.models.comparison import Comparison, Row, RowNumbers
from app.models.difference import Choice, Difference
from app.views.compare.figures import chance, chosen, quoted

# Single runs of the same thing differ by this much; below it a ratio says little.
_LEVEL = 0.05


class RowWords(QLabel):
    """A few sentences; selectable, so that they can be copied into a report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_row(self, comparison: Comparison, row: Row | None) -> None:
        """Explain this row."""
        text = "\n\n".join(self._paragraphs(comparison, row)) if row is not None else ""
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)

    def _paragraphs(self, comparison: Comparison, row: Row) -> list[str]:
        numbers = comparison.numbers(row)
        if row.ids is None:
            return self._about_first(numbers)
        parts: list[str] = []
        if row.state == "waiting":
            return [self.tr("It waits for its turn.")]
        if row.state == "not run":
            return [self.tr("It was not run: the comparison was stopped before its turn.")]
        if row.state == "failed":
            parts.append(row.failure)
        if row.state == "cancelled":
            parts.append(self.tr("It was stopped before its end."))
        if row.is_over and numbers is not None:
            parts += self._about_speed(comparison, row, numbers)
        parts += self._about_config(row)
        if row.ids.difference is not None:
            parts += self._about_difference(row, row.ids.difference)
        elif row.is_over and row.ids.num_equal:
            parts.append(self._about_equality(row.ids.num_equal, row.ids.verdict == "equal"))
        return parts or [self.tr("It is running.")]

    def _about_first(self, numbers: RowNumbers | None) -> list[str]:
        parts = [self.tr("The reply as it was written; it is not run again.")]
        if numbers is not None and numbers.num_reused:
            parts.append(
                self.tr(
                    "It began with {0:,} prompt tokens reused from earlier turns. The reruns read"
                    " the whole prompt, so seconds to first token do not compare with it."
                ).format(numbers.num_reused)
            )
        return parts

    def _about_speed(self, comparison: Comparison, row: Row, numbers: RowNumbers) -> list[str]:
        yardstick = comparison.yardstick
        if yardstick is row:
            return [self.tr("The yardstick: the other speeds are divided by this one.")]
        if yardstick is None or numbers.ratio is None:
            return []
        likeness = comparison.likeness(row)
        if abs(numbers.ratio - 1) < _LEVEL:
            words = self.tr("About as fast as {0} ({1:.2f}×).")
        elif likeness == "plain":
            words = self.tr(
                "Neither made a draft: both decoded plainly, and the difference in speed"
                " ({1:.2f}× that of {0}) is noise."
            )
        elif likeness == "same":
            words = self.tr(
                "The settings and the steps were those of {0}: the difference in speed"
                " ({1:.2f}× that of {0}) is noise."
            )
        elif numbers.ratio > 1:
            words = self.tr("Faster than {0}: {1:.2f}× its speed.")
        else:
            words = self.tr("Slower than {0}: {1:.2f}× its speed.")
        return [words.format(yardstick.label, numbers.ratio)]

    def _about_config(self, row: Row) -> list[str]:
        """Notices, where what ran is not what was asked."""
        speculation = row.reply.speculation
        if speculation is not None and not speculation[0] and not row.is_plain:
            return [self.tr("No drafts in the end: {0}.").format(speculation[1].rstrip("."))]
        return list(row.reply.notices)

    def _about_equality(self, num_equal: int, is_whole: bool) -> str:
        if is_whole and num_equal == 1:
            return self.tr("The text is the same: its one id is equal.")
        if is_whole:
            return self.tr("The text is the same: all {0:,} ids are equal.").format(num_equal)
        if num_equal == 1:
            return self.tr("The first id is equal; one of the two goes no further.")
        return self.tr("The first {0:,} ids are equal; one of the two goes no further.").format(
            num_equal
        )

    def _about_difference(self, row: Row, difference: Difference) -> list[str]:
        first, other = chosen(difference)
        parts = [
            self.tr("The texts part at token {0:,}: {1} in this reply, {2} in {3}.").format(
                difference.position + 1, first, other, row.label
            )
        ]
        for name, side in (
            (self.tr("this reply"), difference.first),
            (row.label, difference.other),
        ):
            words = self._about_choice(side)
            if words:
                parts.append(f"{name[0].upper()}{name[1:]}: {words}")
        if difference.first.token is not None and difference.other.token is not None:
            parts.append(self._about_tie(difference))
        return parts

    def _about_choice(self, side: Choice) -> str:
        likeliest = ", ".join(f"{quoted(text)} {chance(p)}" for text, p in side.likeliest)
        lead = ""
        if side.margin is not None and math.isfinite(side.margin):
            lead = self.tr("{0} led by {1:.3f} logits").format(quoted(side.text), side.margin)
        if likeliest:
            likeliest = self.tr("likeliest {0}").format(likeliest)
        return "; ".join(part for part in (lead, likeliest) if part)

    def _about_tie(self, difference: Difference) -> str:
        guard = difference.guard_margin
        if difference.first.margin is None:
            return self.tr("The lead was not recorded, so how near a tie this is cannot be said.")
        if difference.is_near_tie is None:
            return self.tr(
                "Whether that is a near-tie is not known: the guard, which knows by how much"
                " blocks may differ on this model, was off."
            )
        if difference.is_near_tie:
            return self.tr(
                "A near-tie: rounding in a block may turn leads of up to {0:.3f} logits here."
            ).format(guard)
        return self.tr(
            "Not a near-tie: rounding in a block turns leads of up to {0:.3f} logits here,"
            " so this is a fault: report it."
        ).format(guard)
