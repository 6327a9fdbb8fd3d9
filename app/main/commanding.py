"""Says of each command who does it: the one place where menus, keys and palette meet the app."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QGuiApplication

from app.controllers.chat import ChatController
from app.controllers.organise import Organiser
from app.controllers.porting import ChatFormat, PortingController
from app.models.chats import Chats
from app.models.commands import Commands
from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.models.grouping import HIDDEN, grouped
from app.models.text_size import TextSize
from app.views.chat_dialogs import ask_export, ask_import
from app.views.menus import bind_edits
from app.views.window import MainWindow


@dataclass(frozen=True, slots=True)
class Parts:
    """What the commands act on."""

    window: MainWindow
    chats: Chats
    controller: ChatController
    organiser: Organiser
    porting: PortingController
    display: TokenDisplay
    text_size: TextSize


def bind_commands(commands: Commands, parts: Parts) -> None:
    """All but those of the app itself: about, preferences, quit, closing, themes, side bar."""
    bind_edits(commands)
    _bind_files(commands, parts)
    _bind_finding(commands, parts)
    _bind_view(commands, parts)
    _bind_replies(commands, parts)
    _bind_versions(commands, parts)
    _bind_chats(commands, parts)
    _offer_undo(parts)
    _bind_window(commands, parts)
    parts.window.header.traces.offer(commands)


def neighbour(chats: Chats, by: int) -> Conversation | None:
    """The chat above or below the open one, as the side bar shows them."""
    groups = grouped(chats.shown, chats.folders, time.time())
    shown = [chat for group in groups if group.place not in HIDDEN for chat in group.chats]
    if chats.current not in shown:
        return shown[0] if shown else None
    at = shown.index(chats.current) + by
    return shown[at] if 0 <= at < len(shown) else None


def _bind_files(commands: Commands, parts: Parts) -> None:
    window, chats, porting, traces = (
        parts.window,
        parts.chats,
        parts.porting,
        parts.window.header.traces,
    )

    def export_one(kind: ChatFormat) -> None:
        chat = chats.current
        name = porting.suggested_name(chat, kind)
        ask_export(window, name, lambda path: porting.export_chat(chat, kind, path))

    def export_all(kind: ChatFormat) -> None:
        name = porting.suggested_name(None, kind)
        ask_export(window, name, lambda path: porting.export_all(kind, path))

    commands.bind("new_chat", parts.controller.new_chat)
    commands.bind("open_trace", traces.open.trigger)
    commands.bind("save_trace", traces.save.trigger, traces.save.isEnabled)
    commands.bind("import", lambda: ask_import(window, porting.import_file))
    kinds: tuple[ChatFormat, ...] = ("markdown", "json")
    for kind in kinds:
        commands.bind(
            f"export_{kind}", partial(export_one, kind), lambda: bool(chats.current.exchanges)
        )
        commands.bind(f"export_all_{kind}", partial(export_all, kind))


def _bind_finding(commands: Commands, parts: Parts) -> None:
    conversation, chats = parts.window.conversation, parts.chats

    def copy_reply() -> None:
        reply = chats.current.last_reply
        if reply is not None:
            QGuiApplication.clipboard().setText(reply.answer)

    def has_exchanges() -> bool:
        return bool(chats.current.exchanges)

    def find_on(by: int) -> None:
        if conversation.finder.hits:
            conversation.finder.move(by)
        else:
            conversation.open_find()

    commands.bind("find", conversation.open_find, has_exchanges)
    commands.bind("find_next", partial(find_on, 1), has_exchanges)
    commands.bind("find_previous", partial(find_on, -1), has_exchanges)
    commands.bind("search", parts.window.sidebar.focus_search)
    commands.bind("copy_reply", copy_reply, has_exchanges)


def _bind_view(commands: Commands, parts: Parts) -> None:
    window, display, size = parts.window, parts.display, parts.text_size
    commands.bind("tokens", lambda: display.set_on(not display.is_on), is_on=lambda: display.is_on)
    panel = window.header.panel
    commands.bind("inspector", panel.toggle, is_on=panel.isChecked)
    for name in ("live", "step", "compare", "settings"):
        commands.bind(f"pane_{name}", partial(window.show_pane, name))
    commands.bind("bigger", partial(size.grow, 1))
    commands.bind("smaller", partial(size.grow, -1))
    commands.bind("actual_size", size.reset)
    commands.bind("focus_reply", window.focus_reply)


def _bind_replies(commands: Commands, parts: Parts) -> None:
    controller, chats, window = parts.controller, parts.chats, parts.window

    def last() -> Exchange | None:
        exchanges = chats.current.exchanges
        return exchanges[-1] if exchanges else None

    def on_last(act: Callable[[Exchange], object]) -> Callable[[], None]:
        def do() -> None:
            exchange = last()
            if exchange is not None:
                act(exchange)

        return do

    def can_ask_again() -> bool:
        return controller.can_answer and last() is not None

    def can_edit() -> bool:
        may_write = not (controller.is_busy or chats.current.is_read_only)
        return may_write and last() is not None

    def can_go_on() -> bool:
        exchange = last()
        return can_ask_again() and exchange is not None and exchange.reply.can_go_on

    def edit(exchange: Exchange) -> None:
        turn = window.conversation.reveal(exchange)
        if turn is not None:
            window.conversation.show_exchange(exchange)
            turn.question.begin_edit()

    commands.bind("stop", controller.stop, lambda: controller.is_busy)
    commands.bind("regenerate", on_last(controller.regenerate), can_ask_again)
    commands.bind("resume", on_last(controller.resume), can_go_on)
    commands.bind("edit_last", on_last(edit), can_edit)


def _bind_versions(commands: Commands, parts: Parts) -> None:
    attention, message = parts.window.conversation.attention, parts.window.composer.edit

    def can_choose(by: int) -> bool:
        # Where something is typed the same keys move by words.
        is_free = attention.is_in_turn or message.document().isEmpty()
        return is_free and attention.version(by) is not None

    for id, by in (("previous_version", -1), ("next_version", 1)):
        commands.bind(id, partial(attention.choose_version, by), partial(can_choose, by))


def _bind_chats(commands: Commands, parts: Parts) -> None:
    chats, organiser, window = parts.chats, parts.organiser, parts.window

    def go(by: int) -> None:
        chat = neighbour(chats, by)
        if chat is not None:
            parts.controller.open_chat(chat)

    def can_go(by: int) -> bool:
        return neighbour(chats, by) is not None

    def is_kept() -> bool:
        return not chats.current.is_empty and not chats.current.is_read_only

    for id, by in (("previous_chat", -1), ("next_chat", 1)):
        commands.bind(id, partial(go, by), partial(can_go, by))

    def rename() -> None:
        # A name is typed in the side bar.
        if window.sidebar.isHidden():
            window.sides.set_wants_sidebar(True, is_asked=True)
        window.sidebar.rename_chat(chats.current)

    commands.bind("rename", rename, lambda: is_kept() and not window.sidebar.list.is_editing)
    commands.bind(
        "pin",
        lambda: organiser.pin([chats.current], not chats.current.is_pinned),
        is_kept,
        lambda: chats.current.is_pinned,
    )
    commands.bind(
        "archive",
        lambda: organiser.archive([chats.current], not chats.current.is_archived),
        is_kept,
        lambda: chats.current.is_archived,
    )
    commands.bind(
        "delete_chat",
        lambda: organiser.trash([chats.current]),
        lambda: not chats.current.is_empty and chats.current.trashed is None,
    )


def _offer_undo(parts: Parts) -> None:
    """Over the message, where the side bar does not show its own."""
    window, organiser = parts.window, parts.organiser

    def undo() -> None:
        window.middle.saying.clear()
        organiser.undo()

    def offer(words: str) -> None:
        if window.sidebar.isHidden():
            button = window.sidebar.undo_bar.button.text()
            window.middle.saying.say(words, action=button, act=undo)

    organiser.undoable.connect(offer)


def _bind_window(commands: Commands, parts: Parts) -> None:
    window = parts.window

    def zoom() -> None:
        window.showNormal() if window.isMaximized() else window.showMaximized()

    def full_screen() -> None:
        window.showNormal() if window.isFullScreen() else window.showFullScreen()

    commands.bind("minimise", window.showMinimized)
    commands.bind("zoom", zoom)
    commands.bind("full_screen", full_screen, is_on=window.isFullScreen)
