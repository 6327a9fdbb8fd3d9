"""Runs a reply again in other ways, one after the other, on the model that is loaded."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.controllers.chat import ChatController
from app.controllers.failures import FailureReporter
from app.models.comparison import Comparison
from app.models.model_state import ModelState
from app.models.reply import Reply
from app.models.rerun import rerun_refusal, rerun_request
from app.models.variants import Variant
from engine import EngineError


class CompareController(QObject):
    """The only writer of a comparison; its replies run through the chat's runner."""

    def __init__(
        self,
        chat: ChatController,
        comparison: Comparison,
        model: ModelState,
        failures: FailureReporter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._chat, self._comparison, self._model = chat, comparison, model
        self._failures = failures
        self._is_stopping = False
        chat.running_changed.connect(self._on_running_changed)

    def start(self, reply: Reply, variants: Sequence[Variant]) -> None:
        """Run a reply in these ways; where that cannot be, the comparison says why."""
        comparison = self._comparison
        if comparison.is_running:
            return
        refusal = self._refusal(reply, variants)
        if refusal is not None:
            comparison.refuse(refusal)
            return
        try:
            reruns = [
                (each.label, Reply(rerun_request(reply, each.speculation))) for each in variants
            ]
        except EngineError as error:
            comparison.refuse(error.sentence)
            return
        self._is_stopping = False
        comparison.begin(reply, reruns)
        self._failures.start(self._run())

    def stop(self) -> None:
        """End the running row; what waits is not run."""
        if self._comparison.is_running:
            self._is_stopping = True
            if self._comparison.running is not None:
                self._chat.stop()

    def _refusal(self, reply: Reply, variants: Sequence[Variant]) -> str | None:
        if self._chat.is_busy:
            return self.tr("A reply is being written; compare when it is complete.")
        if not variants:
            return self.tr("Choose at least one way to run the reply again.")
        return rerun_refusal(reply, self._model.info)

    def _on_running_changed(self, owner: object) -> None:
        """What stood in the way is over."""
        if owner is None and self._comparison.refusal:
            self._comparison.refuse("")

    async def _run(self) -> None:
        comparison = self._comparison
        try:
            if self._chat.is_busy:
                comparison.refuse(self.tr("A reply is being written; compare when it is complete."))
                return
            for row in comparison.reruns:
                if self._is_stopping:
                    break
                comparison.run(row)
                await self._chat.runner.run(row.reply, comparison, comparison.publish)
                comparison.close(row)
                # However it was stopped, the person wants no more of it.
                if row.state == "cancelled":
                    break
        finally:
            comparison.end()
