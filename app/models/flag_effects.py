"""What becomes of a flag in a reply: where it plays no part, and what ran instead of what was set.

Pure functions of the settings and of the engine's effective configuration.
"""

from app.models.flag import FlagValue
from app.models.flags import FLAGS
from engine import EffectiveConfig, ModelInfo, SpeculationParams

_PACED = ("min_acceptance", "warmup_steps", "probe_interval", "pending_limit")


def idle_reason(name: str, params: SpeculationParams) -> str:
    """Why a flag changes nothing under these settings, in one sentence; empty if it may."""
    if name in _PACED and not params.pacing:
        return "Not used while the draft length is fixed."
    if name in ("ngram_max", "ngram_min") and params.drafter == "suffix":
        return "Not used by the suffix drafter."
    if name == "replay" and params.rollback not in ("auto", "trim"):
        return f"Not used while the rollback is {params.rollback}."
    if name == "extra_excluded" and not params.exclude:
        return "Not used while no tokens are excluded."
    return ""


def missing_ids(value: FlagValue, info: ModelInfo | None) -> str:
    """A sentence about token ids that the model does not have; empty if it has all of them."""
    if info is None or not isinstance(value, tuple):
        return ""
    missing = next((token for token in value if token >= info.vocabulary_size), None)
    if missing is None:
        return ""
    return f"Token id {missing} does not exist here, so a reply would be refused; remove it."


def in_effect(name: str, config: EffectiveConfig) -> str | None:
    """What the reply runs with, as text; None where the engine has nothing to say of the flag."""
    shown: dict[str, FlagValue] = {
        "enabled": config.enabled,
        "drafter": config.drafter,
        "draft_length": config.draft_length,
        "ngram_max": config.ngram_max,
        "ngram_min": config.ngram_min,
        "rollback": config.rollback,
        "replay": config.replay,
        "exclude": config.exclude,
        "min_acceptance": config.min_acceptance,
        "warmup_steps": config.warmup_steps,
        "probe_interval": config.probe_interval,
        "guard": config.guard,
    }
    if config.pending_limit is not None:
        shown["pending_limit"] = config.pending_limit
    is_silent = name not in shown or not (config.enabled or name == "enabled")
    return None if is_silent else FLAGS[name].text(shown[name])
