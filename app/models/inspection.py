"""What the person is looking at: which reply, which of its steps and tokens. One owner.

Every pane shows this selection and every pane may move it; nobody keeps a second one. While nothing
is selected the panes follow the newest step; selecting stops that, and `follow` takes it up again.
"""

from PySide6.QtCore import QObject, Signal

from app.models.reply import Reply


class Inspection(QObject):
    """The selection. Signals say that something is different, not what."""

    reply_changed = Signal()
    grown = Signal()
    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reply: Reply | None = None
        self._step: int | None = None
        self._token: int | None = None

    @property
    def is_following(self) -> bool:
        """Whether the newest step is shown, whichever that is."""
        return self._step is None

    @property
    def num_steps(self) -> int:
        """How many steps the reply has so far."""
        return len(self.reply.log) if self.reply is not None else 0

    @property
    def step(self) -> int | None:
        """The step to show: the selected one, else the newest; None where there is none."""
        if self._step is not None:
            return self._step
        return self.num_steps - 1 if self.num_steps else None

    @property
    def selected_step(self) -> int | None:
        """The step that was selected; None while the newest is followed."""
        return self._step

    @property
    def token(self) -> int | None:
        """The number in the reply of the selected token; None where only a step is, or nothing."""
        return self._token

    def show_reply(self, reply: Reply | None) -> None:
        """Look at another reply, following it, or learn that this one has more."""
        if reply is self.reply:
            self.grown.emit()
            return
        self.reply, self._step, self._token = reply, None, None
        self.reply_changed.emit()
        self.moved.emit()

    def select_step(self, step: int) -> None:
        """Look at a step; one beyond the ends is the first or the last."""
        if self.num_steps:
            self._move(min(max(step, 0), self.num_steps - 1), None)

    def select_token(self, token: int) -> None:
        """Look at a token of the reply, and at the step it came from."""
        if self.reply is not None and self.reply.log.num_tokens:
            token = min(max(token, 0), self.reply.log.num_tokens - 1)
            self._move(self.reply.log.step_of(token), token)

    def move_step(self, by: int) -> None:
        """Look at an earlier or a later step."""
        if self.step is not None:
            self.select_step(self.step + by)

    def follow(self) -> None:
        """Look at the newest step from here on."""
        self._move(None, None)

    def _move(self, step: int | None, token: int | None) -> None:
        if (step, token) != (self._step, self._token):
            self._step, self._token = step, token
            self.moved.emit()
