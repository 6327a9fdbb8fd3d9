"""What came of an import, in words: what is new, what was here already, what was left out."""

from collections.abc import Callable, Sequence

Tr = Callable[[str], str]
# Of what was left out so many are named, each by so many letters.
_NAMED, _LETTERS = 3, 40


def import_words(
    tr: Tr,
    file: str,
    made: Sequence[str],
    known: Sequence[str],
    left_out: Sequence[str],
    num_unread: int = 0,
) -> str:
    """Whole sentences; each of the lists is titles, and messages are missing in what was made."""
    sentences: list[str] = []
    if len(made) == 1:
        sentences.append(tr("Imported “{0}”.").format(made[0]))
    elif made:
        sentences.append(tr("Imported {0:,} chats.").format(len(made)))
    elif not known:
        sentences.append(tr("There are no chats in {0}.").format(file))
    if len(known) == 1:
        sentences.append(tr("“{0}” was here already.").format(known[0]))
    elif known:
        sentences.append(tr("{0:,} chats were here already.").format(len(known)))
    if left_out:
        sentences.append(_left_out(tr, left_out))
    if num_unread == 1:
        sentences.append(tr("1 message could not be read and was left out."))
    elif num_unread:
        sentences.append(
            tr("{0:,} messages could not be read and were left out.").format(num_unread)
        )
    return " ".join(sentences)


def _left_out(tr: Tr, titles: Sequence[str]) -> str:
    named = [f"“{_short(title)}”" for title in titles if title]
    if len(titles) == 1:
        what = named[0] if named else tr("An entry without a title")
        return tr("{0} was left out: nothing in it can be read.").format(what)
    words = tr("{0:,} entries were left out: nothing in them can be read").format(len(titles))
    if not named:
        return f"{words}."
    more = ["…"] if len(titles) > len(named[:_NAMED]) else []
    return f"{words} ({', '.join(named[:_NAMED] + more)})."


def _short(title: str) -> str:
    return title if len(title) <= _LETTERS else f"{title[: _LETTERS - 1]}…"
