"""What many chats cost: `QT_QPA_PLATFORM=offscreen python -m tests.bench.sidebar [CHATS]`.

Prints, and judges nothing: the side bar's making and first picture, a regrouping after a chat has
changed, the open one's way to the top, chats that are taken in, a key in the search, a scrolled
page.
"""

import statistics
import sys
import time
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from app.models.chats import Chats, Folder
from app.models.conversation import Conversation
from app.models.grouping import grouped
from app.models.model_state import ModelState
from app.theme import Theme
from app.views.sidebar import Sidebar
from app.views.stylesheet import style_sheet

NUM_ROUNDS = 9
_DAY_SECONDS = 86_400


def many_chats(num: int) -> Chats:
    """Chats of two years, some pinned, in folders, archived, in the trash."""
    chats, now = Chats(), time.time()
    kept = []
    for number in range(num):
        chat = Conversation()
        chat.title = f"Number {number} of many: {'a title ' * (number % 5)}"
        chat.is_named, chat.is_loaded, chat.num_shown = True, False, number % 9 + 1
        chat.model = "A model of some name"
        chat.changed = now - number * 730 * _DAY_SECONDS / num
        chat.is_pinned = number % 500 == 3
        chat.folder = number % 7 + 1 if number % 50 == 4 else None
        chat.is_archived, chat.trashed = number % 40 == 5, now if number % 90 == 6 else None
        kept.append(chat)
    chats.restore(kept, [Folder(n, f"Folder {n}", float(n)) for n in range(1, 8)])
    return chats


def measure(what: str, act: Callable[[], object], num_rounds: int = NUM_ROUNDS) -> None:
    """Several rounds of the same; the middle one and the longest."""
    walls, works = [], []
    for _ in range(num_rounds):
        wall, work = time.perf_counter(), time.thread_time()
        act()
        walls.append((time.perf_counter() - wall) * 1e3)
        works.append((time.thread_time() - work) * 1e3)
    wall, work, longest = statistics.median(walls), statistics.median(works), max(walls)
    sys.stdout.write(f"{what}: {wall:.1f} ms, of work {work:.1f} ms (longest {longest:.1f} ms)\n")


def grow(app: QApplication, chats: Chats, bar: Sidebar) -> None:
    """What a question in an old chat takes, and an import."""
    old = iter(chats.items[-2 * NUM_ROUNDS :])

    def go_up() -> None:
        chats.open(next(old))
        chats.current.touch()
        app.processEvents()
        bar.grab()

    def take_in() -> None:
        for chat in many_chats(100).items[:-1]:
            chats.take(chat)
        app.processEvents()
        bar.grab()

    measure("an old chat is opened and goes to the top", go_up)
    measure("100 chats are taken in", take_in)


def main() -> None:
    """All of it."""
    num = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    app = QApplication(["bench"])
    chats, theme = many_chats(num), Theme("light")
    sheet, bars = style_sheet(theme.palette), []
    # What Qt does once, fonts above all, is no part of this.
    warm = Sidebar(theme, Chats(), ModelState())
    warm.setStyleSheet(sheet)
    warm.resize(232, 900)
    warm.grab()

    def first() -> None:
        bar = Sidebar(theme, chats, ModelState())
        bar.setStyleSheet(sheet)
        bar.resize(232, 900)
        bar.show()
        bar.grab()
        app.processEvents()
        bars.append(bar)
        for earlier in bars[:-1]:
            earlier.hide()

    measure(f"{num} chats, made and painted", first, 3)
    bar = bars[-1]
    for earlier in bars[:-1]:
        earlier.deleteLater()
    app.processEvents()
    measure("grouped", lambda: grouped(chats.items, chats.folders, time.time()))

    def change() -> None:
        chat = chats.items[num // 2]
        chat.changed = time.time()
        chat.set_pinned(not chat.is_pinned)
        app.processEvents()
        bar.grab()

    measure("a chat moves to another group", change)

    def stay() -> None:
        chats.items[5].set_archived(chats.items[5].is_archived)
        app.processEvents()
        bar.grab()

    measure("a chat changes in its place", stay)
    measure("laid out", bar.list.doItemsLayout)
    grow(app, chats, bar)

    def type_key() -> None:
        bar.search.field.setText("number 49" if bar.search.field.text() == "n" else "n")
        bar.grab()

    measure("a key in the search", type_key)
    bar.search.field.clear()
    bar.hide()

    def scroll() -> None:
        scroller = bar.list.verticalScrollBar()
        scroller.setValue(scroller.value() + 400)
        bar.grab()

    measure("a page scrolled and painted", scroll)


if __name__ == "__main__":
    main()
