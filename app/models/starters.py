"""Models to begin with: a short list of ones that run here, as data, and which to recommend."""

from dataclasses import dataclass
from typing import Literal

from app.models.fit import EASY_SHARE, Verdict

Kind = Literal["hybrid", "attention"]
Group = Literal["small", "medium", "large"]

_GB = 1_000_000_000
# What a model takes in memory beside its weights: caches of a chat, and room to work.
_CACHE_SHARE, _ROOM = 0.1, _GB // 2


@dataclass(frozen=True, slots=True)
class Starter:
    """A model on the hub; `num_bytes` is about what there is to fetch.

    `kind` is `hybrid` where most layers are recurrent and only some attend to the whole text.
    """

    repo: str
    title: str
    family: str
    parameters: str
    bits: int
    num_bytes: int
    license: str
    kind: Kind
    group: Group
    note: str

    @property
    def needed_bytes(self) -> int:
        """About what it takes in memory for a chat of usual length."""
        return needed_bytes(self.num_bytes)


STARTERS = (
    Starter(
        "mlx-community/Qwen3.5-0.8B-MLX-4bit", "Qwen3.5 0.8B", "Qwen3.5", "0.8 B", 4,
        625_000_000, "Apache 2.0", "hybrid", "small",
        "The quickest way to try a real hybrid model; good at copying and small edits.",
    ),
    Starter(
        "LiquidAI/LFM2.5-1.2B-Instruct-MLX-4bit", "LFM2.5 1.2B Instruct", "LFM2.5", "1.2 B", 4,
        659_000_000, "LFM Open License v1.0", "hybrid", "small",
        "Short convolutions and a little attention: very fast on small machines.",
    ),
    Starter(
        "mlx-community/Qwen3.5-2B-MLX-4bit", "Qwen3.5 2B", "Qwen3.5", "2 B", 4,
        1_750_000_000, "Apache 2.0", "hybrid", "small",
        "For machines with 8 GB.",
    ),
    Starter(
        "mlx-community/Qwen3-0.6B-4bit", "Qwen3 0.6B", "Qwen3", "0.6 B", 4,
        350_000_000, "Apache 2.0", "attention", "small",
        "The smallest here, to compare plain attention with the hybrids.",
    ),
    Starter(
        "mlx-community/SmolLM3-3B-4bit", "SmolLM3 3B", "SmolLM3", "3 B", 4,
        1_750_000_000, "Apache 2.0", "attention", "small",
        "Attention only, and open down to its training data.",
    ),
    Starter(
        "mlx-community/Qwen3.5-4B-MLX-4bit", "Qwen3.5 4B", "Qwen3.5", "4 B", 4,
        3_060_000_000, "Apache 2.0", "hybrid", "medium",
        "A good all-rounder for machines with 16 GB.",
    ),
    Starter(
        "mlx-community/granite-4.0-h-tiny-4bit", "Granite 4.0 H Tiny", "Granite 4.0 H", "7 B", 4,
        3_920_000_000, "Apache 2.0", "hybrid", "medium",
        "State-space layers and experts: 1 B parameters at work for each token.",
    ),
    Starter(
        "mlx-community/Qwen3.5-9B-MLX-4bit", "Qwen3.5 9B", "Qwen3.5", "9 B", 4,
        6_000_000_000, "Apache 2.0", "hybrid", "medium",
        "Noticeably better at code and longer edits.",
    ),
    Starter(
        "mlx-community/Llama-3.2-3B-Instruct-4bit", "Llama 3.2 3B Instruct", "Llama 3.2", "3 B", 4,
        1_800_000_000, "Llama 3.2 Community License", "attention", "medium",
        "A well-known attention model.",
    ),
    Starter(
        "mlx-community/Qwen3.5-35B-A3B-4bit", "Qwen3.5 35B-A3B", "Qwen3.5", "35 B", 4,
        20_400_000_000, "Apache 2.0", "hybrid", "large",
        "Experts: the speed of a 3 B model, the knowledge of a large one.",
    ),
    Starter(
        "mlx-community/Qwen3-Next-80B-A3B-Instruct-4bit", "Qwen3-Next 80B-A3B Instruct",
        "Qwen3-Next", "80 B", 4, 44_800_000_000, "Apache 2.0", "hybrid", "large",
        "For machines with 64 GB and more.",
    ),
)  # fmt: skip


def needed_bytes(num_bytes: int) -> int:
    """About what a model of that many bytes takes in memory for a chat of usual length."""
    return int(num_bytes * (1 + _CACHE_SHARE)) + _ROOM


def rough_verdict(num_bytes: int | None, free_bytes: int | None) -> Verdict:
    """Whether a model that is not here yet will fit, as far as its size tells."""
    if num_bytes is None or free_bytes is None:
        return "unknown"
    needed = needed_bytes(num_bytes)
    if needed > free_bytes:
        return "does not fit"
    return "fits" if needed <= free_bytes * EASY_SHARE else "tight"


def recommended(free_bytes: int | None, starters: tuple[Starter, ...] = STARTERS) -> Starter:
    """The largest hybrid that fits into the memory that is free, else the smallest one."""
    hybrids = sorted(
        (each for each in starters if each.kind == "hybrid"), key=lambda each: each.num_bytes
    )
    fitting = [each for each in hybrids if rough_verdict(each.num_bytes, free_bytes) == "fits"]
    return fitting[-1] if fitting else hybrids[0]
