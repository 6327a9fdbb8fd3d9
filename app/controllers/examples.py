"""Starts an example: with drafts that show, where the model would not draft by itself."""

from PySide6.QtCore import QObject, Signal

from app.controllers.chat import ChatController
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings

EXAMPLE_DRAFT_LENGTH = 5


class ExampleController(QObject):
    """`said` is a sentence on what was set for it."""

    said = Signal(str)

    def __init__(
        self,
        asking: ChatController,
        model: ModelState,
        speculation: SpeculationSettings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._asking, self._model, self._speculation = asking, model, speculation

    def start(self, prompt: str, follow_up: str) -> bool:
        """Ask it, if something can be asked now; whether it was."""
        if not self._asking.can_answer:
            return False
        self._let_drafting_show()
        self._asking.send(prompt, follow_up)
        return True

    def _let_drafting_show(self) -> None:
        """On a CPU drafts do not pay for the demonstration model: Auto would show none of them."""
        info, params = self._model.info, self._speculation.params
        if info is None or not (info.is_demo and info.device == "cpu"):
            return
        if params.enabled and params.draft_length is None:
            self._speculation.set_draft_length(EXAMPLE_DRAFT_LENGTH)
            self.said.emit(
                self.tr(
                    "Draft length set to {0} so that drafting shows;"
                    " Auto decodes plainly where drafts do not pay."
                ).format(EXAMPLE_DRAFT_LENGTH)
            )
