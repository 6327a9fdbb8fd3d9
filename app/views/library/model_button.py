"""The header's button with the model's name: how far loading is, and a menu of other models."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.models.fit import fit
from app.models.library import LibraryModel
from app.models.model_words import fit_words
from app.theme import Theme
from app.views.library.parts import LibraryParts
from app.views.library.words import title_of
from app.views.popup_menu import PopupMenu

MAX_RECENT = 6
_MOST, _LEAST = 220, 92
# What the style sheet puts around the words, and the sign behind them.
_AROUND = 22
_SIGN = " ▾"


class ModelButton(QPushButton):
    """Hidden until it follows models; emits `sheet_requested` with what is to be shown there."""

    sheet_requested = Signal(str)  # a part of the sheet, or a target

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._parts: LibraryParts | None = None
        self._words = ""
        self._room = _MOST
        self._permille: int | None = None
        self.popup = PopupMenu(self)
        self.clicked.connect(self.open)
        self.hide()

    def follow(self, parts: LibraryParts) -> None:
        """The models it shows and chooses from, from now on."""
        self._parts = parts
        parts.model.changed.connect(self._follow)
        parts.library.changed.connect(self._follow)
        self.show()
        self._follow()

    @property
    def wanted_width(self) -> int:
        """The width at which all of the name is shown, within reason."""
        self.ensurePolished()
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._words) + metrics.horizontalAdvance(_SIGN)
        return min(max(words + _AROUND + 2, 60), _MOST)

    @property
    def least_width(self) -> int:
        """What it is given even where there is little room."""
        return min(self.wanted_width, _LEAST)

    def set_room(self, width: int) -> None:
        """Be no wider than this."""
        width = min(max(width, self.least_width), self.wanted_width)
        if width != self._room or width != self.width():
            self._room = width
            self.setFixedWidth(width)
        self._elide()

    def open(self) -> None:
        """Show the menu."""
        if self._parts is None:
            return
        self._fill()
        self.popup.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _follow(self) -> None:
        parts = self._parts
        if parts is None:
            return
        state = parts.model
        known = parts.library.find(state.name) if state.name else None
        named = title_of(known) if known is not None else state.label.rpartition("/")[2]
        is_there = state.stage != "none" or state.is_resting
        words = named if is_there and named else self.tr("No model")
        permille = round(state.fraction * 1000) if state.stage == "loading" else None
        if state.stage == "loading":
            done = f"{state.fraction * 100:.0f} %"
            told = self.tr("{0} is loading: {1}, {2}").format(words, state.doing, done)
        elif state.stage == "failed" and state.failure is not None:
            told = state.failure.sentence
        elif state.is_resting:
            told = self.tr("{0} was unloaded; it is loaded again when you ask").format(words)
        else:
            told = state.label if state.stage == "ready" else self.tr("Choose a model")
        if permille != self._permille:
            self._permille = permille
            self.update()
        self.setToolTip(told)
        self.setAccessibleName(self.tr("Model: {0}").format(words))
        self.setAccessibleDescription(told if told != words else "")
        if words != self._words:
            self._words = words
            self.updateGeometry()
            self.set_room(_MOST)

    def _elide(self) -> None:
        self.ensurePolished()
        metrics = self.fontMetrics()
        room = self._room - _AROUND - metrics.horizontalAdvance(_SIGN)
        shown = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        text = shown.replace("&", "&&") + _SIGN
        if text != self.text():
            self.setText(text)

    def _fill(self) -> None:
        parts, menu = self._parts, self.popup
        if parts is None:
            return
        menu.clear()
        for model in recent_models(parts):
            self._add_model(model, parts)
        if menu.actions():
            menu.addSeparator()
        if parts.model.stage == "loading":
            menu.addAction(self.tr("Cancel loading"), parts.intents.load_cancelled.emit)
        elif parts.model.stage == "ready":
            menu.addAction(self.tr("Unload"), parts.intents.unload_requested.emit)
        menu.addAction(self.tr("Get models…"), lambda: self.sheet_requested.emit("get"))
        menu.addAction(self.tr("Models…"), lambda: self.sheet_requested.emit("here"))

    def _add_model(self, model: LibraryModel, parts: LibraryParts) -> None:
        words = title_of(model).replace("&", "&&")
        known = fit(model.survey, model.habits.context, parts.library.free_bytes)
        is_loaded = parts.is_loaded(model.target)
        if known.verdict == "does not fit" and not is_loaded:
            words += "\t" + self.tr("does not fit")
        action = QAction(words, self.popup)
        action.setToolTip(fit_words(known)[1])
        action.setCheckable(True)
        action.setChecked(is_loaded)
        action.triggered.connect(lambda: self._choose(model, is_large="\t" in words))
        self.popup.addAction(action)

    def _choose(self, model: LibraryModel, *, is_large: bool) -> None:
        """Load it; one that does not fit is asked about in the sheet."""
        parts = self._parts
        if parts is None or parts.is_loaded(model.target):
            return
        if is_large:
            self.sheet_requested.emit(model.target)
        else:
            parts.intents.load_requested.emit(model.target)

    def sizeHint(self) -> QSize:
        return QSize(self._room, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._permille is None:
            return
        colors = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(8, self.height() - 4.5, self.width() - 16, 2.5)
        for color, share in ((colors.border, 1.0), (colors.accent, self._permille / 1000)):
            painter.setBrush(QColor(color))
            part = QRectF(groove)
            part.setWidth(groove.width() * share)
            painter.drawRoundedRect(part, 1.25, 1.25)


def recent_models(parts: LibraryParts) -> list[LibraryModel]:
    """The loaded one, and those used last that can be loaded, the latest first."""
    usable = [each for each in parts.library.models if each.is_complete and not each.survey.fault]
    loaded = [each for each in usable if parts.is_loaded(each.target)]
    used = [each for each in usable if each.habits.used is not None and each not in loaded]
    used.sort(key=lambda each: each.habits.used or 0.0, reverse=True)
    rest = [each for each in usable if each.target == "demo" and each not in loaded + used]
    return (loaded + used)[: MAX_RECENT + len(loaded)] + rest
