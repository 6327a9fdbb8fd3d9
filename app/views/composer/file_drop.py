"""Files dropped on the conversation become attachments; traces among them are passed on."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.views.composer.attach_files import traces_in
from app.views.composer.composer import Composer


class FileDrop(QObject):
    """Watches a column for dragged files that the composer below it takes.

    `trace_dropped` has a trace that came along; where nothing else comes, the window takes it.
    """

    trace_dropped = Signal(object)

    def __init__(self, column: QWidget, composer: Composer) -> None:
        super().__init__(column)
        self._composer = composer
        column.setAcceptDrops(True)
        column.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DragLeave:
            self._composer.set_is_target(False)
        # A drop is a kind of move, and a move no kind of drop, to Qt.
        if not isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            return super().eventFilter(watched, event)
        mime = event.mimeData()
        if not self._composer.accepts(mime):
            return super().eventFilter(watched, event)
        event.acceptProposedAction()
        is_drop = event.type() == QEvent.Type.Drop
        self._composer.set_is_target(not is_drop)
        if is_drop:
            self._composer.take(mime)
            for path in traces_in(mime):
                self.trace_dropped.emit(path)
        return True
