"""The speculation settings of the next reply: every flag, over all the layers that may set it."""

from collections.abc import Mapping, MutableMapping

from PySide6.QtCore import QObject, Signal

from app.models.flag import FlagError, FlagValue
from app.models.flag_layers import (
    Layer,
    Resolved,
    environment_layer,
    objection,
    params_of,
    plain_layer,
    resolve,
)
from app.models.flags import DEBUG_TRACE, FLAGS
from engine import SpeculationParams


class SpeculationSettings(QObject):
    """What is set where; `params` is what the next request takes with it.

    The file's values are kept as they came, names and values that mean nothing here included, so
    that writing them back loses nothing. A chat's own values live in its dictionary (`use_chat`).
    """

    changed = Signal()
    # The file's values are others now and have to be written.
    file_changed = Signal()

    def __init__(
        self,
        file: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
        command: Mapping[str, object] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._file: dict[str, object] = dict(file or {})
        self._environment = environment_layer(environment or {})
        self._command = plain_layer("command", command or {})
        self._chat: MutableMapping[str, object] = {}
        # The file's and the chat's value before "use for all chats", while that can be undone.
        self._undo: dict[str, tuple[dict[str, object], dict[str, object]]] = {}
        self._resolved = resolve(self._layers())
        self._params: SpeculationParams | None = None

    @property
    def params(self) -> SpeculationParams:
        """The settings as the engine takes them."""
        # Asked for at every beat of a reply: put together once for each state.
        if self._params is None:
            self._params = params_of(self.values)
        return self._params

    @property
    def num_alternatives(self) -> int:
        """How many of the likeliest tokens a reply records beside each of its own."""
        value = self._resolved[DEBUG_TRACE].value
        assert isinstance(value, int)
        return value

    @property
    def values(self) -> dict[str, FlagValue]:
        """Every flag's value."""
        return {name: item.value for name, item in self._resolved.items()}

    @property
    def file_values(self) -> dict[str, object]:
        """What the settings file is to hold."""
        return dict(self._file)

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence for each value that was given somewhere and is not used."""
        flags = [sentence for item in self._resolved.values() for sentence in item.problems]
        return (*self.strangers, *flags)

    @property
    def strangers(self) -> tuple[str, ...]:
        """One sentence for each variable that looks like a setting and is none."""
        problems = self._environment.problems
        return tuple(problem.sentence for problem in problems if not problem.name)

    def resolved(self, name: str) -> Resolved:
        """A flag's value and where it comes from."""
        return self._resolved[name]

    def is_for_all(self, name: str) -> bool:
        """Whether the settings file holds a value of this flag."""
        return name in self._file

    def can_undo(self, name: str) -> bool:
        """Whether the last "use for all chats" of this flag can be taken back."""
        return name in self._undo

    def objection(self, name: str, value: object) -> str | None:
        """Why this chat cannot have this value now, in one sentence; None if it can."""
        try:
            fitting = FLAGS[name].fitted(value)
        except FlagError as error:
            return str(error)
        return objection({**self.values, name: fitting})

    def set(self, name: str, value: object) -> str | None:
        """Set a flag for this chat; a sentence if that is refused.

        The value that other layers give anyway is no override.
        """
        refused = self.objection(name, value)
        if refused is None and FLAGS[name].fitted(value) != self._resolved[name].value:
            self._undo.pop(name, None)
            self._override(name, value)
            self._settle()
        return refused

    def reset(self, name: str) -> None:
        """Drop this chat's value."""
        if name in self._chat:
            self._undo.pop(name, None)
            del self._chat[name]
            self._settle()

    def set_default(self, name: str, value: object) -> str | None:
        """Set a flag for all chats, in the settings file; a sentence if that is refused."""
        refused = self._file_objection(name, value)
        if refused is None and self._write(name, value):
            self._undo.pop(name, None)
            self._settle()
        return refused

    def reset_default(self, name: str) -> None:
        """Take a flag out of the settings file."""
        if name in self._file:
            self._undo.pop(name, None)
            del self._file[name]
            self.file_changed.emit()
            self._settle()

    def use_for_all(self, name: str) -> str | None:
        """Make this chat's value that of all chats; a sentence if that is refused."""
        value = self._resolved[name].value
        refused = self._file_objection(name, value)
        before = _only(name, self._file), _only(name, self._chat)
        if refused is None and self._write(name, value):
            if name in self._chat:
                self._override(name, value)
            self._undo[name] = before
            self._settle()
        return refused

    def undo_for_all(self, name: str) -> None:
        """Take the last "use for all chats" of this flag back."""
        if name in self._undo:
            for values, before in zip((self._file, self._chat), self._undo.pop(name), strict=True):
                values.pop(name, None)
                values.update(before)
            self.file_changed.emit()
            self._settle()

    def use_chat(self, overrides: MutableMapping[str, object]) -> None:
        """Go over to another chat's own values; the dictionary is read and written in place."""
        self._chat = overrides
        self._undo.clear()
        self._settle()

    def set_enabled(self, enabled: bool) -> None:
        """Speculation on or off, for this chat."""
        self.set("enabled", enabled)

    def set_replay(self, replay: bool) -> None:
        """Off: what had matched before a rejected draft is thrown away too."""
        self.set("replay", replay)

    def set_exclude(self, exclude: bool) -> None:
        """On: drafts are cut at the first excluded token."""
        self.set("exclude", exclude)

    def set_draft_length(self, length: int | None) -> None:
        """A number fixes it and turns pacing off; None lets the engine choose."""
        self.set("draft_length", length)

    def _layers(self, *, with_chat: bool = True) -> list[Layer]:
        layers = [plain_layer("file", self._file), self._environment, self._command]
        return [*layers, plain_layer("chat", self._chat)] if with_chat else layers

    def _file_objection(self, name: str, value: object) -> str | None:
        try:
            fitting = FLAGS[name].fitted(value)
        except FlagError as error:
            return str(error)
        below = resolve([plain_layer("file", self._file)])
        return objection({**{key: item.value for key, item in below.items()}, name: fitting})

    def _override(self, name: str, value: object) -> None:
        """This chat's own value, kept only where the other layers give another one."""
        flag = FLAGS[name]
        fitting = flag.fitted(value)
        if resolve(self._layers(with_chat=False))[name].value == fitting:
            self._chat.pop(name, None)
        else:
            self._chat[name] = flag.plain(fitting)

    def _write(self, name: str, value: object) -> bool:
        """The file's own value, kept only where it is not the default; whether that is news."""
        before, flag = _only(name, self._file), FLAGS[name]
        fitting = flag.fitted(value)
        self._file.pop(name, None)
        if fitting != flag.default:
            self._file[name] = flag.plain(fitting)
        is_news = _only(name, self._file) != before
        if is_news:
            self.file_changed.emit()
        return is_news

    def _settle(self) -> None:
        self._resolved, self._params = resolve(self._layers()), None
        self.changed.emit()


def _only(name: str, values: Mapping[str, object]) -> dict[str, object]:
    return {name: values[name]} if name in values else {}
