"""How much of its context a model is used with."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from app.models.fit import fit
from app.models.library import LibraryModel
from app.models.model_words import bytes_words
from app.views.popup_menu import PopupMenu

_SMALLEST = 4_096


def context_choices(most: int) -> list[int | None]:
    """Powers of two below all of it, and all of it, which is None."""
    choices: list[int | None] = []
    size = _SMALLEST
    while size < most:
        choices.append(size)
        size *= 2
    return [*choices, None]


class ContextPick(QPushButton):
    """A button with a menu; each entry says what the model takes then."""

    chosen = Signal(object)  # tokens; None is all of it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        self.menu_ = PopupMenu(self)
        self._model: LibraryModel | None = None
        self.clicked.connect(self._open)

    def show_model(self, model: LibraryModel) -> None:
        """The model it is chosen for."""
        self._model = model
        words = self._words(model.habits.context)
        self.setText(words + " ▾")
        self.setAccessibleName(self.tr("Context: {0}").format(words))
        self.setEnabled(bool(model.survey.context_length))

    def _words(self, tokens: int | None) -> str:
        most = self._model.survey.context_length if self._model is not None else None
        if tokens is not None and (most is None or tokens < most):
            return self.tr("{0} tokens").format(f"{tokens:,}")
        if most is None:
            return self.tr("All of it")
        return self.tr("All {0} tokens").format(f"{most:,}")

    def _open(self) -> None:
        model = self._model
        if model is None or not model.survey.context_length:
            return
        self.menu_.clear()
        most = model.survey.context_length
        now = model.habits.context
        for tokens in context_choices(most):
            need = fit(model.survey, tokens, None).need
            words = self._words(tokens)
            if need is not None:
                words = f"{words}\t{bytes_words(need.total_bytes)}"
            action = QAction(words, self.menu_)
            action.setCheckable(True)
            action.setChecked(tokens == now or (tokens is None and (now or most) >= most))
            action.setData(tokens)
            action.triggered.connect(lambda _=False, one=tokens: self.chosen.emit(one))
            self.menu_.addAction(action)
        self.menu_.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
