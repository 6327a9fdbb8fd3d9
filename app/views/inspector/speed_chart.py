"""Tokens per second over the reply, against the measured plain speed and the pacing's stretches."""

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from app.models.reply import Reply
from app.models.run import Band, RunStatistics, SpeedPoint
from app.models.summary import rate
from app.models.verdicts import band_words
from app.theme import Theme
from app.views.inspector.chart import Chart
from app.views.inspector.free_spot import SPOTS, free_spot

if TYPE_CHECKING:
    import pyqtgraph

_HEIGHT = 92
_ROOM = 1.3
# The height of a figure, and a little more, in the chart's.
_NEAR = 0.24


class SpeedChart(Chart):
    """Stretches in which drafting stood down are shaded; the mouse is told why."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", _HEIGHT, parent)
        self.setAccessibleName(self.tr("Speed over time"))
        self.points: tuple[SpeedPoint, ...] = ()
        self.bands: tuple[Band, ...] = ()
        self.plain: float | None = None
        self._reply: Reply | None = None
        self._spot = SPOTS[0]
        self.nothing = self.tr("No speed yet")

    def show_reply(self, reply: Reply | None) -> None:
        """The numbers of a reply so far."""
        if reply is not self._reply:
            self._reply, self._spot = reply, SPOTS[0]
        run = reply.run if reply is not None else None
        points = run.speeds if run is not None else ()
        bands = tuple(run.bands) if run is not None else ()
        plain = run.plain_speed if run is not None else None
        nothing = self._nothing(reply, len(points))
        now = (self.points, self.bands, self.plain, self.nothing)
        if (points, bands, plain, nothing) == now:
            return
        self.points, self.bands, self.plain, self.nothing = points, bands, plain, nothing
        self.describe(self._words(run))
        self.changed()

    def build(self, box: "pyqtgraph.ViewBox") -> None:
        """Stretches at the back, the plain speed, the curve."""
        import pyqtgraph

        self._shades = pyqtgraph.BarGraphItem(x0=[], x1=[], y0=0, y1=1)
        self._line = pyqtgraph.InfiniteLine(angle=0, movable=False)
        self._curve = pyqtgraph.PlotCurveItem(antialias=True)
        for item in (self._shades, self._line, self._curve):
            box.addItem(item, ignoreBounds=True)
        self._label = self.text_item((1, 0))
        self._scale = [self.text_item((0, 1)), self.text_item((0, 1))]
        self._shades.setOpts(pen=pyqtgraph.mkPen(None))
        self.color()

    def color(self) -> None:
        """Pens and colours of words; they hold until the theme is another one."""
        import pyqtgraph

        colors, dashes = self.theme.palette, Qt.PenStyle.DashLine
        self._curve.setPen(pyqtgraph.mkPen(colors.accent, width=1.8))
        self._line.setPen(pyqtgraph.mkPen(colors.muted, width=1.2, style=dashes))
        for item in (self._label, *self._scale):
            item.setColor(QColor(colors.muted))

    def draw(self) -> None:
        """The whole of it."""
        begin, end = self.points[0].time, self.points[-1].time
        highest = max(point.speed for point in self.points)
        top = max(highest, self.plain or 0.0) * _ROOM
        if self.plain is not None:
            self._label.setText(self.tr("plain {0}").format(rate(self.plain)))
            # Where nothing was faster, the label has room above its line.
            share = self._label.boundingRect().height() / max(self._view.height(), 1)
            top = max(top, self.plain / max(1 - share, 0.5))
        self.set_range((begin, end), (0.0, top))
        self.set_ticks(_ticks(begin, end))
        self._curve.setData(
            [point.time for point in self.points], [point.speed for point in self.points]
        )
        resting = [band for band in self.bands if not band.is_on]
        self._shades.setOpts(
            x0=[max(band.since, begin) for band in resting],
            x1=[max(begin, end if band.until is None else band.until) for band in resting],
            y0=0,
            y1=top,
            brush=self.brush("interface"),
        )
        for item, value in zip(self._scale, (0.0, highest), strict=True):
            item.setText(rate(value, 0))
            item.setPos(begin, value)
        # The plain speed has its own label; two so close would cover each other.
        is_near = self.plain is not None and abs(highest - self.plain) < top * _NEAR
        self._scale[1].setVisible(not is_near)
        # Nor may the curve run through a figure where it begins.
        self._scale[0].setVisible(self.points[0].speed > top * _NEAR)
        self._line.setVisible(self.plain is not None)
        self._label.setVisible(self.plain is not None)
        if self.plain is not None:
            self._line.setPos(self.plain)
            self._place_label(self.plain, top, [] if is_near else [highest])

    def words_at(self, place: QPoint) -> str:
        """Speed, and whether drafts were made, at the time under the mouse."""
        if self.nothing:
            return ""
        begin, end = self.points[0].time, self.points[-1].time
        time = begin + (end - begin) * min(max(place.x() / max(self.width(), 1), 0.0), 1.0)
        at = max(bisect_right([point.time for point in self.points], time) - 1, 0)
        band = next((band for band in reversed(self.bands) if band.since <= time), self.bands[0])
        speed = self.tr("{0} tok/s at {1} s").format(
            rate(self.points[at].speed), f"{self.points[at].time:.1f}"
        )
        return f"{speed}. {band_words(band)}"

    def _place_label(self, plain: float, top: float, scaled: list[float]) -> None:
        """On the plain speed's line where the curve is not; `scaled` are heights told at the left.

        It stays where it is as long as it may: while a reply grows, the curve comes and goes.
        """
        begin, end = self.points[0].time, self.points[-1].time
        words = self._label.boundingRect()
        height = words.height() / max(self._view.height(), 1) * top
        size = (words.width() / max(self._view.width(), 1) * (end - begin), height)
        taken = [(value, value + height) for value in (0.0, *scaled)]
        curve = [(point.time, point.speed) for point in self.points]
        self._spot = free_spot(curve, plain, size, top, taken, self._spot)
        along, is_above = self._spot
        self._label.setAnchor((along, 1 if is_above else 0))
        self._label.setPos(begin + (end - begin) * along, plain)

    def _nothing(self, reply: Reply | None, num_points: int) -> str:
        """Why there is no curve; empty where there is one."""
        if num_points > 1:
            return ""
        is_over = reply is not None and reply.is_over
        return self.tr("Too few points for a curve") if is_over else self.tr("No speed yet")

    def _words(self, run: RunStatistics | None) -> str:
        if run is None or self.nothing:
            return self.nothing
        speeds = [point.speed for point in self.points]
        words = self.tr("{0} to {1} tok/s over {2} s, {3} at the end").format(
            rate(min(speeds)),
            rate(max(speeds)),
            f"{self.points[-1].time - self.points[0].time:.1f}",
            rate(speeds[-1]),
        )
        plain = self.tr("plain {0}, measured").format(rate(self.plain))
        return ". ".join([words, plain, *(band_words(band) for band in self.bands[-4:])])


def _ticks(begin: float, end: float) -> list[tuple[float, str]]:
    """The middle of the time shown, in seconds; the ends would be cut off."""
    span = end - begin
    digits = 1 if span < 10 else 0
    places = (begin + span * share for share in (0.25, 0.5, 0.75))
    return [(place, f"{place:.{digits}f} s") for place in places] if span > 0 else []
