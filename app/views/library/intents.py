"""What a person asks of models, wherever in the window it is asked."""

from PySide6.QtCore import QObject, Signal


class LibraryIntents(QObject):
    """Signals only; the window's wiring answers them.

    A `target` is what a model is loaded by (see `LibraryModel`), a `repo` a name on the hub, an
    `id` a download's.
    """

    load_requested = Signal(str)  # target
    load_cancelled = Signal()
    unload_requested = Signal()
    habits_changed = Signal(str, object)  # target, ModelHabits
    delete_requested = Signal(str)  # target; asked and confirmed
    reveal_requested = Signal(str)  # target, in the system's file manager
    folder_added = Signal(str)
    folder_removed = Signal(str)
    rescan_requested = Signal()
    search_requested = Signal(str)
    look_requested = Signal(str)  # repo: its files and sizes are wanted
    # A repo, and whether to load it when it is here; asked again, only that is another.
    download_requested = Signal(str, bool)
    repair_requested = Signal(str)  # repo: what is wrong or missing of its files is fetched again
    pause_requested = Signal(int)
    resume_requested = Signal(int)  # also: try again
    cancel_requested = Signal(int)
    forget_requested = Signal(int)  # a finished or failed one leaves the list
    first_requested = Signal(int)  # move to the front of the queue
    token_changed = Signal(str)  # the hub's key; empty forgets it
    page_requested = Signal(str)  # a page of the hub, shown in the browser: owner/name
