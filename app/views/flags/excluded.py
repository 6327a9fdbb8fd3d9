"""Excluded tokens: the model's own as chips, and a field for more of them."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.flag import Flag, FlagError, FlagValue
from app.models.token_facts import visible
from app.views.flags.flow import FlowBox
from app.views.flags.offer_line import OfferLine
from engine import ModelInfo

FEW = 8
MAX_TEXT = 24
_MOST_NAMED = 4
_BLANKS = {visible(each): each for each in " \n\t\r"}


def token_label(token: int, names: Mapping[int, str]) -> str:
    """An id with its text as the card of a token has it, the middle of a long one left out."""
    seen = visible(names.get(token, ""))
    half = MAX_TEXT // 2
    cut = seen if len(seen) <= MAX_TEXT else f"{seen[: half - 1]}…{seen[-half:]}"
    return f"{token} {cut}".rstrip()


def _meant(text: str) -> str:
    """A text with the blanks that a card shows as signs."""
    return "".join(_BLANKS.get(each, each) for each in text)


class ModelExcluded(QWidget):
    """What the model itself excludes; a few at first, all on demand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[int, ...] = ()
        self._names: Mapping[int, str] = {}
        self._shows_all = False
        self.words = QLabel(self)
        self.words.setObjectName("small")
        self.words.setWordWrap(True)
        self.chips = FlowBox(5, 5, self)
        self.more = QPushButton(self)
        self.more.setObjectName("flag_more")
        self.more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addWidget(self.words)
        column.addWidget(self.chips)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_model(self, info: ModelInfo | None, names: Mapping[int, str]) -> None:
        """Show a model's ids with their text."""
        tokens = info.excluded_ids if info is not None else ()
        if info is None:
            self.words.setText(self.tr("The model's own ids are shown once it is loaded."))
        elif not tokens:
            self.words.setText(self.tr("This model names no tokens to exclude."))
        else:
            self.words.setText(self.tr("Excluded by this model:"))
        if (tokens, names) != (self._tokens, self._names):
            self._tokens, self._names = tokens, names
            self._fill()
        self.chips.setVisible(bool(tokens))
        self.more.setVisible(len(tokens) > FEW)

    def _toggle(self) -> None:
        self._shows_all = not self._shows_all
        self._fill()

    def _fill(self) -> None:
        count = len(self._tokens)
        shown = self._tokens if self._shows_all else self._tokens[:FEW]
        self.chips.clear()
        for token in shown:
            chip = QLabel(token_label(token, self._names))
            chip.setObjectName("flag_chip")
            chip.setTextFormat(Qt.TextFormat.PlainText)
            chip.setToolTip(self._names.get(token, ""))
            self.chips.add(chip)
        self.chips.setAccessibleName(", ".join(token_label(t, self._names) for t in shown))
        words = self.tr("Show fewer") if self._shows_all else self.tr("Show all {0}").format(count)
        self.more.setText(words)
        self.more.setAccessibleName(self.tr("{0} excluded tokens").format(words))


class ExtraField(QWidget):
    """The ids a person added: chips that remove themselves, and a line to add one.

    `wanted` asks which token a text is, `unnamed` what ids read as.
    """

    chosen = Signal(object)
    refused = Signal(str)
    wanted = Signal(str)
    unnamed = Signal(object)

    def __init__(self, flag: Flag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flag = flag
        self._tokens: tuple[int, ...] = ()
        self._info: ModelInfo | None = None
        self._names: Mapping[int, str] = {}
        # What the loaded model's tokenizer was asked for; empty where it has no such id.
        self._told: dict[int, str] = {}
        self._offers: dict[str, int] = {}
        self.chips = FlowBox(5, 5, self)
        self.line = OfferLine(self)
        self.line.setPlaceholderText(self.tr("id or text of a token"))
        self.line.setAccessibleName(self.tr("Exclude a token by id or text"))
        self.line.returnPressed.connect(self._add)
        self.add = QPushButton(self.tr("Add"), self)
        self.add.setAccessibleName(self.tr("Add the excluded token"))
        self.add.clicked.connect(self._add)
        self.setFocusProxy(self.line)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.line, 1)
        row.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(6)
        column.addWidget(self.chips)
        column.addLayout(row)

    def show_value(self, value: FlagValue) -> None:
        """Show the ids that are set."""
        self._tokens = value if isinstance(value, tuple) else ()
        had_focus = any(chip.hasFocus() for chip in self.chips.items)
        self.chips.clear()
        for token in self._tokens:
            label = token_label(token, {**self._names, **self._told})
            chip = QPushButton(f"{label}  ×")
            chip.setObjectName("flag_chip")
            chip.setAccessibleName(self.tr("Remove excluded token {0}").format(label))
            chip.setToolTip(self.tr("Remove"))
            chip.clicked.connect(lambda _=False, gone=token: self._remove(gone))
            self.chips.add(chip)
        self.chips.setVisible(bool(self._tokens))
        if had_focus:
            self.line.setFocus()
        self._offer()
        self._ask_names()

    def show_model(self, info: ModelInfo | None, names: Mapping[int, str]) -> None:
        """The model whose tokens can be chosen by their text."""
        if info is not self._info or names != self._names:
            if info is not self._info:
                self._told = {}
            self._info, self._names = info, names
            self.show_value(self._tokens)

    def name(self, tokens: Sequence[tuple[int, str]]) -> None:
        """What ids read as, as the tokenizer told."""
        self._told.update(tokens)
        self.show_value(self._tokens)

    def take(self, text: str, tokens: Sequence[tuple[int, str]]) -> None:
        """The tokens of a text that was asked for; anything else may be typed by now."""
        if text != _meant(self.line.text()):
            return
        if len(tokens) == 1 and tokens[0][1] == text:
            self._told.update(tokens)
            self._choose((tokens[0][0],))
            return
        parts = [self.tr("“{0}” (id {1})").format(visible(word), id) for id, word in tokens]
        parts[_MOST_NAMED:] = ["…"] if len(parts) > _MOST_NAMED else []
        words = self.tr("“{0}” is not one token of this model but {1}; give the id of one of them.")
        if not parts:
            words = self.tr("“{0}” is no token of this model; give another text, or an id.")
        self.refused.emit(words.format(visible(text[:MAX_TEXT]), ", ".join(parts)))

    def explain(self, text: str, why: str) -> None:
        """Why a text that was asked for has no answer, or none yet."""
        if text == _meant(self.line.text()):
            self.refused.emit(why)

    def _ask_names(self) -> None:
        if self._info is None:
            return
        known = {**self._names, **self._told}
        asked = tuple(token for token in self._tokens if token not in known)
        if asked:
            self._told.update((token, "") for token in asked)
            self.unnamed.emit(asked)

    def _offer(self) -> None:
        special = self._info.special_tokens if self._info is not None else ()
        taken = {*self._tokens, *(self._info.excluded_ids if self._info is not None else ())}
        names = dict(special)
        self._offers = {token_label(t, names): t for t in names if t not in taken}
        self.line.offer(list(self._offers))

    def _add(self) -> None:
        text = self.line.text()
        try:
            added = self._ids_of(text)
        except FlagError:
            if text:
                self.wanted.emit(_meant(text))
            return
        self._choose(added)

    def _choose(self, added: Sequence[int]) -> None:
        refusal = self._refusal(added)
        if refusal:
            self.refused.emit(refusal)
            return
        self.line.clear()
        self.chosen.emit((*self._tokens, *added))

    def _ids_of(self, text: str) -> Sequence[int]:
        """The ids that were typed or chosen; raises `FlagError`."""
        by_text = {name: token for token, name in self._names.items()}
        # A blank in front is part of a token: without it, it is another one.
        known = (self._offers.get(text.strip()), by_text.get(text), by_text.get(_meant(text)))
        token = next((found for found in known if found is not None), None)
        if token is not None:
            return (token,)
        value = self._flag.parse(text.strip())
        if not isinstance(value, tuple) or not value:
            raise FlagError(repr(text), self._flag.wanted)
        return value

    def _refusal(self, added: Sequence[int]) -> str:
        info = self._info
        own = info.excluded_ids if info is not None else ()
        for token in added:
            if info is not None and token >= info.vocabulary_size:
                last = info.vocabulary_size - 1
                words = self.tr("Token id {0} does not exist; this model has 0 to {1}.")
                return words.format(token, last)
            if token in own or token in self._tokens:
                return self.tr("Token {0} is excluded already.").format(token)
        return ""

    def _remove(self, token: int) -> None:
        self.chosen.emit(tuple(one for one in self._tokens if one != token))
