"""When a run ends: limits on seconds, looks, iterations, a target, patience, or any of them, whichever comes first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from swarmkit.contract.settings import Settings, make_settings

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress

Stopped = Literal["done", "target", "looks", "evaluations", "iterations", "seconds", "patience", "interrupted"]
"""Why a run ended; one that an observer stopped has the observer's words instead."""


class Budget(Settings):
    """The limits of a run; the first one that is reached ends it."""

    seconds: Annotated[float | None, Field(gt=0)] = None
    """Wall-clock seconds from the start of the search."""
    looks: Annotated[int | None, Field(gt=0)] = None
    """Candidate values read: the unit that is fair across solvers."""
    evaluations: Annotated[int | None, Field(gt=0)] = None
    """Solutions passed to the problem's `score`: the fair unit where a problem has no tables."""
    iterations: Annotated[int | None, Field(gt=0)] = None
    """The solver's own iterations."""
    target: float | None = None
    """A score that is good enough; in a call or on the command line, of a problem with costs, a cost."""
    patience: Annotated[int | None, Field(gt=0)] = None
    """Iterations without an improvement."""

    @property
    def bounded(self) -> bool:
        """Whether the budget ends every run (a target alone may never be reached)."""
        limits = (self.seconds, self.looks, self.evaluations, self.iterations, self.patience)
        return any(limit is not None for limit in limits)

    def spent(self, progress: Progress) -> Stopped | None:
        """Return the limit that is reached, or None."""
        if self.target is not None and progress.score is not None and progress.score >= self.target:
            return "target"
        if self.looks is not None and progress.looks >= self.looks:
            return "looks"
        if self.evaluations is not None and progress.evaluations >= self.evaluations:
            return "evaluations"
        if self.iterations is not None and progress.iterations >= self.iterations:
            return "iterations"
        if self.seconds is not None and progress.seconds >= self.seconds:
            return "seconds"
        if self.patience is not None and progress.iterations - progress.improved_at >= self.patience:
            return "patience"
        return None


DEFAULT: Mapping[str, float] = MappingProxyType({"looks": 2_000_000, "seconds": 60.0})
"""The limits of a run for which none was given: enough for a good answer, and not too long to wait for."""

DEFAULT_OF_BLACK_BOX: Mapping[str, float] = MappingProxyType({"seconds": 10.0})
"""The same for a problem without tables: how long a score takes is not known, so the clock decides."""


def budget(**limits: float | None) -> Budget:
    """Return a budget of the given limits; None is no limit.

    >>> budget(looks=1000, seconds=None).seconds is None
    True

    Args:
        limits: any fields of `Budget`.
    """
    return make_settings(Budget, {name: value for name, value in limits.items() if value is not None}, "budget")


def bounded_budget(limits: Budget, black_box: bool) -> Budget:
    """Return a budget that ends every run: the given one, with default limits if none of its own does.

    >>> bounded_budget(Budget(target=1.0), black_box=False).looks
    2000000

    Args:
        limits: the budget that was asked for.
        black_box: whether the problem is nothing but a score.
    """
    default = DEFAULT_OF_BLACK_BOX if black_box else DEFAULT
    return limits if limits.bounded else limits.model_copy(update=dict(default))
