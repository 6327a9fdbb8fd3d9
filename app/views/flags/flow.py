"""A box that lays its children out in lines, like words."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_WIDTH = 200


class FlowBox(QWidget):
    """Children in the order they were added, each as wide as it wants; hidden ones take no room."""

    def __init__(self, gap: int = 6, line_gap: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap, self._line_gap = gap, line_gap
        self._items: list[QWidget] = []
        # Not fixed: that would hold it to the height of its size hint, which is for one width.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def items(self) -> tuple[QWidget, ...]:
        """The children, in order."""
        return tuple(self._items)

    def add(self, item: QWidget) -> None:
        """Another child at the end."""
        item.setParent(self)
        item.show()
        self._items.append(item)
        self.rearrange()

    def clear(self) -> None:
        """Do away with all children."""
        for item in self._items:
            item.hide()
            item.deleteLater()
        self._items.clear()
        self.rearrange()

    def rearrange(self) -> None:
        """Lay out again after children changed their size or were shown or hidden."""
        self._place(self.width(), moves=True)
        self.updateGeometry()

    def _place(self, width: int, *, moves: bool) -> int:
        """The height needed; `moves` says whether to put the children there as well."""
        x = y = height = 0
        line: list[tuple[QWidget, int, QSize]] = []
        lines = [line]
        for item in self._items:
            if item.isHidden():
                continue
            size = item.sizeHint().boundedTo(item.maximumSize())
            size.setWidth(min(size.width(), max(width, 1)))
            if line and x + size.width() > width:
                line, x = [], 0
                lines.append(line)
            line.append((item, x, size))
            x += size.width() + self._gap
        for line in lines:
            height = max((size.height() for _, _, size in line), default=0)
            for item, left, size in line if moves else ():
                item.setGeometry(left, y + (height - size.height()) // 2, *size.toTuple())
            y += height + self._line_gap
        return y - self._line_gap if line else 0

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.rearrange()
        return super().event(event)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(width, moves=False)

    def sizeHint(self) -> QSize:
        width = self.width() or _WIDTH
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width(), moves=True)
