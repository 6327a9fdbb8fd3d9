"""How often what streams is painted. On a CPU, painting takes its time from the model."""

# On two cores the faster beat cost a tenth of the speed.
_GPU_MS, _CPU_MS = 80, 200


def beat_ms(device: str) -> int:
    """Milliseconds between two paintings of a growing reply, by where its model computes."""
    return _CPU_MS if device == "cpu" else _GPU_MS
