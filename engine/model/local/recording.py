"""Hearing the calls inside recurrent layers during one forward, and leaving no trace of it.

While a recording runs, the callables named by its sites (a function in a model's module, a method
of a layer's class) are replaced by ones that pass the call on and note its arguments and result;
so are the layers' own `__call__`s, to know whose calls they are: a layer is told by the cache it
was called with, never by the order of calls. Two layers sharing one function cannot be mixed up.

It runs for one verify forward: prefill and plain steps call mlx-lm's own functions. On leaving,
by an exception too, every callable is again the very object it was, and the replacements, which
alone refer back to the recording, are gone. Another thread's calls pass through unheard, and
another thread's recording waits for this one to end.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from inspect import BoundArguments, Signature, signature
from types import ModuleType, TracebackType
from typing import Any

from mlx.nn.layers.base import Module
from mlx_lm.models.cache import ArraysCache, CacheList

_REPLACING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Site:
    """A callable by where it lives: a module or a class, and its name there."""

    owner: ModuleType | type
    name: str

    @property
    def function(self) -> Callable[..., Any] | None:
        """What is there now; None where nothing is."""
        found: Callable[..., Any] | None = vars(self.owner).get(self.name)
        return found


@dataclass(frozen=True, slots=True)
class Call:
    """One call heard, with its arguments as they were given."""

    site: Site
    function: Callable[..., Any]
    given: BoundArguments
    result: Any

    @property
    def arguments(self) -> Mapping[str, Any]:
        """By name; defaults that were not given are left out."""
        return self.given.arguments

    def again(self, changed: Mapping[str, Any]) -> Any:
        """The function's result with some of the arguments changed."""
        arguments = OrderedDict({**self.given.arguments, **changed})
        given = BoundArguments(self.given.signature, arguments)
        return self.function(*given.args, **given.kwargs)


@dataclass(frozen=True, slots=True)
class LayerCalls:
    """What was heard inside one layer, in order."""

    layer: Module
    calls: list[Call] = field(default_factory=list)


class Sites:
    """All callables to replace for one model, with their signatures; they must exist."""

    def __init__(self, heard: Iterable[Site], layer_classes: Iterable[type]) -> None:
        self.heard: dict[Site, Signature] = {}
        for site in heard:
            if site.function is not None:
                self.heard[site] = signature(site.function)
        self.layers = [Site(kind, "__call__") for kind in dict.fromkeys(layer_classes)]


class Recording:
    """Calls by the cache of the layer that made them. A context manager, entered once."""

    def __init__(self, sites: Sites, leaves: Sequence[ArraysCache]) -> None:
        self._sites = sites
        self._heard: dict[int, list[LayerCalls]] = {id(leaf): [] for leaf in leaves}
        self._current: LayerCalls | None = None
        self._thread = 0
        self._undo = ExitStack()

    def of(self, leaf: ArraysCache) -> list[LayerCalls]:
        """What was heard in the layers called with `leaf`: one entry a layer call."""
        return self._heard[id(leaf)]

    def __enter__(self) -> None:
        with ExitStack() as undo:
            undo.enter_context(_REPLACING)
            self._thread = threading.get_ident()
            for site in self._sites.layers:
                _replace(site, self._entering, undo)
            for site, arguments in self._sites.heard.items():
                _replace(site, partial(self._hearing, site, arguments), undo)
            self._undo = undo.pop_all()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._undo.close()

    def _hearing(
        self, site: Site, arguments: Signature, original: Callable[..., Any]
    ) -> Callable[..., Any]:
        def heard(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if self._current is not None and threading.get_ident() == self._thread:
                given = arguments.bind(*args, **kwargs)
                self._current.calls.append(Call(site, original, given, result))
            return result

        return heard

    def _entering(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def entered(layer: Module, *args: Any, **kwargs: Any) -> Any:
            heard = self._heard_with((*args, *kwargs.values()))
            if heard is None or threading.get_ident() != self._thread:
                return original(layer, *args, **kwargs)
            outer, self._current = self._current, LayerCalls(layer)
            heard.append(self._current)
            try:
                return original(layer, *args, **kwargs)
            finally:
                self._current = outer

        return entered

    def _heard_with(self, arguments: Sequence[Any]) -> list[LayerCalls] | None:
        """Where the calls of a layer go that was called with a watched cache."""
        for argument in arguments:
            parts = argument.caches if type(argument) is CacheList else (argument,)
            for part in parts:
                if type(part) is ArraysCache and id(part) in self._heard:
                    return self._heard[id(part)]
        return None


def _replace(
    site: Site, make: Callable[[Callable[..., Any]], Callable[..., Any]], undo: ExitStack
) -> None:
    original = vars(site.owner)[site.name]
    undo.callback(setattr, site.owner, site.name, original)
    setattr(site.owner, site.name, make(original))
