"""What a forward takes by its width, measured once and refreshed by real steps. Pure Python."""

# A forward of w tokens against one token where nothing was measured: mildly more.
UNMEASURED_SLOPE = 0.05
SMOOTHING = 0.2
TABLE_WIDTH = 64
# What one width turns out to cost is half as true of the next ones, up to so many.
NEIGHBOURS = 3


class CostTable:
    """Seconds of a forward by width, relative to a plain step; smoothed over real steps."""

    def __init__(self, seconds_by_width: dict[int, float] | None = None) -> None:
        measured = seconds_by_width or {}
        self.plain_seconds: float | None = measured.get(1)
        base = self.plain_seconds
        known = {width: s / base for width, s in measured.items()} if base else {}
        self._relative = _drawn_between({1: 1.0} | known)

    def observe(self, width: int, seconds: float) -> None:
        """Take in a real step of `width` tokens; one slow outlier moves little."""
        if width == 1:
            known = self.plain_seconds or seconds
            self.plain_seconds = known + SMOOTHING * (min(seconds, 3 * known) - known)
        elif self.plain_seconds and width < len(self._relative):
            expected = self._relative[width]
            ratio = min(seconds / self.plain_seconds, 3 * expected)
            error = ratio / expected - 1.0
            table = self._relative
            for near in range(max(2, width - NEIGHBOURS), min(len(table), width + NEIGHBOURS + 1)):
                table[near] *= 1.0 + SMOOTHING * error / 2 ** abs(near - width)

    def relatives(self, width: int, count: int) -> list[float]:
        """The costs of `count` widths from this one on."""
        if width + count <= len(self._relative):
            return self._relative[width : width + count]
        return [self.relative(each) for each in range(width, width + count)]

    def relative(self, width: int) -> float:
        """The cost of `width` tokens in plain steps; past the table, as its last step goes on."""
        table = self._relative
        if width < len(table):
            return table[width]
        return table[-1] + max(0.0, table[-1] - table[-2]) * (width - len(table) + 1)


def _drawn_between(known: dict[int, float]) -> list[float]:
    """Relative cost at every width of the table, on straight lines between the known ones."""
    widths = sorted(known)
    table = [0.0]
    for width in range(1, TABLE_WIDTH):
        below = max(w for w in widths if w <= width)
        above = min((w for w in widths if w > width), default=None)
        if above is not None:
            slope = (known[above] - known[below]) / (above - below)
        else:
            slope = (known[below] - 1.0) / (below - 1) if below > 1 else UNMEASURED_SLOPE
        table.append(known[below] + max(slope, 0.0) * (width - below))
    return table
