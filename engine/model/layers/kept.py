"""What one cache keeps, as a `LayerGroup` of a single layer."""

from engine.model.layers.settings import Settings
from engine.model_survey import LayerGroup

FLOAT32 = 4


def attention(s: Settings, keys: int, values: int | None = None) -> LayerGroup:
    """A cache of `keys` numbers a token, and as many values if nothing else is said."""
    return LayerGroup("attention", 1, _row(s, keys, values), None, 0)


def sliding(s: Settings, window: int, keys: int, values: int | None = None) -> LayerGroup:
    """One of the last `window` tokens."""
    return LayerGroup("sliding attention", 1, _row(s, keys, values), window, 0)


def chunked(s: Settings, window: int, keys: int) -> LayerGroup:
    """One of the chunk that is being written."""
    return LayerGroup("chunked attention", 1, _row(s, keys, None), window, 0)


def recurrent(state_bytes: int, captured_bytes: int) -> LayerGroup:
    """A state of one size; a verify keeps `captured_bytes` of each of its tokens besides."""
    return LayerGroup("recurrent", 1, 0, None, state_bytes, captured_bytes)


def _row(s: Settings, keys: int, values: int | None) -> int:
    return (keys + (keys if values is None else values)) * s.width
