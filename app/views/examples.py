"""The empty state: what this is, and three prompts that the demonstration model is good at."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.model_state import ModelState
from app.models.report import model_words
from app.theme import Theme
from app.views.menus import as_shown
from app.views.problem import FailureBlock
from engine import DEMO


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt to click, and what to ask next."""

    title: str
    hint: str
    prompt: str
    follow_up: str = ""


EXAMPLES = (
    Example(
        "Add a field to each record",
        "Four JSON records. Then rename a key.",
        """Add the field "stock": 12 to every record and print the whole list.

[
  {"id": 1, "name": "lamp", "price": 20},
  {"id": 2, "name": "chair", "price": 45},
  {"id": 3, "name": "table", "price": 80},
  {"id": 4, "name": "shelf", "price": 35}
]""",
        'Now rename the key "price" to "cost" in every record.',
    ),
    Example(
        "Rename a variable",
        "Six lines of Python. Then rename another.",
        """Rename the variable subtotal to amount and print the whole code.

def total_price(items, tax_rate):
    subtotal = 0
    for item in items:
        subtotal += item.price * item.quantity
    tax = subtotal * tax_rate
    return subtotal + tax""",
        "Now rename the variable tax_rate to rate.",
    ),
    Example(
        "Replace every cat by dog",
        "Three sentences, copied but for one word.",
        """Replace every "cat" by "dog" in this text:

The cat sat by the door. A small cat came in and the old cat looked up. Every cat in the house \
wanted the same chair, but only one cat could have it.""",
    ),
)


class EmptyState(QWidget):
    """Shown in a chat without a message."""

    example_chosen = Signal(object)
    reload_requested = Signal()

    def __init__(self, model: ModelState, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._theme = model, theme
        self._failure: FailureBlock | None = None
        headline = QLabel(self.tr("See where every token comes from"), self)
        headline.setObjectName("headline")
        self.about = QLabel(self)
        self.about.setObjectName("muted")
        self.about.setWordWrap(True)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 24, 0, 0)
        column.setSpacing(10)
        column.addWidget(headline)
        column.addWidget(self.about)
        column.addSpacing(10)
        self.buttons = [self._example(example) for example in EXAMPLES]
        for button in self.buttons:
            column.addWidget(button)
        # Markdown as it was written is the first that is seen of a reply.
        views = self.tr("{0} switches replies between their tokens and formatted text.")
        self.views = QLabel(views.format(as_shown("Ctrl+T")), self)
        self.views.setObjectName("muted")
        self.views.setWordWrap(True)
        column.addSpacing(4)
        column.addWidget(self.views)
        column.addStretch(1)
        model.changed.connect(self._follow)
        self._follow()

    def _example(self, example: Example) -> QPushButton:
        button = QPushButton(self)
        button.setObjectName("example")
        button.setMinimumHeight(64)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setAccessibleName(f"{example.title}. {example.hint}")
        button.setToolTip(example.prompt)
        title, hint = QLabel(example.title, button), QLabel(example.hint, button)
        title.setObjectName("example_title")
        hint.setObjectName("muted")
        arrow = QLabel("→", button)
        arrow.setObjectName("muted")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(hint)
        row = QHBoxLayout(button)
        row.setContentsMargins(16, 10, 16, 10)
        row.addLayout(words)
        row.addStretch(1)
        row.addWidget(arrow)
        for label in (title, hint, arrow):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        button.clicked.connect(lambda: self.example_chosen.emit(example))
        return button

    def _show_failure(self) -> None:
        """A block at the top while the model could not be loaded."""
        failure = self._model.failure
        if self._failure is not None:
            self._failure.hide()
            self._failure.deleteLater()
            self._failure = None
        if failure is not None:
            title = self.tr("The model could not be loaded")
            named = model_words(self._model.label, self._model.info)
            self._failure = FailureBlock(failure, title, named, self._theme, self)
            self._failure.retry_requested.connect(self.reload_requested)
            self._column.insertWidget(0, self._failure)

    def _follow(self) -> None:
        self._show_failure()
        idea = self.tr(
            "Much of a reply repeats what was said before. Draftscope drafts those tokens from"
            " earlier text and lets the model check several at once: faster, and the same text."
        )
        info = self._model.info
        is_demo = info.is_demo if info is not None else self._model.name == DEMO
        demo = self.tr(
            "\n\nThe embedded model is a small demonstration model: strong at copying and exact"
            " edits, unreliable on facts. Try one of these:"
        )
        self.about.setText(idea + (demo if is_demo else self.tr("\n\nTry one of these:")))
