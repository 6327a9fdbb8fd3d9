"""Two kinds of tokenizer whose tokens are not text: bytes, and pieces with a stripped space."""

from functools import cache
from typing import Any

from tokenizers import Tokenizer, decoders, models
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from engine.model.preflight import resolve


@cache
def byte_level() -> Any:
    """The demo model's tokenizer: bytes, so that characters split over tokens."""
    return AutoTokenizer.from_pretrained(str(resolve("demo")), local_files_only=True)


@cache
def sentence_pieces() -> Any:
    """Llama-like pieces: a leading space stripped, unknown characters as byte tokens."""
    words = ["<unk>", "<s>", "</s>", "▁", "▁the", "▁cat", "s", "▁▁", "a", "!"]
    pieces = [*words, *(f"<0x{byte:02X}>" for byte in range(256))]
    raw = Tokenizer(
        models.BPE({p: i for i, p in enumerate(pieces)}, [], unk_token="<unk>", byte_fallback=True)
    )
    raw.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    return PreTrainedTokenizerFast(tokenizer_object=raw, clean_up_tokenization_spaces=False)
