"""What may be followed: the schemes that are links, addresses bare in text, hosts of images."""

import re
from urllib.parse import urlsplit

_ALLOWED = re.compile(r"^(?:https?://|mailto:)\S", re.IGNORECASE)
_BARE = re.compile(r"https?://[^\s<>\"`]{1,2000}", re.IGNORECASE)
_TRAILING = ".,;:!?'\"*_~"
_LONGEST = 2_000


def is_followed(target: str) -> bool:
    """Whether a target becomes a link."""
    return len(target) <= _LONGEST and bool(_ALLOWED.match(target))


def host_of(target: str) -> str:
    """The host that an image would come from; its scheme where there is none."""
    try:
        parts = urlsplit(target[:_LONGEST])
    except ValueError:
        return ""
    return parts.hostname or (f"{parts.scheme}:" if parts.scheme else "")


def bare_links(text: str) -> list[tuple[int, int]]:
    """Where addresses stand in plain text, without the punctuation behind them."""
    found = []
    for each in _BARE.finditer(text) if "://" in text else ():
        end = each.end()
        while end > each.start():
            last = text[end - 1]
            address = text[each.start() : end]
            closes = last in ")]" and address.count(last) > address.count("(["[last == "]"])
            if last not in _TRAILING and not closes:
                break
            end -= 1
        if end > each.start() + len("https://"):
            found.append((each.start(), end))
    return found
