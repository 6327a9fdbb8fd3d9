"""What can be fetched, as it is shown: a starter, or a model found on the hub."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.fetching.found import FoundModel
from app.models.model_words import bytes_words, parameters_words
from app.models.starters import Starter
from app.views.library.words import DOT, short_name


@dataclass(frozen=True, slots=True)
class Offer:
    """`num_bytes` is what there is to fetch, None where that is not known yet."""

    repo: str
    title: str
    facts: str
    note: str
    kind: str
    num_bytes: int | None
    is_gated: bool
    is_best: bool = False


def offer_of(starter: Starter, *, is_best: bool = False) -> Offer:
    """A starter, with what it needs."""
    parts = (
        starter.parameters,
        _tr("{0} bits").format(starter.bits),
        _tr("about {0}").format(bytes_words(starter.num_bytes)),
        _tr("needs about {0}").format(bytes_words(starter.needed_bytes)),
        starter.license,
    )
    facts = DOT.join(parts)
    size = starter.num_bytes
    kind = _tr("hybrid") if starter.kind == "hybrid" else _tr("attention")
    return Offer(starter.repo, starter.title, facts, _tr(starter.note), kind, size, False, is_best)


def offer_found(found: FoundModel) -> Offer:
    """A model of a search, as far as the hub tells of it."""
    parts = [found.repo.partition("/")[0]]
    if found.num_parameters:
        parts.append(parameters_words(found.num_parameters))
    if found.total_bytes:
        parts.append(bytes_words(found.total_bytes))
    if found.num_downloads is not None:
        parts.append(_tr("{0} downloads").format(_short(found.num_downloads)))
    if found.num_likes:
        parts.append(_tr("{0} likes").format(_short(found.num_likes)))
    if found.license:
        parts.append(found.license)
    note = ""
    if found.is_gated:
        note = _tr("Accept its terms on its page first, and save your key below.")
    title = short_name(found.repo)
    facts = DOT.join(parts)
    return Offer(found.repo, title, facts, note, "", found.total_bytes, found.is_gated)


def _short(number: int) -> str:
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f}M"
    return f"{number / 1_000:.0f}k" if number >= 1_000 else str(number)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Offers", text)
