"""The commands in words: titles, menus and keys, in the order of the menus."""

from collections.abc import Callable, Iterator
from typing import Any

Tr = Callable[[str], str]
Facts = dict[str, Any]


def every_command(tr: Tr) -> Iterator[Facts]:
    """What `Command` is made from, menu by menu."""
    for menu, entries in (
        ("Draftscope", _app(tr)),
        (tr("File"), _file(tr)),
        (tr("Edit"), _edit(tr)),
        (tr("View"), _view(tr)),
        (tr("Chat"), _chat(tr)),
        (tr("Window"), _window(tr)),
        (tr("Help"), _help(tr)),
        ("", _keys_only(tr)),
    ):
        for entry in entries:
            yield {"menu": menu, **entry}


def _of(id: str, title: str, group: int = 0, *keys: str, **more: str) -> Facts:
    return {"id": id, "title": title, "group": group, "keys": keys, **more}


def _app(tr: Tr) -> list[Facts]:
    return [
        _of("about", tr("About Draftscope"), role="about"),
        _of("preferences", tr("Preferences…"), 1, "Ctrl+,", role="preferences"),
        _of("quit", tr("Quit Draftscope"), 2, "Ctrl+Q", role="quit"),
    ]


def _file(tr: Tr) -> list[Facts]:
    one, every = tr("Export chat"), tr("Export all chats")
    return [
        _of("new_chat", tr("New chat"), 0, "Ctrl+N"),
        _of("palette", tr("Go to chat or command…"), 0, "Ctrl+K"),
        _of("models", tr("Models…"), 1, "Ctrl+Shift+M"),
        _of("get_models", tr("Get models…"), 1),
        _of("open_trace", tr("Open trace…"), 2, "Ctrl+O"),
        _of("save_trace", tr("Save this reply's trace…"), 2, "Ctrl+S"),
        _of("import", tr("Import chats…"), 3),
        _of("export_markdown", tr("As Markdown…"), 3, submenu=one),
        _of("export_json", tr("As JSON…"), 3, submenu=one),
        _of("export_all_markdown", tr("As Markdown…"), 3, submenu=every),
        _of("export_all_json", tr("As JSON…"), 3, submenu=every),
        _of("close_window", tr("Close window"), 4, "Ctrl+W"),
    ]


def _edit(tr: Tr) -> list[Facts]:
    return [
        _of("undo", tr("Undo"), 0, "Ctrl+Z"),
        _of("redo", tr("Redo"), 0, "Ctrl+Shift+Z"),
        _of("cut", tr("Cut"), 1, "Ctrl+X"),
        _of("copy", tr("Copy"), 1, "Ctrl+C"),
        _of("paste", tr("Paste"), 1, "Ctrl+V"),
        _of("select_all", tr("Select all"), 1, "Ctrl+A"),
        _of("copy_reply", tr("Copy last reply"), 2, "Ctrl+Shift+C"),
        _of("find", tr("Find in chat…"), 3, "Ctrl+F"),
        _of("find_next", tr("Find next"), 3, "Ctrl+G"),
        _of("find_previous", tr("Find previous"), 3, "Ctrl+Shift+G"),
        _of("search", tr("Search all chats"), 3, "Ctrl+Shift+F"),
    ]


def _view(tr: Tr) -> list[Facts]:
    theme, panes = tr("Theme"), tr("Inspector pane")
    return [
        _of("tokens", tr("Token view"), 0, "Ctrl+T"),
        _of("sidebar", tr("Side bar"), 1, "Ctrl+\\"),
        _of("inspector", tr("Inspector"), 1, "Ctrl+I"),
        _of("pane_live", tr("Live"), 1, "Ctrl+1", submenu=panes),
        _of("pane_step", tr("Step"), 1, "Ctrl+2", submenu=panes),
        _of("pane_compare", tr("Compare"), 1, "Ctrl+3", submenu=panes),
        _of("pane_settings", tr("Settings"), 1, "Ctrl+4", submenu=panes),
        _of("bigger", tr("Bigger text"), 2, "Ctrl++", "Ctrl+="),
        _of("smaller", tr("Smaller text"), 2, "Ctrl+-"),
        _of("actual_size", tr("Actual size"), 2, "Ctrl+0"),
        _of("theme_auto", tr("Like the system"), 3, submenu=theme),
        _of("theme_light", tr("Light"), 3, submenu=theme),
        _of("theme_dark", tr("Dark"), 3, submenu=theme),
        _of("full_screen", tr("Full screen"), 4, "Ctrl+Meta+F", "F11"),
    ]


def _chat(tr: Tr) -> list[Facts]:
    return [
        _of("stop", tr("Stop"), 0, "Ctrl+.", hint="Esc"),
        _of("regenerate", tr("Answer again"), 0, "Ctrl+R"),
        _of("resume", tr("Continue last reply"), 0, "Ctrl+Shift+R"),
        _of("edit_last", tr("Edit last question"), 0, "Ctrl+Shift+E"),
        _of("previous_version", tr("Previous version"), 0, "Alt+Left"),
        _of("next_version", tr("Next version"), 0, "Alt+Right"),
        _of("previous_chat", tr("Previous chat"), 1, "Ctrl+Alt+Up"),
        _of("next_chat", tr("Next chat"), 1, "Ctrl+Alt+Down"),
        _of("rename", tr("Rename chat…"), 2, "F2"),
        _of("pin", tr("Pin chat"), 2, "Ctrl+Shift+P"),
        _of("archive", tr("Archive chat"), 2),
        _of("delete_chat", tr("Delete chat"), 3),
    ]


def _window(tr: Tr) -> list[Facts]:
    return [
        _of("minimise", tr("Minimise"), 0, "Ctrl+M"),
        _of("zoom", tr("Zoom")),
        _of("focus_reply", tr("Go to the reply's tokens"), 1, "F6"),
    ]


def _help(tr: Tr) -> list[Facts]:
    return [
        _of("shortcuts", tr("Keyboard shortcuts"), 0, "Ctrl+/"),
        _of("diagnostics", tr("Diagnostics…"), 1),
    ]


def _keys_only(tr: Tr) -> list[Facts]:
    """What a key does that stands in no menu."""
    return [_of("step_back", tr("Close what is open, or stop the reply"), 0, "Esc")]
