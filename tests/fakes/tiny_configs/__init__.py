"""Configurations, small enough for a test, of mlx-lm's own model classes.

`CONFIGS` maps a name to (module of mlx_lm.models, config). The window is 16 and the chunk is 16, so
that a prompt and a short reply go past them.
"""

from typing import Any

from tests.fakes.tiny_configs.attention import ATTENTION
from tests.fakes.tiny_configs.common import COMMON, CONTEXT_LENGTH, VOCABULARY, WINDOW
from tests.fakes.tiny_configs.gated import GATED
from tests.fakes.tiny_configs.recurrent import RECURRENT

__all__ = ["CONFIGS", "CONTEXT_LENGTH", "RECURRENT_NAMES", "VOCABULARY", "WINDOW"]

CONFIGS: dict[str, tuple[str, dict[str, Any]]] = {
    name: (module, {**COMMON, "model_type": module, **specific})
    for name, (module, specific) in {**ATTENTION, **GATED, **RECURRENT}.items()
}

RECURRENT_NAMES = (*GATED, *RECURRENT)
