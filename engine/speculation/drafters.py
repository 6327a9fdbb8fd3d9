"""From the drafter's name to a drafter. Pure Python."""

from engine.account import EffectiveConfig
from engine.speculation.auto import AutoDrafter
from engine.speculation.draft import Drafter
from engine.speculation.prompt_lookup import PromptLookupDrafter
from engine.speculation.suffix import SuffixDrafter


def make_drafter(config: EffectiveConfig) -> Drafter:
    """A new drafter as the configuration names it."""
    stop_ids = frozenset(config.stop_ids)
    lookup = PromptLookupDrafter(config.ngram_max, config.ngram_min)
    if config.drafter == "lookup":
        return AutoDrafter((lookup,), stop_ids)
    if config.drafter == "suffix":
        return SuffixDrafter(stop_ids)
    return AutoDrafter((SuffixDrafter(stop_ids), lookup), stop_ids)
