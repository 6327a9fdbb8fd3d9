"""One flag in the pane: words, control, where its value comes from, what can be done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.flag import Flag, FlagError
from app.models.flag_layers import Resolved
from app.models.speculation import SpeculationSettings
from app.theme import Theme
from app.views.flags.excluded import ExtraField
from app.views.flags.fields import ChoiceField, NumberField, SwitchField
from app.views.flags.flow import FlowBox

Field = SwitchField | ChoiceField | NumberField | ExtraField

LABEL_HEIGHT = 24


class FlagRow(QWidget):
    """Sets the flag for this chat, or for all; shows what the settings make of it."""

    def __init__(
        self, flag: Flag, theme: Theme, settings: SpeculationSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.flag, self._settings = flag, settings
        self._shown: Resolved | None = None
        self._refusal = ""
        self.field = self._make_field(theme)
        self.label = QLabel(self.tr(flag.label), self)
        self.label.setBuddy(self.field)
        self.label.setMinimumHeight(LABEL_HEIGHT)
        self.words = _wrapped(f"{self.tr(flag.does)} {self.tr(flag.when)}", "small", self)
        self.notes = _wrapped("", "small", self)
        self.problem = _wrapped("", "flag_problem", self)
        self.tag = QLabel(self)
        self.tag.setObjectName("flag_tag")
        self.aside = QLabel(self)
        self.aside.setObjectName("flag_aside")
        self.aside.setIndent(0)
        self.reset = self._action(self.tr("Reset"), self.tr("Reset {0} in this chat"))
        self.for_all = self._action(self.tr("Use for all chats"), self.tr("Use {0} for all chats"))
        self.undo = self._action(self.tr("Undo"), self.tr("Undo using {0} for all chats"))
        self.forget = self._action(
            self.tr("Remove from settings file"), self.tr("Remove {0} from the settings file")
        )
        self._connect()
        self._arrange()

    def show_state(self, resolved: Resolved, notes: tuple[str, ...], effect: str) -> None:
        """Show a value and its source; `effect` is what a reply runs with instead, if it does."""
        is_news = resolved != self._shown
        self._shown = resolved
        if is_news or not self._refusal:
            self._refusal = ""
            self.field.show_value(resolved.value)
        else:
            self._reconsider()
        self._show_words(self.notes, " ".join(note for note in (resolved.shadow, *notes) if note))
        self._show_source(resolved, effect)
        self._show_problem()
        self._show_actions(resolved)

    def _show_source(self, resolved: Resolved, effect: str) -> None:
        self.tag.setText(resolved.origin)
        if self.tag.property("source") != resolved.source:
            self.tag.setProperty("source", resolved.source)
            self.tag.style().unpolish(self.tag)
            self.tag.style().polish(self.tag)
        is_default = resolved.source == "default"
        default = self.flag.text(self.flag.default)
        asides = [] if is_default else [self.tr("default {0}").format(default)]
        asides += [self.tr("in effect: {0}").format(effect)] if effect else []
        self._show_words(self.aside, " · ".join(asides))
        self.field.setAccessibleName(f"{self.label.text()}: {resolved.text} ({resolved.origin})")

    def _show_actions(self, resolved: Resolved) -> None:
        name = self.flag.name
        is_own = resolved.source == "chat"
        can_undo = self._settings.can_undo(name)
        stands_in_file = self._settings.is_for_all(name)
        is_seen = resolved.source == "file" or bool(resolved.problems)
        shown = {
            self.reset: is_own,
            self.for_all: is_own and not can_undo,
            self.undo: can_undo,
            self.forget: stands_in_file and is_seen and not can_undo,
        }
        for button, is_shown in shown.items():
            if button.hasFocus() and not is_shown:
                self.field.setFocus()
            button.setVisible(is_shown)
        self.foot.rearrange()

    def _show_problem(self) -> None:
        own = self._shown.problems if self._shown is not None else ()
        self._show_words(self.problem, " ".join((self._refusal, *own) if self._refusal else own))
        self.field.setAccessibleDescription(f"{self.words.text()} {self.problem.text()}".strip())
        is_refused = bool(self._refusal)
        if isinstance(self.field, NumberField) and self.field.property("refused") != is_refused:
            self.field.setProperty("refused", is_refused)
            self.field.style().unpolish(self.field)
            self.field.style().polish(self.field)

    def _show_words(self, label: QLabel, words: str) -> None:
        label.setText(words)
        label.setVisible(bool(words))

    def _choose(self, value: object) -> None:
        refused = self._settings.set(self.flag.name, value)
        self._answer(refused)

    def _read(self, text: str) -> None:
        try:
            self._choose(self.flag.parse(text))
        except FlagError as error:
            self._answer(str(error))

    def _use_for_all(self) -> None:
        refused = self._settings.use_for_all(self.flag.name)
        if refused is not None:
            self._refusal = self.tr("For all chats it does not fit. {0}").format(refused)
            self._show_problem()

    def _answer(self, refused: str | None) -> None:
        self._refusal = self._refused(refused) if refused is not None else ""
        if refused is None and self._shown is not None:
            self.field.show_value(self._shown.value)
        self._show_problem()

    def _refused(self, why: str) -> str:
        """What was typed stands there as if it held: say what does."""
        if self._shown is None or not isinstance(self.field, NumberField):
            return why
        return self.tr("{0} Until then {1} is used.").format(why, self._shown.text)

    def _reconsider(self) -> None:
        """Another flag changed: what was refused here may fit now."""
        if not isinstance(self.field, NumberField):
            return
        try:
            value = self.flag.parse(self.field.text())
        except FlagError:
            return
        refused = self._settings.objection(self.flag.name, value)
        is_used = self._shown is not None and value == self._shown.value
        fits = "" if is_used else self.tr("This fits now; press Return to use it.")
        self._refusal = fits if refused is None else self._refused(refused)

    def _make_field(self, theme: Theme) -> Field:
        match self.flag.kind:
            case "bool":
                return SwitchField(theme, self)
            case "choice" | "auto_bool":
                return ChoiceField(self.flag, self)
            case "ids":
                return ExtraField(self.flag, self)
            case _:
                return NumberField(self.flag, self)

    def _action(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName("flag_action")
        button.setAccessibleName(name.format(self.tr(self.flag.label)))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _connect(self) -> None:
        name, settings, field = self.flag.name, self._settings, self.field
        field.chosen.connect(self._choose)
        if isinstance(field, NumberField):
            field.typed.connect(self._read)
            field.reverted.connect(lambda: self._answer(None))
        if isinstance(field, ExtraField):
            field.refused.connect(self._answer)
        self.reset.clicked.connect(lambda: settings.reset(name))
        self.for_all.clicked.connect(self._use_for_all)
        self.undo.clicked.connect(lambda: settings.undo_for_all(name))
        self.forget.clicked.connect(lambda: settings.reset_default(name))

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self.label, 1)
        is_wide = isinstance(self.field, ExtraField)
        if not is_wide:
            head.addWidget(self.field, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(head)
        column.addWidget(self.words)
        if is_wide:
            column.addWidget(self.field)
        column.addWidget(self.problem)
        column.addWidget(self.notes)
        self.foot = FlowBox(8, 2, self)
        for item in (self.tag, self.aside, self.reset, self.for_all, self.undo, self.forget):
            self.foot.add(item)
        column.addWidget(self.foot)


def _wrapped(text: str, name: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setVisible(bool(text))
    return label
