"""What counting tokens costs: `python -m tests.bench.counting`.

Prints, and judges nothing: five million characters whole and in pieces, and the longest time
between two looks at the cancel flag.
"""

import sys
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from engine.model.token_count import count_tokens
from tests.fakes.tokenizers import byte_level

NUM_CHARACTERS = 5_000_000
SOURCE = Path(__file__).parents[2] / "engine" / "worker.py"


def report(name: str, text: str) -> None:
    """One kind of text."""
    tokenizer = byte_level()
    looks: list[float] = []
    began = perf_counter()
    whole = len(tokenizer.encode(text, add_special_tokens=False))
    alone, began = perf_counter() - began, perf_counter()
    count = count_tokens(tokenizer, text, lambda: looks.append(perf_counter()))
    seconds = perf_counter() - began
    longest = max(b - a for a, b in pairwise(looks))
    sys.stdout.write(
        f"{name}: {count:,} tokens ({whole:,} whole in {alone:.2f} s), in pieces "
        f"{seconds:.2f} s, longest between two looks {longest * 1000:.0f} ms\n"
    )


def main() -> None:
    """Three kinds of text."""
    code = SOURCE.read_text(encoding="utf-8")
    units = {"code": code, "Chinese": "今天天气很好我们去公园散步。", "one line": "word " * 100}
    for name, unit in units.items():
        report(name, (unit * (NUM_CHARACTERS // len(unit) + 1))[:NUM_CHARACTERS])


if __name__ == "__main__":
    main()
