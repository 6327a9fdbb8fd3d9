"""A program that fetches a model, to be killed: `python -m tests.app.fetching.victim URL CACHE`."""

import queue
import sys
from pathlib import Path

from app.fetching.events import FetchDone, FetchEvent, FetchFailed
from app.fetching.fetcher import Fetcher
from app.fetching.hub import Hub


def main() -> None:
    """Fetch, and print the last word."""
    events: queue.SimpleQueue[FetchEvent] = queue.SimpleQueue()
    fetcher = Fetcher(Hub(sys.argv[1], token=lambda: None), Path(sys.argv[2]), events.put)
    fetcher.start(1, "owner/model")
    while not isinstance(event := events.get(), FetchDone | FetchFailed):
        continue
    sys.stdout.write(f"{type(event).__name__}\n")
    fetcher.close()


if __name__ == "__main__":
    main()
