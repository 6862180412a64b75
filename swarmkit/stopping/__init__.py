"""Stopping criteria: when a run ends. Every module of this package is one, and a new one is a new file here.

The name of the module is the keyword of `swarmkit.solve`, the field of `Budget`, the option of the command line and the
`stopped` of a result. The file has a subclass of `Criterion`, whose docstring is the help text:

    class Steps(Criterion):
        '''Limit on the steps of the solver.'''

It limits the number of that name in a run's progress (`progress.steps`); one that limits anything else has `used`.
A criterion is called with the progress of a run and returns whether the run ends there. Functions that do the same are
criteria too: `swarmkit.solve(problem, stop=lambda progress: progress.evaluations > 100)`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress

StopFunction = Callable[["Progress"], object]
"""A criterion: what it returns is false, true, or the reason in words."""

LIMITS_OF_0_2 = ("seconds", "looks", "evaluations", "iterations", "target", "patience")
"""The first limits, in this order: the JSON of every budget has them, and the keys of stored runs are made from it."""


class Criterion:
    """A limit on something that a run uses.

    Args:
        limit: what may be used.
    """

    name: ClassVar[str]
    """The keyword, option and reason."""
    number: ClassVar[type[int] | type[float]] = int
    """The kind of number that the limit is."""
    positive: ClassVar[bool] = True
    """Whether the limit must be above 0."""
    by_clock: ClassVar[bool] = False
    """Whether seconds are measured: it is then asked between two evaluations of a step too."""
    certain: ClassVar[bool] = True
    """Whether every run reaches it if it goes on for long enough."""
    grows: ClassVar[bool] = True
    """Whether what is used never gets less, so that its share shows how far a run is."""
    reserve: ClassVar[bool] = False
    """Whether a tenth of it is left for polishing."""
    rank: ClassVar[int] = 1
    """Of several limits that are reached at once, the one with the lowest rank is the reason."""
    words: ClassVar[str] = ""
    """The reason as a clause; by default, that it was spent."""

    def __init_subclass__(cls) -> None:
        """Name a criterion of this package after its module, any other after its class."""
        package, _, module = cls.__module__.rpartition(".")
        cls.name = module if package == __name__ else cls.__name__
        cls.words = cls.words or f"its {cls.name.replace('_', ' ')} were spent"

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, progress: Progress) -> bool:
        """Return whether a run ends here."""
        return self.used(progress) >= self.limit

    def used(self, progress: Progress) -> float:
        """Return how much of what is limited a run has used: by default the number of this name in its progress."""
        used: float = getattr(progress, self.name)
        return used


@functools.cache
def criteria() -> Mapping[str, type[Criterion]]:
    """Return the criterion of every module in this package, by name: those of version 0.2, then the others.

    >>> criteria()["looks"](100).limit
    100
    """
    modules = {module.name for module in pkgutil.iter_modules(__path__)}
    # The first six in the order of version 0.2, because keys of stored runs are hashes of their JSON.
    names = [*LIMITS_OF_0_2, *sorted(modules - {*LIMITS_OF_0_2})]
    return MappingProxyType({name: _criterion_in(f"{__name__}.{name}") for name in names})


def _criterion_in(path: str) -> type[Criterion]:
    """Return the criterion that a module defines."""
    kinds = [kind for kind in vars(importlib.import_module(path)).values() if isinstance(kind, type)]
    return next(kind for kind in kinds if issubclass(kind, Criterion) and kind.__module__ == path)


def reason_to_stop(rules: Iterable[StopFunction], progress: Progress) -> str | None:
    """Return why the first of some criteria that ends a run does so, or None if none does.

    A function that returns text gives its reason; the reason of any other is its name.
    """
    for rule in rules:
        verdict = rule(progress)
        # An empty text is no reason: the run goes on.
        if isinstance(verdict, str) and verdict.strip():
            return verdict
        if verdict and not isinstance(verdict, str):
            return _name(rule)
    return None


def _name(rule: StopFunction) -> str:
    """Return the name of a criterion or a function; a lambda is called `stop`."""
    name = getattr(rule, "name", None) or getattr(rule, "__name__", type(rule).__name__)
    return "stop" if name == "<lambda>" else str(name)
