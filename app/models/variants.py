"""The ways a reply can be run again: what each changes, and which of them the model can run."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from PySide6.QtCore import QCoreApplication

from engine import DrafterChoice, EffectiveConfig, ModelInfo, SpeculationParams, Strategy

Group = Literal["baseline", "drafter", "length", "rollback"]

LENGTHS: tuple[int | None, ...] = (None, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run it: `choice` names it within its group, `label` wherever it stands alone.

    `meaning` is what it is good for; `is_usual` what a person most likely wants to know first.
    """

    group: Group
    choice: str
    label: str
    meaning: str
    speculation: SpeculationParams
    is_usual: bool = False


def offered_variants(
    asked: SpeculationParams, config: EffectiveConfig, info: ModelInfo
) -> tuple[Variant, ...]:
    """What differs from how the reply ran (`asked`, and `config` that came of it); itself first."""
    again = _again(asked)
    if info.speculation_refusal is not None:
        return (again,)
    on = replace(asked, enabled=True)
    return (
        again,
        _switched(asked),
        *_drafters(on),
        *_lengths(on),
        *_rollbacks(on, config, info),
    )


def _again(asked: SpeculationParams) -> Variant:
    meaning = _tr(
        "The same settings once more, from an empty cache like the others, so that speeds"
        " can be compared"
    )
    choice, label = _tr("as it was"), _tr("again, as it was")
    return Variant("baseline", choice, label, meaning, asked, is_usual=True)


def _switched(asked: SpeculationParams) -> Variant:
    if asked.enabled:
        name = _tr("speculation off")
        meaning = _tr("The yardstick of speed: one token a forward, no drafts")
    else:
        name, meaning = _tr("speculation on"), _tr("With drafts, otherwise as it was")
    params = replace(asked, enabled=not asked.enabled)
    return Variant("baseline", name, name, meaning, params, is_usual=True)


def _drafters(on: SpeculationParams) -> list[Variant]:
    names: dict[DrafterChoice, tuple[str, str]] = {
        "auto": (_tr("auto"), _tr("Whichever of the two came true more often lately")),
        "lookup": (_tr("lookup"), _tr("Copies what followed the last occurrence of the n-gram")),
        "suffix": (_tr("suffix"), _tr("Copies from the longest earlier match, past an edit too")),
    }
    return [
        Variant("drafter", word, _tr("{0} drafter").format(word), why, replace(on, drafter=name))
        for name, (word, why) in names.items()
        if name != on.drafter
    ]


def _lengths(on: SpeculationParams) -> list[Variant]:
    return [_length(on, length) for length in LENGTHS if length != on.draft_length]


def _length(on: SpeculationParams, length: int | None) -> Variant:
    if length is None:
        word, meaning = _tr("auto"), _tr("As much as is likely to pay; none where nothing does")
    else:
        word, meaning = str(length), _tr("Always up to this many tokens; pacing is off")
    label = _tr("draft length {0}").format(word)
    return Variant("length", word, label, meaning, replace(on, draft_length=length))


def _rollbacks(on: SpeculationParams, config: EffectiveConfig, info: ModelInfo) -> list[Variant]:
    """Without recurrent layers there is nothing to rebuild: trimming is the way, and free."""
    strategies: tuple[Strategy, ...] = get_args(Strategy)
    can = {
        "trim": not info.is_recurrent,
        "discard": info.is_recurrent,
        "replay": info.is_recurrent,
        "carry": info.is_recurrent,
        "local": info.is_recurrent and info.local_refusal is None,
    }
    return [_rollback(on, name) for name in strategies if can[name] and name != config.rollback]


def _rollback(on: SpeculationParams, name: Strategy) -> Variant:
    meanings: dict[Strategy, str] = {
        "trim": _tr("Drops the rejected positions from the caches"),
        "discard": _tr("Restores; what had matched before a rejected draft is lost too"),
        "replay": _tr("Restores, then runs what was accepted once more: a forward each time"),
        "carry": _tr("Restores; what was accepted rides in front of the next draft"),
        "local": _tr("Reruns only the recurrence of each recurrent layer"),
    }
    choice: str = name
    label = _tr("{0} rollback").format(name)
    params = replace(on, replay=True, rollback=name)
    if name == "discard":
        choice, label = _tr("replay off"), _tr("replay off (discard)")
        params = replace(on, replay=False, rollback="auto")
    return Variant("rollback", choice, label, meanings[name], params)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Variants", text)
