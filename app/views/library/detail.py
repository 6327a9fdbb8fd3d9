"""All about the selected model: what it is, what it takes, how it is used, where it lies."""

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.models.fit import fit
from app.models.library import LibraryModel, ModelHabits
from app.models.model_words import fit_words
from app.theme import Theme
from app.views.controls import ElidedLabel, Pill, Switch, section
from app.views.library.context_pick import ContextPick
from app.views.library.loading import Loading
from app.views.library.memory_bar import MemoryBar
from app.views.library.parts import LibraryParts
from app.views.library.place import Place
from app.views.library.words import (
    DOT,
    TONES,
    caches_of,
    facts_of,
    origin_words,
    sampling_words,
    speculation_of,
    verdict_words,
)
from app.views.switch_row import quiet


class Detail(QScrollArea):
    """Follows one model; what is changed here is an intent."""

    chat_requested = Signal()

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_detail")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._parts = parts
        self._model: LibraryModel | None = None
        self._body = body = QWidget(self)
        body.setObjectName("model_detail_body")
        self.title = ElidedLabel("", body)
        self.title.setObjectName("detail_title")
        self.verdict = Pill(body)
        self.about = quiet("", body)
        self.loading = Loading(parts, theme, body)
        self.why = quiet("", body)
        self.bar = MemoryBar(theme, body)
        self.context = ContextPick(body)
        self.speculation = quiet("", body)
        self.sampling = quiet("", body)
        self.use = Switch(self.tr("Use for new chats"), theme, body)
        self.place = Place(parts, body)
        self._arrange(body)
        self.setWidget(body)
        self.context.chosen.connect(self._on_context)
        self.use.clicked.connect(self._on_use)
        self.loading.chat_requested.connect(self.chat_requested)
        for confirm in (self.loading.confirm, self.place.confirm):
            confirm.asked.connect(self._reveal)

    @property
    def model(self) -> LibraryModel | None:
        """The model that is shown."""
        return self._model

    def show_model(self, model: LibraryModel | None) -> None:
        """Show a model as it is now."""
        self._body.setVisible(model is not None)
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if model is None else policy.ScrollBarAsNeeded
        )
        if model is None:
            self._model = None
            return
        if self._model is None or model.target != self._model.target:
            self.verticalScrollBar().setValue(0)
        self._model = model
        survey = model.survey
        self.title.set_full_text(self._parts.library.title(model.target))
        owner = model.name.partition("/")[0] if "/" in model.name else ""
        parts = (owner, origin_words(model), facts_of(survey))
        # A line breaks behind a dot only.
        words = DOT.join(part for part in parts if part)
        self.about.setText(words.replace(" ", "\u00a0").replace("·\u00a0", "· "))
        self._show_fit()
        self._show_speculation()
        self._show_sampling()
        self.place.show_model(model)

    def refit(self) -> None:
        """Free memory is another."""
        if self._model is not None:
            self._show_fit()

    def _reveal(self) -> None:
        """Have the question in sight, once it is laid out."""
        QTimer.singleShot(0, self, self._scroll_to_question)

    def _scroll_to_question(self) -> None:
        for confirm in (self.loading.confirm, self.place.confirm):
            if not confirm.isHidden():
                self.ensureWidgetVisible(confirm, 0, 12)

    def _show_fit(self) -> None:
        model = self._model
        if model is None:
            return
        known = fit(model.survey, model.habits.context, self._parts.library.free_bytes)
        is_usable = model.survey.fault is None and model.is_complete
        self.verdict.setVisible(is_usable)
        sentence = fit_words(known)[1]
        self.verdict.show_state(verdict_words(known.verdict), TONES[known.verdict], sentence)
        if not model.is_complete and model.survey.fault is None:
            sentence = self.tr("Files of it are missing: get the rest.")
        self.why.setText(sentence)
        self.why.setVisible(model.survey.fault is None)
        self.memory.setVisible(is_usable)
        self.bar.show_fit(known)
        self.context.show_model(model)
        self.loading.show_model(model, known)

    def _show_speculation(self) -> None:
        survey = self._model.survey if self._model is not None else None
        caches = caches_of(survey) if survey is not None else ""
        words, sentence = speculation_of(survey) if survey is not None else ("", "")
        parts = []
        if caches:
            parts.append(self.tr("Caches: {0}.").format(caches))
        if words:
            parts.append(f"{words[0].upper()}{words[1:]}. {sentence}".strip())
        self.speculation.setText("\n".join(parts))
        self.speculation_part.setVisible(bool(parts))

    def _show_sampling(self) -> None:
        model = self._model
        sampling = model.survey.sampling if model is not None else None
        self.sampling_part.setVisible(sampling is not None)
        if model is not None and sampling is not None:
            self.sampling.setText(sampling_words(sampling))
            self.use.setChecked(model.habits.sampling == sampling)

    def _on_context(self, tokens: int | None) -> None:
        if self._model is not None:
            self._change(replace(self._model.habits, context=tokens))

    def _on_use(self) -> None:
        if self._model is not None:
            sampling = self._model.survey.sampling if self.use.isChecked() else None
            self._change(replace(self._model.habits, sampling=sampling))

    def _change(self, habits: ModelHabits) -> None:
        if self._model is not None and habits != self._model.habits:
            self._parts.intents.habits_changed.emit(self._model.target, habits)

    def _arrange(self, body: QWidget) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.title, 1)
        head.addWidget(self.verdict)
        context = QHBoxLayout()
        label = QLabel(self.tr("Context"), body)
        label.setBuddy(self.context)
        context.addWidget(label, 1)
        context.addWidget(self.context)
        self.memory = _part(body, self.tr("Memory"), self.bar)
        memory = self.memory.layout()
        assert isinstance(memory, QVBoxLayout)
        memory.addLayout(context)
        self.speculation_part = _part(body, self.tr("Speculation"), self.speculation)
        self.sampling_part = _part(body, self.tr("Recommended by its makers"), self.sampling)
        made = self.sampling_part.layout()
        assert made is not None
        made.addWidget(self.use)
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 14, 20, 16)
        column.setSpacing(10)
        column.addLayout(head)
        for widget in (
            self.about,
            self.loading,
            self.why,
            self.memory,
            self.speculation_part,
            self.sampling_part,
            _part(body, self.tr("Folder"), self.place),
        ):
            column.addWidget(widget)
        column.addStretch(1)


def _part(parent: QWidget, title: str, widget: QWidget) -> QWidget:
    """A heading and what stands below it."""
    part = QWidget(parent)
    column = QVBoxLayout(part)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    column.addWidget(section(title, part))
    column.addWidget(widget)
    return part
