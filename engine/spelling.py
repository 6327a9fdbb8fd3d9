"""Values as strict JSON can spell them: it has no infinities and no NaN."""

import math
from typing import Any


def spelled(value: Any) -> Any:
    """The value with infinities and NaN as strings, which `decoding` takes back."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [spelled(item) for item in value]
    return value
