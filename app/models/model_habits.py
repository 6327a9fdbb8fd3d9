"""What is remembered of a model as plain values, and back; what means nothing here is left out."""

import math
from collections.abc import Mapping
from typing import Any

from app.models.chat_settings import ChatSettings, plain_settings, settings_from
from app.models.flag import FlagError
from app.models.flags import FLAGS
from app.models.library import ModelHabits

_LARGEST_CONTEXT = 2**27


def plain_habits(habits: ModelHabits) -> dict[str, Any]:
    """As they are stored, the time of use aside."""
    plain: dict[str, Any] = {}
    if habits.context is not None:
        plain["context"] = habits.context
    if habits.sampling is not None:
        sampled = ChatSettings(sampling=habits.sampling)
        plain["sampling"] = plain_settings(sampled).get("sampling", {})
    if habits.speculation:
        plain["speculation"] = dict(habits.speculation)
    return plain


def habits_from(values: Mapping[str, Any], used: object = None) -> ModelHabits:
    """As they were stored."""
    context, sampling = values.get("context"), values.get("sampling")
    is_length = type(context) is int and 1 <= context <= _LARGEST_CONTEXT
    is_time = isinstance(used, int | float) and math.isfinite(used) and used > 0
    return ModelHabits(
        context=context if is_length else None,
        sampling=(
            settings_from({"sampling": sampling}).sampling if isinstance(sampling, dict) else None
        ),
        speculation=_flags(values.get("speculation")),
        used=float(used) if is_time and isinstance(used, int | float) else None,
    )


def _flags(values: object) -> dict[str, object]:
    """The flags that are known, with values that fit them."""
    found: dict[str, object] = {}
    for name, value in values.items() if isinstance(values, dict) else ():
        flag = FLAGS.get(name)
        if flag is None:
            continue
        try:
            found[name] = flag.plain(flag.fitted(value))
        except FlagError:
            continue
    return found
