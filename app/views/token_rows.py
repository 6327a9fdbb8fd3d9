"""What the card says of a token, line by line."""

from PySide6.QtCore import QCoreApplication

from app.models.token_facts import Alternative, TokenFacts

# Characters that fit into a row of the card.
_ROOM = 28
_MOST_OF_WORD = 12


def rows_of(facts: TokenFacts) -> list[tuple[str, str]]:
    """Names and values; what was not recorded is left out."""
    rows = [(_tr("id"), str(facts.id))]
    if facts.probability is not None:
        rows.append((_tr("probability"), probability(facts.probability)))
    if facts.alternatives:
        rows.append((_tr("next best"), _next_best(facts.alternatives)))
    if facts.margin is not None:
        # At temperature 0 nothing is drawn: the likeliest is taken.
        name = _tr("won its draw by") if facts.is_drawn else _tr("leads by")
        rows.append((name, _tr("{0:.2f} logits").format(facts.margin)))
    if facts.draft_place is not None:
        place = _tr("{0} of {1}").format(facts.draft_place, facts.draft_length)
        rows.append((_tr("step {0:,} · draft position").format(facts.step), place))
    else:
        rows.append((_tr("step"), f"{facts.step:,}"))
    if facts.draft_said is not None:
        rows.append((_tr("the draft said"), f"“{facts.draft_said}”"))
    if facts.ngram is not None:
        is_drafted = facts.draft_place is not None
        name = _tr("matched") if is_drafted else _tr("the draft matched")
        rows.append(
            (name, f"“{facts.ngram_end}”" if facts.ngram else _tr("taken up behind an edit"))
        )
    if facts.source is not None:
        is_edit = facts.source.is_edit
        where = _tr("an edit, made again") if is_edit else facts.source.name
        rows.append((_tr("copied from"), where))
    return rows


def probability(value: float) -> str:
    """Three digits; what would round to 0 or 1 without being it says so."""
    if 0 < value < 0.0005:
        return "<0.001"
    return ">0.999" if 0.9995 <= value < 1 else f"{value:.3f}"


def _next_best(others: tuple[Alternative, ...]) -> str:
    """As many as fit, the likeliest at least."""
    told = ""
    for other in others:
        is_long = len(other.text) > _MOST_OF_WORD
        text = other.text[: _MOST_OF_WORD - 1] + "…" if is_long else other.text
        more = f"{told} · " if told else ""
        more += f"“{text}” {probability(other.probability)}"
        if told and len(more) > _ROOM:
            break
        told = more
    return told


def _tr(text: str) -> str:
    return QCoreApplication.translate("TokenCard", text)
