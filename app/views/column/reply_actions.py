"""The actions under a reply: copy, again, continue, delete, details, and its sibling answers."""

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.models.exchange import Exchange
from app.theme import Theme
from app.views.column.actions import ActionButton, ActionRow
from app.views.column.intents import Intents
from app.views.popup_menu import PopupMenu

_NAME_WIDTH = 300


class ReplyActions(ActionRow):
    """Says to the intents what was asked for; changes nothing itself."""

    def __init__(
        self, exchange: Exchange, intents: Intents, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__("answer", theme, parent=parent)
        self._exchange, self._intents = exchange, intents
        self._menu: PopupMenu | None = None
        self.switch.moved.connect(self.choose_beside)
        self.copy = self.add("copy", self.tr("Copy this reply"))
        self.again = self.add("again", self.tr("Answer again…"))
        self.resume = self.add("continue", self.tr("Continue this reply"))
        self.remove = self.add("delete", self.tr("Delete this reply"))
        self.details = self.add("details", self.tr("Show how it was made"))
        self.copy.clicked.connect(self._copy)
        self.again.clicked.connect(self.open_menu)
        self.resume.clicked.connect(lambda: intents.resume_requested.emit(self._exchange))
        self.remove.clicked.connect(lambda: intents.delete_requested.emit(self._exchange.variant))
        self.details.clicked.connect(lambda: intents.details_requested.emit(self._exchange))
        intents.allowed_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Which of them have a meaning now."""
        exchange, reply = self._exchange, self._exchange.reply
        is_over, is_whole = reply.is_over, not self._intents.is_read_only
        # Another model may answer where none is loaded, and what is there may be taken out.
        is_free = self._intents.can_choose
        why = "" if is_free else self.tr("Wait until the reply is written")
        self.copy.setVisible(bool(reply.pieces))
        self.again.setVisible(is_over and is_whole)
        self._allow(self.again, is_free, why)
        self.resume.setVisible(is_over and is_whole and reply.can_go_on)
        needed = why or self.tr("Load a model to let this reply go on")
        self._allow(self.resume, self._intents.may_ask and is_free, needed)
        self.remove.setVisible(is_over and is_whole)
        self._allow(self.remove, is_free, why)
        self.details.setVisible(reply.run is not None or exchange.variant.is_stored)
        choices = exchange.variants
        self.switch.show_place(choices.index, len(choices), self._intents.can_choose)

    def choose_beside(self, by: int) -> None:
        """Choose the answer before or after this one."""
        choices = list(self._exchange.variants)
        at = self._exchange.variants.index + by
        if 0 <= at < len(choices) and self._intents.can_choose:
            self._intents.choose_requested.emit(self._exchange, choices[at])

    def open_menu(self) -> None:
        """How to answer again."""
        if self._menu is None:
            self._menu = PopupMenu(self)
            self._seeds = (
                self._action("", self._again),
                self._action(self.tr("With the same seed"), self._same_again),
            )
            self._menu.addActions(self._seeds)
            self._models = self._menu.add_menu(self.tr("With another model"))
            self._menu.addSeparator()
            self._menu.addAction(
                self._action(
                    self.tr("With other settings…"),
                    lambda: self._intents.settings_requested.emit(self._exchange),
                )
            )
        fresh, same = self._seeds
        is_greedy, may_ask = self._intents.is_greedy, self._intents.may_ask
        fresh.setText(
            self.tr("Once more (Greedy: the same text, whatever the seed)")
            if is_greedy
            else self.tr("With a new seed")
        )
        fresh.setEnabled(may_ask)
        same.setVisible(not is_greedy)
        same.setEnabled(may_ask and self.seed is not None)
        self._list_models(self._models)
        self._menu.popup(self.again.mapToGlobal(QPoint(0, self.again.height() + 2)))

    def _allow(self, button: ActionButton, is_allowed: bool, why: str) -> None:
        """What it does stands in its tooltip; why it does not, where it cannot be pressed."""
        button.setEnabled(is_allowed)
        button.setToolTip(button.accessibleName() if is_allowed else why)

    @property
    def seed(self) -> int | None:
        """What chance this answer was drawn by; None where it is not known."""
        reply = self._exchange.reply
        if reply.started is not None:
            return reply.started.seed
        return reply.request.sampling.seed if reply.request is not None else None

    def _action(self, words: str, act: object) -> QAction:
        action = QAction(words, self)
        action.triggered.connect(act)
        return action

    def _list_models(self, menu: QMenu) -> None:
        """Those that are there now; a long name keeps its end, which tells sizes and bits apart."""
        menu.clear()
        metrics = menu.fontMetrics()
        for name, target in self._intents.other_models():
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, _NAME_WIDTH)
            # An ampersand would underline the letter behind it.
            action = menu.addAction(shown.replace("&", "&&"))
            action.setToolTip(name)
            action.triggered.connect(partial(self._answer_with, target))
        menu.menuAction().setEnabled(not menu.isEmpty())

    def _answer_with(self, target: str, _is_checked: bool = False) -> None:
        self._intents.regenerate_with_requested.emit(self._exchange, target)

    def _again(self) -> None:
        self._intents.regenerate_requested.emit(self._exchange, None)

    def _same_again(self) -> None:
        self._intents.regenerate_requested.emit(self._exchange, self.seed)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._exchange.reply.answer)
