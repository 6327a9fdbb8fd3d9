"""A second copy of a reply as it stands, in the time it takes to copy its lists.

What a reply is made of never changes once it is there: records, pieces, words. Only the containers
that hold it grow, so a copy of those is a reply of its own: it may grow on, or be read on another
thread while the first one grows.
"""

import copy
from array import array
from collections import Counter, OrderedDict, deque
from typing import Any

from app.models.reply import Reply
from app.models.run import RunStatistics
from app.models.step_log import StepLog
from engine import Tally

_CONTAINERS = (list, dict, set, array, deque, Counter, OrderedDict)
_GROWING = (Reply, RunStatistics, StepLog, Tally)


def branched(reply: Reply) -> Reply:
    """A reply that is equal now and grows apart."""
    result: Reply = _copied(reply)
    return result


def _copied(value: Any) -> Any:
    if isinstance(value, _CONTAINERS):
        return copy.copy(value)
    if not isinstance(value, _GROWING):
        return value
    twin = copy.copy(value)
    for name, part in vars(value).items():
        setattr(twin, name, _copied(part))
    return twin
