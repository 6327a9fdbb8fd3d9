"""Which token ids end a reply, which begin a text, and which a draft must never contain."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

MOST_SPECIAL = 1_000

_TEXT_SECTIONS = ("text_config", "language_config", "llm_config")
_MEDIA_KEY = re.compile(
    r"(?:^|_)(?:pad|images?|img|videos?|vision|visual|audio|speech|boi|eoi|boa|eoa)_(?:\w+_)?"
    r"(?:token|token_ids?|token_index)$"
)


def text_sections(config: Json) -> list[Json]:
    """The configuration and, in models that also see or hear, its part for text."""
    nested = [config.get(name) for name in _TEXT_SECTIONS]
    return [config, *(section for section in nested if isinstance(section, dict))]


def collect_stop_ids(tokenizer: Any, configs: Sequence[Json]) -> frozenset[int]:
    """Every end-of-sequence id named by the configurations and the tokenizer."""
    return _named_ids("eos_token_id", tokenizer.eos_token_id, configs)


def collect_start_ids(tokenizer: Any, configs: Sequence[Json]) -> frozenset[int]:
    """Every begin-of-sequence id named by the configurations and the tokenizer."""
    return _named_ids("bos_token_id", tokenizer.bos_token_id, configs)


def collect_excluded_ids(
    tokenizer: Any,
    configs: Sequence[Json],
    tokenizer_configs: Sequence[Json],
    keep: frozenset[int],
) -> frozenset[int]:
    """Pad, image, video, vision and audio ids, and the additional special tokens; never `keep`.

    `configs` are the model's and its processors' configurations, `keep` the stop and start ids,
    which are legitimate text even where the tokenizer lists them as additional special tokens.
    """
    found = set(_ids(tokenizer.pad_token_id))
    for config in (*configs, *tokenizer_configs):
        for value in _media_values(config):
            found.update(_resolve(tokenizer, value))
    for config in tokenizer_configs:
        for token in _additional_tokens(config):
            found.update(_resolve(tokenizer, token))
    return frozenset(found) - keep


def _named_ids(key: str, own: object, configs: Sequence[Json]) -> frozenset[int]:
    sections = [section for config in configs for section in text_sections(config)]
    values = [own, *(section.get(key) for section in sections)]
    return frozenset(token for value in values for token in _ids(value))


def _ids(value: object) -> list[int]:
    values = value if isinstance(value, list) else [value]
    return [v for v in values if isinstance(v, int) and not isinstance(v, bool) and v >= 0]


def _media_values(config: Json) -> Iterator[object]:
    sections = [config]
    while sections:  # not recursive: a section may be nested without end
        for key, value in sections.pop().items():
            if isinstance(value, dict) and "content" not in value:
                sections.append(value)
            elif _MEDIA_KEY.search(key):
                yield value


def _additional_tokens(config: Json) -> Iterator[object]:
    for key in ("additional_special_tokens", "extra_special_tokens"):
        listed = config.get(key)
        if isinstance(listed, dict):
            yield from listed.values()
        elif isinstance(listed, list):
            yield from listed


def _resolve(tokenizer: Any, value: object) -> list[int]:
    """Ids of a value that may be an id, a list of ids, a token, or a token with its settings."""
    if isinstance(value, dict):
        value = value.get("content")
    if not isinstance(value, str):
        return _ids(value)
    token = tokenizer.convert_tokens_to_ids(value)
    known = isinstance(token, int) and tokenizer.convert_ids_to_tokens(token) == value
    return [token] if known else []


def special_tokens(tokenizer: Any) -> tuple[tuple[int, str], ...]:
    """(id, text) of the tokens that were added to the vocabulary by name, as many as one reads."""
    added = tokenizer.added_tokens_decoder
    return tuple((token, str(added[token])) for token in sorted(added)[:MOST_SPECIAL])
