"""A model of the library in words: its name, its facts, its caches, what speculation will do."""

from PySide6.QtCore import QCoreApplication

from app.models.fit import Verdict
from app.models.library import LibraryModel
from app.models.model_words import bytes_words, parameters_words
from app.views.controls import Tone
from engine import ModelSurvey, SamplingParams

DOT = " · "
TONES: dict[Verdict, Tone] = {
    "fits": "good",
    "tight": "caution",
    "does not fit": "error",
    "unknown": "neutral",
}


def short_name(name: str) -> str:
    """A repository's name without its owner."""
    return name.rpartition("/")[2] or name


def tokens_words(tokens: int) -> str:
    """A number of tokens, short: "32k"."""
    unit = 1024 if tokens % 1024 == 0 else 1000
    return f"{tokens / unit:.0f}k" if tokens >= unit else str(tokens)


def facts_of(survey: ModelSurvey) -> str:
    """Family, parameters, bits, size and context, as far as they are known."""
    parts = [survey.family or survey.model_type]
    if survey.num_parameters:
        parts.append(parameters_words(survey.num_parameters))
    if survey.bits is not None:
        parts.append(_tr("{0}-bit").format(survey.bits))
    elif survey.dtype:
        parts.append(survey.dtype)
    if survey.file_bytes is not None:
        parts.append(bytes_words(survey.file_bytes))
    if survey.context_length:
        parts.append(_tr("{0} context").format(tokens_words(survey.context_length)))
    return DOT.join(part for part in parts if part)


def caches_of(survey: ModelSurvey) -> str:
    """What its layers keep; empty where that is not known."""
    return " + ".join(survey.cache_families)


def speculation_of(survey: ModelSurvey) -> tuple[str, str]:
    """What speculation will do, in a word or two and in a sentence; empty if not known."""
    if survey.speculation_refusal is not None:
        return _tr("no speculation"), survey.speculation_refusal
    if survey.rollback is None:
        return "", ""
    sentence = {
        "trim": _tr("Rejected drafts are dropped from its caches, at no cost."),
        "local": _tr("Rejected drafts are undone by running its recurrent layers alone again."),
        "carry": _tr("After a rejected draft, accepted tokens ride in front of the next one."),
        "replay": _tr("After a rejected draft, accepted tokens are run again."),
    }.get(survey.rollback, "")
    return _tr("speculation: {0}").format(survey.rollback), sentence


def sampling_words(sampling: SamplingParams) -> str:
    """What its makers recommend, short."""
    usual = SamplingParams()
    named = (
        (_tr("temperature"), sampling.temperature, None),
        (_tr("top-p"), sampling.top_p, usual.top_p),
        (_tr("top-k"), sampling.top_k, usual.top_k),
        (_tr("min-p"), sampling.min_p, usual.min_p),
        (_tr("repetition penalty"), sampling.repetition_penalty, usual.repetition_penalty),
        (_tr("presence penalty"), sampling.presence_penalty, usual.presence_penalty),
    )
    return DOT.join(f"{name} {value:g}" for name, value, other in named if value != other)


def origin_words(model: LibraryModel) -> str:
    """Where it comes from."""
    if model.origin == "hub":
        return _tr("downloaded from the hub")
    return _tr("built in") if model.origin == "built in" else _tr("in a folder of yours")


def verdict_words(verdict: Verdict) -> str:
    """The verdict on a model's memory, for a pill."""
    return {
        "fits": _tr("Fits"),
        "tight": _tr("Tight"),
        "does not fit": _tr("Does not fit"),
        "unknown": _tr("Unknown"),
    }[verdict]


def _tr(text: str) -> str:
    return QCoreApplication.translate("LibraryWords", text)
