"""What a person asks for in the side bar, whichever part of it hears of it."""

from PySide6.QtCore import QObject, Signal


class Intents(QObject):
    """Chats come as tuples of conversations, a place as the group they were dropped on."""

    new_requested = Signal()
    chat_chosen = Signal(object)
    # A chat, and a message in it or None.
    hit_chosen = Signal(object, object)
    rename_requested = Signal(object, str)
    pin_requested = Signal(object, bool)
    archive_requested = Signal(object, bool)
    # Chats, and a folder or None.
    move_requested = Signal(object, object)
    place_requested = Signal(object, object)
    duplicate_requested = Signal(object)
    # A chat, and "markdown" or "json".
    export_requested = Signal(object, str)
    import_requested = Signal()
    trash_requested = Signal(object)
    restore_requested = Signal(object)
    # Asked and confirmed.
    delete_requested = Signal(object)
    empty_trash_requested = Signal()
    undo_requested = Signal()
    # A new folder for these chats, maybe none.
    folder_requested = Signal(object)
    folder_renamed = Signal(object, str)
    folder_removed = Signal(object)
    # A folder, and the one that it is put before; None is the end.
    folder_moved = Signal(object, object)
    # The places whose chats are hidden.
    folded_changed = Signal(object)
