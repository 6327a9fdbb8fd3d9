"""A load as events tell of it: where it is, and how many bytes of the weights are in memory."""

from collections.abc import Callable
from dataclasses import replace

from engine.events import Event, Failed, LoadProgress
from engine.jobs import Load
from engine.model.load import LoadCancelled, load
from engine.model.loaded_model import LoadedModel

CANCELLED = "cancelled"  # the kind of a failure that was asked for


def load_telling(
    job: Load, tell: Callable[[Event], None], is_cancelled: Callable[[], bool]
) -> LoadedModel | Failed:
    """The model; its last event where loading was cancelled. Raises as `load` does."""
    progress = LoadProgress(job.job, "", 0.0)

    def on_weights(done: int, total: int) -> None:
        nonlocal progress
        progress = replace(progress, done_bytes=done, total_bytes=total)

    def on_progress(stage: str, share: float) -> None:
        tell(replace(progress, stage=stage, fraction=share))

    try:
        return load(
            job.name, on_progress=on_progress, is_cancelled=is_cancelled, on_weights=on_weights
        )
    except LoadCancelled:
        return Failed(job.job, "Loading was cancelled; no model is loaded.", kind=CANCELLED)
