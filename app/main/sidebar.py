"""Connects the side bar with the controllers that answer it."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt

from app.controllers.finding import Finder
from app.controllers.organise import Organiser
from app.views.sidebar import Sidebar


def connect_sidebar(sidebar: Sidebar, organiser: Organiser, finder: Finder) -> None:
    """Everything but opening chats, importing and exporting."""
    intents = sidebar.intents

    def stay(act: Callable[..., object]) -> Callable[..., None]:
        """Keys that went to the list go there still, whichever chat is shown after that."""

        def do(*asked: Any) -> None:
            is_there = sidebar.window().focusWidget() is sidebar.list
            act(*asked)
            if is_there:
                sidebar.list.setFocus(Qt.FocusReason.OtherFocusReason)

        return do

    intents.rename_requested.connect(organiser.rename)
    intents.pin_requested.connect(organiser.pin)
    intents.archive_requested.connect(organiser.archive)
    intents.move_requested.connect(organiser.move)
    intents.place_requested.connect(stay(organiser.place))
    intents.duplicate_requested.connect(organiser.duplicate)
    intents.trash_requested.connect(stay(organiser.trash))
    intents.restore_requested.connect(organiser.restore)
    intents.delete_requested.connect(stay(organiser.delete))
    intents.empty_trash_requested.connect(stay(organiser.empty_trash))
    intents.undo_requested.connect(stay(organiser.undo))
    intents.folder_requested.connect(organiser.add_folder)
    intents.folder_renamed.connect(organiser.rename_folder)
    intents.folder_removed.connect(organiser.remove_folder)
    intents.folder_moved.connect(organiser.move_folder)
    intents.folded_changed.connect(organiser.set_folded)
    organiser.undoable.connect(sidebar.offer_undo)
    organiser.folder_added.connect(sidebar.name_folder)
    sidebar.set_search(finder.search)
