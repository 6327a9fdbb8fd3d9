"""How much memory a model will take, told from its survey."""

from engine.model_survey import LayerGroup, MemoryNeed, ModelSurvey

# Tokens still pending, one more, and the longest draft: a test compares.
WIDEST_VERIFY = 48


def memory_need(survey: ModelSurvey, context: int | None = None) -> MemoryNeed | None:
    """What the model takes at `context` tokens, its whole context if None; None if unknown."""
    length = context or survey.context_length
    if survey.weights_bytes is None or length is None or length < 1 or not survey.layers:
        return None
    caches = sum(group.num_layers * _cache_bytes(group, length) for group in survey.layers)
    rollback = sum(group.num_layers * _rollback_bytes(group, length) for group in survey.layers)
    return MemoryNeed(length, survey.weights_bytes, caches, rollback)


def _cache_bytes(group: LayerGroup, length: int) -> int:
    held = min(length, group.window or length)
    return held * group.bytes_per_token + group.state_bytes


def _rollback_bytes(group: LayerGroup, length: int) -> int:
    """Caches that grow are trimmed, for nothing; a window is copied.

    A state is held as it was, and in front of the rows a convolution runs over once more.
    """
    if group.kind == "recurrent":
        return 2 * group.state_bytes + WIDEST_VERIFY * group.captured_bytes
    if group.kind == "sliding attention":
        return min(length, group.window or length) * group.bytes_per_token
    return 0
