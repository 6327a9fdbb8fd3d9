"""What surveying models costs: `python -m tests.bench.survey [FOLDERS]`.

Prints, and judges nothing: one survey of the demo, of a folder with a header of 10 MB, of many
folders, and how long another thread had to wait for Python's lock meanwhile.
"""

import gc
import json
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from engine import survey
from engine.model.preflight import resolve

HEADER_BYTES = 10_000_000
BEAT_SECONDS = 0.001


def timed(what: str, act: Callable[[], object]) -> None:
    """Run `act` on a thread; print its time, and the longest wait of a thread beside it."""
    thread = threading.Thread(target=act)
    began = time.perf_counter()
    thread.start()
    longest, last = 0.0, time.perf_counter()
    while thread.is_alive():
        time.sleep(BEAT_SECONDS)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    took = time.perf_counter() - began
    print(f"{what:34} {took * 1000:9.1f} ms   longest wait {longest * 1000:6.1f} ms")  # noqa: T201


def copy_of_demo(place: Path) -> Path:
    place.mkdir()
    for file in resolve("demo").iterdir():
        if file.suffix == ".safetensors":
            (place / file.name).symlink_to(file)
        elif file.is_file():
            shutil.copy2(file, place)
    return place


def with_long_header(place: Path) -> Path:
    folder = copy_of_demo(place)
    entries, size, at = {}, 0, 0
    while size < HEADER_BYTES:
        name = f"model.layers.{len(entries) % 60}.mlp.experts.{len(entries)}.down_proj.weight"
        entries[name] = {"dtype": "U8", "shape": [1], "data_offsets": [at, at + 1]}
        size, at = size + len(name) + 70, at + 1
    offsets = [entry["data_offsets"] for entry in entries.values()]
    random.Random(0).shuffle(offsets)  # MLX writes names in order, arrays in any
    for entry, own in zip(entries.values(), offsets, strict=True):
        entry["data_offsets"] = own
    raw = json.dumps(entries).encode()
    (folder / "model.safetensors").unlink()
    weights = len(raw).to_bytes(8, "little") + raw + bytes(at)
    (folder / "model.safetensors").write_bytes(weights)
    shards = {"weight_map": dict.fromkeys(entries, "model.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(shards))
    return folder


def main() -> None:
    gc.disable()  # as the app does
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as scratch:
        demo = resolve("demo")
        timed("counting, to compare waits with", lambda: sum(i for i in range(20_000_000)))
        timed("the demo, first time", lambda: survey(demo))
        timed("the demo", lambda: survey(demo))
        long = with_long_header(Path(scratch) / "long")
        timed("a header of 10 MB and its index", lambda: survey(long))
        many = [copy_of_demo(Path(scratch) / f"m{i}") for i in range(number)]
        timed(f"{number} folders", lambda: [survey(folder) for folder in many])


if __name__ == "__main__":
    main()
