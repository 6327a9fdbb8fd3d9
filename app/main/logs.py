"""The log on disk: the app's life, and of every problem what kind it is and where; never content.

An exception's message may quote a chat, and so may what a library logs: of both only kind and place
are written. The one logger whose words are written is `draftscope.life`.
"""

import logging
import re
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from platformdirs import user_log_path
from PySide6.QtCore import QObject

from app.models.model_state import ModelState
from engine import Failed

NAME = "draftscope.log"
MAX_BYTES = 1_000_000
_NUM_OLDER = 2
_LIFE = "draftscope.life"
_MAX_WORDS = 300
_MOST_FRAMES = 12
_TAIL_BYTES = 64_000
_FRAME = re.compile(
    r'^  File "([^"\n]{1,1000}\.py)", line (\d{1,7}), in ([\w<>]{1,80})$', re.MULTILINE
)

life_log = logging.getLogger(_LIFE)
# It is for the file alone, and at a level that standard error does not show.
life_log.setLevel(logging.INFO)
life_log.propagate = False
life_log.addHandler(logging.NullHandler())


def log_folder() -> Path:
    """Where logs and crash reports lie on this system."""
    return user_log_path("draftscope", appauthor=False)


def place_of(file: str, line: int, name: str) -> str:
    """Where something is, without the folders above the package."""
    short = "/".join(Path(file).parts[-3:])
    return f"{short}:{line} in {name}"


def shape_of(error: BaseException) -> str:
    """Kind and places of an exception and of what caused it, innermost first; no message."""
    kinds: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        places = _places(current.__traceback__)
        kinds.append(f"{type(current).__name__} at {' < '.join(places) or 'no place'}")
        current = current.__cause__ or current.__context__
    return "; from ".join(kinds)


def _places(trace: TracebackType | None) -> list[str]:
    found: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(place_of(code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return found[::-1][:_MOST_FRAMES]


class ShapeFormatter(logging.Formatter):
    """Writes of a record what can be known of it without its words."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        when = self.formatTime(record, "%Y-%m-%d %H:%M:%S")
        head = f"{when} {record.levelname}"
        if record.name == _LIFE:
            return f"{head} {' '.join(record.getMessage().split())[:_MAX_WORDS]}"
        place = place_of(record.pathname, record.lineno, record.funcName)
        error = record.exc_info[1] if record.exc_info else None
        shape = f": {shape_of(error)}" if error is not None else ""
        return f"{head} {record.name} at {place}{shape}"


class _Handler(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """A disk that takes no log is no reason to disturb anybody."""


class LogFile:
    """Three files of a megabyte at most; one that cannot be written is done without."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handler: _Handler | None = None

    def open(self) -> bool:
        """Write from here on; whether that can be."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handler = _Handler(
                self._folder / NAME,
                maxBytes=MAX_BYTES,
                backupCount=_NUM_OLDER,
                encoding="utf-8",
                errors="backslashreplace",
            )
        except OSError:
            return False
        handler.setFormatter(ShapeFormatter())
        life_log.addHandler(handler)
        problems = logging.getLogger()
        handler.addFilter(lambda record: record.name == _LIFE or record.levelno >= logging.WARNING)
        problems.addHandler(handler)
        self._handler = handler
        return True

    def close(self) -> None:
        """Write no more."""
        if self._handler is not None:
            for logger in (life_log, logging.getLogger()):
                logger.removeHandler(self._handler)
            self._handler.close()
            self._handler = None


class ModelLife(QObject):
    """Tells the log which kind of model was loaded, and which replies failed where."""

    def __init__(self, model: ModelState, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self._told = model, "none"
        model.changed.connect(self._note)

    def note_end(self, failure: Failed | None) -> None:
        """A reply ended; of a failure, where it was."""
        if failure is not None:
            places = " < ".join(places_in(failure.details)) or "no place"
            life_log.warning("a reply failed (%s) at %s", failure.kind or "other", places)

    def _note(self) -> None:
        stage, info = self._model.stage, self._model.info
        if stage == self._told:
            return
        self._told = stage
        if stage == "ready" and info is not None:
            life_log.info("model loaded: %s, %s on %s", info.model_type, info.dtype, info.device)
        elif stage == "failed" and self._model.failure is not None:
            places = " < ".join(places_in(self._model.failure.details)) or "no place"
            life_log.warning("a model could not be loaded, at %s", places)


def places_in(details: str) -> tuple[str, ...]:
    """The places of a traceback in text, innermost first; those of files that are here."""
    frames = _FRAME.findall(details)
    return tuple(
        place_of(file, int(line), name) for file, line, name in frames if Path(file).is_file()
    )[::-1][:_MOST_FRAMES]


def recent_problems(folder: Path, most: int = 20) -> tuple[str, ...]:
    """The last warnings and errors of the log, the latest last."""
    try:
        with (folder / NAME).open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ()
    lines = text.splitlines()[1 if size > _TAIL_BYTES else 0 :]
    kinds = (" WARNING ", " ERROR ", " CRITICAL ")
    return tuple([line for line in lines if any(kind in line[:40] for kind in kinds)][-most:])
