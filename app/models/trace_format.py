"""The kinds of file a reply can be saved as."""

from typing import Literal

Format = Literal["trace", "chrome", "csv"]

SUFFIXES: dict[Format, str] = {"trace": ".jsonl", "chrome": ".json", "csv": ".csv"}
