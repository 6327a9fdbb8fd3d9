"""What the conversation column costs: `QT_QPA_PLATFORM=offscreen python -m tests.bench.column`.

Prints, and judges nothing: how soon a chat of 2,000 messages is painted, how long each turn of the
event loop is away while it is read, searched and switched, and what long texts do to it.
"""

import gc
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.reply import Piece, Reply
from app.theme import Theme
from app.views.conversation_view import ConversationView
from app.views.stylesheet import style_sheet
from engine import Origin

WORDS = "Some *words* to read, and `code` among them. " * 12
BLOCK = "\n\n```python\ndef amount(item):\n    return item.price * 2\n```\n\n"
ORIGINS: tuple[Origin, ...] = ("accepted", "generated", "bonus")


class Window(QMainWindow):
    """A window with nothing but the column."""

    def __init__(self, *, is_tokens: bool) -> None:
        super().__init__()
        self.theme = Theme("light", self)
        self.setStyleSheet(style_sheet(self.theme.palette))
        self.display, inspection = TokenDisplay(is_tokens, self), Inspection(self)
        self.view = ConversationView(self.theme, self.display, ModelState(self), inspection, self)
        self.setCentralWidget(self.view)
        self.chat = Conversation(self)
        self.resize(1000, 900)

    def say(self, prompt: str, reply: Reply) -> None:
        """One exchange more, before the chat is shown."""
        self.chat.ask(prompt).reply = reply

    def open(self) -> float:
        """Show the chat; seconds until it is painted."""
        begin = time.perf_counter()
        self.view.show_chat(self.chat)
        self.show()
        self.grab()
        return time.perf_counter() - begin


def told(text: str, size: int = 0) -> Reply:
    """A finished reply; of tokens of so many characters, if a size is given."""
    reply = Reply()
    reply.phase = "finished"
    if size:
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        reply.pieces = [Piece(p, n, (ORIGINS[n % 3],), n) for n, p in enumerate(parts)]
    else:
        reply.pieces.append(Piece(text, 0, (), 0))
    return reply


def stalls(act: Callable[[], object], seconds: float = 1.5) -> str:
    """Do something, then turn the event loop: the work of it, and of the longest turns after it."""
    begin, at = time.perf_counter(), time.thread_time()
    act()
    first, turns = time.thread_time() - at, []
    while time.perf_counter() - begin < seconds:
        at = time.thread_time()
        turn()
        turns.append(time.thread_time() - at)
    turns.sort()
    return f"act {first * 1e3:.0f} ms, longest turns {[round(t * 1e3) for t in turns[-4:]]} ms"


def long_chat(*, is_tokens: bool) -> None:
    """A chat of 2,000 messages."""
    window = Window(is_tokens=is_tokens)
    for number in range(1_000):
        window.say(f"Question {number}?", told(WORDS + BLOCK + WORDS))
    look = "tokens" if is_tokens else "Markdown"
    say(f"{look}: 2,000 messages painted after {window.open() * 1e3:.0f} ms")
    view, bar = window.view, window.view.verticalScrollBar()
    say(f"  settling: {stalls(lambda: None)}")
    say(f"  a screen up: {stalls(lambda: bar.setValue(bar.value() - 800))}")
    say(f"  to the top of it: {stalls(lambda: bar.setValue(0))}")
    say(f"  reveal the first: {stalls(lambda: view.show_exchange(window.chat.exchanges[0]))}")
    say(f"  back to the end: {stalls(view.scroll_to_end)}")
    say(f"  the other look: {stalls(window.display.toggle)}")
    say(f"  find a word: {stalls(lambda: view.find_words('price'))}")
    say(f"  larger text: {stalls(lambda: view.size_of_text.set_pixels(18))}")
    say(f"  {len(view.stretch.turns)} turns are built")
    done(window)


def long_texts(*, is_tokens: bool) -> None:
    """One text that is very long in one way."""
    look = "tokens" if is_tokens else "Markdown"
    for name, prompt, reply in (
        ("a reply of 20,000 tokens", "?", told((WORDS + BLOCK) * 130, 4)),
        ("a line of 100,000 characters", "?", told("word " * 20_000)),
        ("a prompt of 3,000 lines", "a line of a prompt\n" * 3_000, told("yes")),
    ):
        window = Window(is_tokens=is_tokens)
        window.say(prompt, reply)
        say(f"{look}: {name} painted after {window.open() * 1e3:.0f} ms")
        say(f"  settling: {stalls(lambda: None)}")
        bubble = window.view.stretch.turns[0].bubble
        if bubble.is_folded:
            say(f"  unfolding: {stalls(bubble.unfold)}")
        say(f"  the other look: {stalls(window.display.toggle, 3)}")
        done(window)


def growing(*, is_tokens: bool) -> None:
    """A reply of 20,000 tokens that grows sixty times a second, eight tokens at a time."""
    window = Window(is_tokens=is_tokens)
    exchange = window.chat.ask("?")
    reply, whole = exchange.reply, told((WORDS + BLOCK) * 130, 4).pieces
    reply.phase = "streaming"
    window.open()
    took = []
    for at in range(0, len(whole), 8):
        reply.pieces += whole[at : at + 8]
        begin = time.thread_time()
        window.chat.publish(exchange)
        turn()
        took.append(time.thread_time() - begin)
    took.sort()
    look = "tokens" if is_tokens else "Markdown"
    half, most, last = (took[min(len(took) * n // 100, len(took) - 1)] for n in (50, 99, 100))
    say(
        f"{look}: {len(whole):,} tokens growing: half of the turns under {half * 1e3:.1f} ms,"
        f" 99 % under {most * 1e3:.1f} ms, longest {last * 1e3:.0f} ms"
    )
    done(window)


def switching(*, is_tokens: bool) -> None:
    """Another chat every 50 ms, as somebody who looks for one goes through them."""
    window, chats, acts, turns = Window(is_tokens=is_tokens), [], [], []
    for _ in range(8):
        chats.append(Conversation(window))
        for number in range(20):
            chats[-1].ask(f"Question {number}?").reply = told(WORDS + BLOCK + WORDS)
    window.say("?", told("yes"))
    window.open()
    for number in range(80):
        begin, at = time.perf_counter(), time.thread_time()
        window.view.show_chat(chats[number % len(chats)])
        acts.append((time.thread_time() - at) * 1e3)
        while time.perf_counter() - begin < 0.05:
            at = time.thread_time()
            turn()
            turns.append((time.thread_time() - at) * 1e3)
    look = "tokens" if is_tokens else "Markdown"
    for what, took in (("switch", sorted(acts)), ("turn after it", sorted(turns))):
        half, most, last = (took[int((len(took) - 1) * share)] for share in (0.5, 0.9, 1.0))
        say(f"{look}: {what}: half {half:.0f} ms, 90 % {most:.0f} ms, longest {last:.0f} ms")
    done(window)


def turn() -> None:
    """One turn of the event loop; outside of `exec` Qt deletes nothing by itself."""
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def done(window: Window) -> None:
    """Let it go."""
    window.close()
    window.deleteLater()
    turn()
    gc.collect()


def say(sentence: str) -> None:
    """One line of the result."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def main() -> None:
    """All of it."""
    app = QApplication(["bench"])
    app.setQuitOnLastWindowClosed(False)
    gc.disable()
    warm = Window(is_tokens=False)
    warm.say("?", told(WORDS + BLOCK))
    warm.open()
    done(warm)
    for is_tokens in (False, True):
        long_chat(is_tokens=is_tokens)
        long_texts(is_tokens=is_tokens)
        growing(is_tokens=is_tokens)
        switching(is_tokens=is_tokens)


if __name__ == "__main__":
    main()
