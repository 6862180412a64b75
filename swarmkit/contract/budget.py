"""When a run ends: limits on seconds, looks, iterations, a target, patience, or any of them, whichever comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from swarmkit.contract.settings import Settings, make_settings

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress

Stopped = Literal["done", "target", "looks", "iterations", "seconds", "patience", "interrupted"]
"""Why a run ended."""


class Budget(Settings):
    """The limits of a run; the first one that is reached ends it."""

    seconds: Annotated[float | None, Field(gt=0)] = None
    """Wall-clock seconds from the start of the search."""
    looks: Annotated[int | None, Field(gt=0)] = None
    """Candidate values read: the unit that is fair across solvers."""
    iterations: Annotated[int | None, Field(gt=0)] = None
    """The solver's own iterations."""
    target: float | None = None
    """A score that is good enough."""
    patience: Annotated[int | None, Field(gt=0)] = None
    """Iterations without an improvement."""

    @property
    def bounded(self) -> bool:
        """Whether the budget ends every run (a target alone may never be reached)."""
        return any(limit is not None for limit in (self.seconds, self.looks, self.iterations, self.patience))

    def spent(self, progress: Progress) -> Stopped | None:
        """Return the limit that is reached, or None."""
        if self.target is not None and progress.score is not None and progress.score >= self.target:
            return "target"
        if self.looks is not None and progress.looks >= self.looks:
            return "looks"
        if self.iterations is not None and progress.iterations >= self.iterations:
            return "iterations"
        if self.seconds is not None and progress.seconds >= self.seconds:
            return "seconds"
        if self.patience is not None and progress.iterations - progress.improved_at >= self.patience:
            return "patience"
        return None


DEFAULT = {"looks": 2_000_000, "seconds": 60.0}
"""The limits of a run for which none was given: enough for a good answer, and not too long to wait for."""


def budget(
    seconds: float | None = None,
    looks: int | None = None,
    iterations: int | None = None,
    target: float | None = None,
    patience: int | None = None,
) -> Budget:
    """Return a budget of the given limits, with those of DEFAULT if none of them ends every run.

    Args:
        seconds: wall-clock seconds of the search.
        looks: candidate values read.
        iterations: the solver's iterations.
        target: a score that is good enough.
        patience: iterations without an improvement.

    >>> budget(looks=1000).seconds is None
    True
    >>> budget().looks
    2000000
    """
    given = {"seconds": seconds, "looks": looks, "iterations": iterations, "target": target, "patience": patience}
    made = make_settings(Budget, {name: value for name, value in given.items() if value is not None}, "budget")
    return made if made.bounded else made.model_copy(update=DEFAULT)
