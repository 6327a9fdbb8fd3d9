"""What loading a tokenizer costs the window: `python -m tests.bench.tokenizers [ROUNDS]`.

Prints, and judges nothing: for tokenizer.json files of about 3.5 and 12 MB, as families name their
classes, how long loading takes on a thread of its own, and how long a thread that ticks every 5 ms
had to wait for Python's lock at most.
"""

import gc
import json
import shutil
import statistics
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.model.preflight import preflight, resolve

TICK_SECONDS = 0.005
SWITCH_INTERVAL_SECONDS = 0.001
SIZES = ((48_000, 90_000), (150_000, 300_000))
CLASSES = ("PreTrainedTokenizerFast", "Qwen2Tokenizer")


def made_folder(parent: Path, num_words: int, num_merges: int, kind: str) -> Path:
    """The demo model's folder with a byte-level BPE of this size in place of its own."""
    folder = parent / f"{kind}-{num_words}"
    folder.mkdir()
    for file in resolve("demo").iterdir():
        if file.suffix == ".safetensors":
            (folder / file.name).symlink_to(file)
        elif file.is_file():
            shutil.copy2(file, folder)
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    _enlarge(content["model"], num_words, num_merges)
    text = json.dumps(content, ensure_ascii=False)
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    config["tokenizer_class"] = kind
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def _enlarge(model: dict[str, object], num_words: int, num_merges: int) -> None:
    """Pairs and triples of sixty words; each triple can be made of either pair in it."""
    vocabulary, merges = model["vocab"], model["merges"]
    assert isinstance(vocabulary, dict)
    assert isinstance(merges, list)
    base = [word for word in vocabulary if len(word) in (4, 5) and word.isalpha()][:60]
    pairs = [parts for parts in product(base, repeat=2) if "".join(parts) not in vocabulary]
    known = set(map("".join, pairs))
    found = [*pairs]
    for a, b, c in product(base, repeat=3):
        if a + b in known and b + c in known:
            found += ((a + b, c), (a, b + c))
    last = max(vocabulary.values()) + 1_000
    for left, right in found:
        if len(merges) >= num_merges or len(vocabulary) >= num_words:
            break
        if left + right not in vocabulary:
            last += 1
            vocabulary[left + right] = last
        merges.append([left, right])


def longest_wait(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of `work` on a thread, and the longest that a ticking thread had to wait."""
    thread = threading.Thread(target=work)
    ticks = [time.perf_counter()]
    thread.start()
    while thread.is_alive():
        time.sleep(TICK_SECONDS)
        ticks.append(time.perf_counter())
    thread.join()
    ticks.append(time.perf_counter())
    return ticks[-1] - ticks[0], max(max(b - a for a, b in pairwise(ticks)) - TICK_SECONDS, 0.0)


def main() -> None:
    """Both sizes, both classes."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.disable()  # as in the app, whose window collects by itself
    from engine.model.tokenizer import load_tokenizer

    load_tokenizer(preflight(resolve("demo")))
    with TemporaryDirectory() as name:
        for num_words, num_merges in SIZES:
            for kind in CLASSES:
                folder = preflight(made_folder(Path(name), num_words, num_merges, kind))
                size = (folder.path / "tokenizer.json").stat().st_size / 1e6
                took = [longest_wait(partial(load_tokenizer, folder)) for _ in range(rounds)]
                seconds, wait = (statistics.median(part) for part in zip(*took, strict=True))
                sys.stdout.write(
                    f"{kind}, {size:.1f} MB: {seconds:.2f} s, longest wait {wait * 1000:.0f} ms\n"
                )


if __name__ == "__main__":
    main()
