"""Opens the place where chats are kept; where there is none, says why and goes on without."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.arguments import Arguments
from app.storage import Keeping, LockedError, NoStore, StorageError, Store, data_folder
from app.usage import UsageError


class InUseError(UsageError):
    """Another Draftscope keeps chats in the folder."""


class Trouble(QObject):
    """Carries the store's word from its own thread to the window's.

    `told` is a sentence while chats cannot be saved, and empty when they can again; `begun_anew` is
    one when the file was gone: what is known of chats has to be saved again, in a new one.
    """

    told = Signal(str)
    begun_anew = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sentence = ""

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
        return NoStore("Chats of this window are not kept: Draftscope is open already.")
    except StorageError as error:
        return NoStore(f"{error} Chats of this window are not kept.")


def _in_use(folder: Path) -> str:
    return f"Draftscope is open already with the chats in {folder}; --data-dir DIR takes others."
