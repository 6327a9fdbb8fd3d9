"""Opens the place where chats are kept; where there is none, says why and goes on without."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.arguments import Arguments
from app.storage import Keeping, LockedError, NoStore, StorageError, Store, data_folder
from app.usage import UsageError


class InUseError(UsageError):
    """Another Draftscope keeps chats in the folder."""


class Trouble(QObject):
    """Carries the store's word from its own thread to the window's.

    `told` is a sentence while chats cannot be saved, and empty when they can again: `sentence` is
    the one that holds now, also where nothing can be kept from the start. `begun_anew` is one when
    the file was gone: what is known of chats has to be saved again, in a new one.
    """

    told = Signal(str)
    begun_anew = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sentence = ""

    def stand(self, say: Callable[[str], None]) -> None:
        """Have it said from now on; the store may have told before anybody could listen."""
        self.told.connect(say)
        say(self.sentence)

    def tell(self, sentence: str | None) -> None:
        """Called by the store's thread."""
        self.sentence = sentence or ""
        self.told.emit(self.sentence)

    def ask_for_all(self, sentence: str) -> None:
        """Called by the store's thread."""
        self.begun_anew.emit(sentence)


def open_store(arguments: Arguments, trouble: Trouble) -> Keeping:
    """The store of this run; `InUseError` where another Draftscope has the folder.

    A picture keeps nothing, and a second window may look at a trace without keeping chats.
    """
    if arguments.screenshot is not None:
        return NoStore("")
    folder = arguments.data_dir or data_folder()
    try:
        return Store.open(folder, trouble.tell, on_begun_anew=trouble.ask_for_all)
    except LockedError as error:
        if arguments.opened is None:
            raise InUseError(_in_use(folder)) from error
        trouble.tell("Chats of this window are not kept: Draftscope is open already.")
    except StorageError as error:
        trouble.tell(f"{error} Chats of this window are not kept.")
    return NoStore(trouble.sentence)


def _in_use(folder: Path) -> str:
    return f"Draftscope is open already with the chats in {folder}; --data-dir DIR takes others."
