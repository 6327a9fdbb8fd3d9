"""What Markdown costs: `QT_QPA_PLATFORM=offscreen python -m tests.bench.markdown`.

Prints, and judges nothing: an append at the end of a reply of 20,000 tokens, how long long texts
take to their first paint and to their end, and the longest time the event loop is away meanwhile.
"""

import gc
import random
import statistics
import sys
from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget

from app.theme import Theme
from app.views.markdown.view import MarkdownView

NUM_TOKENS = 20_000
UNIT = """## Part {0}

Some words with **bold**, *italic*, `code` and a [link](https://example.org/{0}) in a paragraph that
goes on for a while, so that it wraps, and wraps again, as replies of models do when they explain.

1. First, with a reason
2. Second:
   - nested, with `code`
   - nested too

```python
def part_{0}(values: list[int]) -> int:
    \"\"\"Add them.\"\"\"
    total = 0
    for value in values:
        total += value * {0}
    return total
```

| name | value | notes |
|------|------:|-------|
| a{0} | {0} | a cell of some words |
| b{0} | {0} | and **another** |

> A quote of one line, to close the part.

"""
Feed = Callable[[MarkdownView], object]


def reply(num_characters: int) -> str:
    """Markdown of everything, that long."""
    text = "".join(UNIT.format(n) for n in range(num_characters // (len(UNIT) - 10) + 1))
    return text[:num_characters]


class Desk:
    """A view in a scroll area, shown."""

    def __init__(self) -> None:
        self.area = QScrollArea()
        content = QWidget()
        column = QVBoxLayout(content)
        self.view = MarkdownView(Theme("light"), content)
        column.addWidget(self.view)
        column.addStretch(1)
        self.area.setWidget(content)
        self.area.setWidgetResizable(True)
        self.area.resize(760, 900)
        self.area.show()
        turn()

    def close(self) -> None:
        """Gone, with all it holds."""
        self.area.close()
        self.area.deleteLater()
        turn()


def turn() -> float:
    """One turn of the event loop, and how long it took."""
    begin = perf_counter()
    QCoreApplication.processEvents()
    return perf_counter() - begin


def say(name: str, seconds: list[float]) -> None:
    """The middle and the worst, in milliseconds."""
    each = sorted(value * 1e3 for value in seconds)
    far = each[int(len(each) * 0.99)]
    middle = statistics.median(each)
    sys.stdout.write(f"{name:44} {middle:7.2f} median {far:7.2f} 99% {each[-1]:7.2f} worst (ms)\n")


def stream(name: str, text: str) -> None:
    """Append token by token, the loop turning in between."""
    desk, numbers, place = Desk(), random.Random(1), 0
    calls, turns = [], []
    while place < len(text):
        size = numbers.choice((1, 2, 3, 4, 5, 7)) * 4
        begin = perf_counter()
        desk.view.append(text[place : place + size])
        calls.append(perf_counter() - begin)
        turns.append(turn())
        place += size
    desk.view.finish()
    say(f"{name}: append", calls[-2_000:])
    say(f"{name}: a turn with its paint", turns[-2_000:])
    desk.close()


def whole(name: str, text: str) -> None:
    """Show at once: the first paint, the end, and the longest stall."""
    desk = Desk()
    begin = perf_counter()
    desk.view.set_source(text, True)
    stalls = [perf_counter() - begin]
    stalls.append(turn())
    first = perf_counter() - begin
    while not desk.view.is_settled:
        stalls.append(turn())
    end = perf_counter() - begin
    sys.stdout.write(
        f"{name:44} first paint {first * 1e3:6.0f}  all {end * 1e3:6.0f}  "
        f"longest stall {max(stalls) * 1e3:5.0f} (ms)\n"
    )
    desk.area.resize(600, 900)
    stalls = [turn()]
    while not desk.view.is_settled:
        stalls.append(turn())
    sys.stdout.write(f"{'':44} narrower: longest stall {max(stalls) * 1e3:5.0f} (ms)\n")
    desk.close()


def main() -> None:
    """Every figure once."""
    _application = QApplication([])
    # As in the running app, which has a collector of its own.
    gc.disable()
    whole("a short reply (warms up)", reply(2_000))
    whole("a reply of 20,000 tokens", reply(4 * NUM_TOKENS))
    whole("a line of 100,000 characters", "word " * 20_000)
    whole("a line of 100,000 without a space", "x" * 100_000)
    whole("3,000 lines of text", "A line of text that was pasted.\n" * 3_000)
    whole("3,000 lines of code", "```python\n" + "x = call(1, 'text')\n" * 3_000 + "```\n")
    whole("a table of 2,000 rows", "| a | b |\n|---|---|\n" + "| cell | `cell` |\n" * 2_000)
    whole("a list of 5,000 items", "- an item\n" * 5_000)
    stream("20,000 tokens", reply(4 * NUM_TOKENS))
    stream("one paragraph of 8,000", "many words " * 700)
    stream("code of 3,000 lines", "```python\n" + "x = call(1, 'text')\n" * 1_500)


if __name__ == "__main__":
    main()
