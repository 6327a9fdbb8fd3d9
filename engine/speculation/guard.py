"""The exactness guard: how near a tie is too near for a block of some width to decide.

A block may round differently from single tokens; where the choice leads by no more than twice the
largest difference the probe saw, a forward of that one token decides instead.
"""

from engine.model_info import Probe


class Guard:
    """Margins in logits by width of the forward."""

    def __init__(self, probe: Probe | None) -> None:
        widths = sorted(probe.widths, key=lambda each: each.width) if probe is not None else []
        largest = 0.0
        self._margins: list[tuple[int, float]] = []
        for each in widths:
            largest = max(largest, each.largest_difference)
            self._margins.append((each.width, 2.0 * largest))

    @property
    def widest(self) -> float:
        """The margin of the widest block that was probed; 0 where nothing was."""
        return self._margins[-1][1] if self._margins else 0.0

    def margin(self, width: int) -> float:
        """The lead, in logits, at or under which a forward of `width` tokens does not decide.

        That of the next probed width; a single token always decides.
        """
        if width <= 1:
            return 0.0
        return next((margin for probed, margin in self._margins if probed >= width), self.widest)
