"""Whether a model's recurrent layers can be rolled back locally, and a watch where they can.

Asked once, when a model is loaded; the answer is tried on the loaded weights (`self_check`).
"""

from typing import Any

from mlx_lm.models.cache import ArraysCache

from engine.model.cache import Caches, speculation_refusal
from engine.model.local.layers import adapted_layers, heard_sites
from engine.model.local.recording import Sites
from engine.model.local.self_check import self_check
from engine.model.local.watch import BlockWatch


class LocalRollback:
    """What local rollback needs of one model: for every recurrent layer, an adapter."""

    def __init__(self, sites: Sites) -> None:
        self._sites = sites

    @classmethod
    def of(cls, model: Any, entries: list[Any]) -> "LocalRollback | str":
        """The rollback of this model, or why it has none (a sentence part, no full stop).

        `entries` are fresh caches and are used up: where there are recurrent layers, a few short
        forwards are run through them.
        """
        refusal = speculation_refusal(entries)
        if refusal is not None:
            return refusal
        caches = Caches(entries)
        kind = type(model).__module__.rpartition(".")[2]
        layers = adapted_layers(model)
        num_recurrent = sum(type(leaf) is ArraysCache for leaf in caches.leaves)
        if len(layers) < num_recurrent:
            return f"no adapter for the recurrent layers of {kind}"
        heard = heard_sites(layers)
        missing = next((site.name for site in heard if site.function is None), None)
        if missing is not None:
            return f"the recurrent layers of {kind} have no {missing} any more"
        rollback = cls(Sites(heard, [type(layer) for layer in layers]))
        reason = self_check(model, caches, rollback.watch)
        return rollback if reason is None else f"{reason} ({kind})"

    def watch(self, caches: Caches, width: int) -> BlockWatch:
        """A watch over the next forward of `width` tokens; enter it around that forward."""
        return BlockWatch(caches, width, self._sites)
