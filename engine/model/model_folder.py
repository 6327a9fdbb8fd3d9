"""A checked model folder: what its JSON says, and where its weights are."""

from dataclasses import dataclass
from pathlib import Path

from engine.model.files import Json, folder_name
from engine.model.special_ids import text_sections

_DEFAULT_CONTEXT = 32_768
_LARGEST_CONTEXT = 2**27  # tokenizers without a limit say 1e30
_CONTEXT_KEYS = (
    "max_position_embeddings",
    "n_positions",
    "n_ctx",
    "max_sequence_length",
    "max_seq_len",
    "seq_length",
)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that passed every check which needs no MLX."""

    path: Path
    config: Json
    generation: Json
    processors: tuple[Json, ...]
    tokenizer_configs: tuple[Json, ...]
    weight_files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What a sentence calls the folder."""
        return folder_name(self.path)

    @property
    def model_type(self) -> str:
        return str(self.config["model_type"])

    def context_length(self) -> int:
        """The smallest sane limit that the model and its tokenizer name, in tokens."""
        limits = [section.get(k) for section in text_sections(self.config) for k in _CONTEXT_KEYS]
        limits += [config.get("model_max_length") for config in self.tokenizer_configs]
        sane = [n for n in limits if type(n) is int and 2 <= n <= _LARGEST_CONTEXT]
        return min(sane, default=_DEFAULT_CONTEXT)
