"""What can be fetched, as it is shown: a starter, or a model found on the hub."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.fetching.found import FoundModel, RemoteModel
from app.models.model_words import bytes_words, parameters_words
from app.models.starters import Starter, needed_bytes
from app.views.library.words import DOT, short_name


@dataclass(frozen=True, slots=True)
class Offer:
    """`num_bytes` is what there is to fetch, None where that is not known yet.

    `about` and `liked` are what stands before and behind its size; `is_rough`: the size is not the
    hub's word.
    """

    repo: str
    title: str
    about: tuple[str, ...]
    liked: tuple[str, ...]
    license: str
    note: str
    kind: str
    num_bytes: int | None
    is_gated: bool
    is_rough: bool = False
    is_best: bool = False


def offer_of(starter: Starter, *, is_best: bool = False) -> Offer:
    """A starter, with what it needs."""
    return Offer(
        repo=starter.repo,
        title=starter.title,
        about=(starter.parameters, _tr("{0}-bit").format(starter.bits)),
        liked=(),
        license=starter.license,
        note=_tr(starter.note),
        kind=_tr("hybrid") if starter.kind == "hybrid" else _tr("attention"),
        num_bytes=starter.num_bytes,
        is_gated=False,
        is_rough=True,
        is_best=is_best,
    )


def offer_found(found: FoundModel) -> Offer:
    """A model of a search, as far as the hub tells of it."""
    about, liked = [found.repo.partition("/")[0]], []
    if found.num_parameters:
        about.append(parameters_words(found.num_parameters))
    if found.num_downloads is not None:
        liked.append(_tr("{0} downloads").format(_short(found.num_downloads)))
    if found.num_likes:
        liked.append(_tr("{0} likes").format(_short(found.num_likes)))
    note = ""
    if found.is_gated:
        note = _tr("Accept its terms on its page first, and save your key below.")
    return Offer(
        repo=found.repo,
        title=short_name(found.repo),
        about=tuple(about),
        liked=tuple(liked),
        license=found.license,
        note=note,
        kind="",
        num_bytes=found.total_bytes or None,
        is_gated=found.is_gated,
    )


def facts_words(offer: Offer, known: RemoteModel | None) -> str:
    """The line of facts: the hub's own figures in place of rough ones, once they are known."""
    size = known.total_bytes if known is not None else offer.num_bytes
    sizes = []
    if size:
        is_rough = offer.is_rough and known is None
        words = bytes_words(size)
        sizes.append(_tr("about {0}").format(words) if is_rough else words)
    if size and offer.is_rough:
        sizes.append(_tr("needs about {0}").format(bytes_words(needed_bytes(size))))
    license = known.license if known is not None and known.license else offer.license
    parts = (*offer.about, *sizes, *offer.liked, license)
    return DOT.join(part for part in parts if part)


def details_words(known: RemoteModel) -> str:
    """What there is to download, and under which licence."""
    num = len(known.files)
    files = _tr("1 file") if num == 1 else _tr("{0} files").format(num)
    words = _tr("{0}, {1} to download.").format(files, bytes_words(known.total_bytes))
    if known.license:
        words += " " + _tr("Licence: {0}.").format(known.license)
    return words


def _short(number: int) -> str:
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f}M"
    return f"{number / 1_000:.0f}k" if number >= 1_000 else str(number)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Offers", text)
