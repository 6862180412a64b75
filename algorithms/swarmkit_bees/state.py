"""The state of a colony between two iterations, and the check of one that kernels read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Pairwise, RngState, Solutions, UsageError
from swarmkit.search import Climb, GainTable, RouteState
from swarmkit_bees.rules import Plan


def no_stages() -> Ints:
    """Return an empty array of integers."""
    return np.empty(0, np.int64)


@dataclass
class LargeNeighbourhood:
    """How far an iteration of large neighbourhood search is; the defaults are the search before its first iteration."""

    order: Ints = field(default_factory=no_stages)
    """The stages of the segment that is rebuilt, in the order of the bees, the hive first; empty between segments."""
    offset: int = 0
    """The stage at which the first segment of this iteration begins."""
    length: int = 0
    """The number of stages of a segment."""
    visited: int = 0
    """The number of stages that this iteration has visited in earlier segments."""
    before: float = -np.inf
    """The best score before this iteration."""
    quality: float = np.inf
    """The best quality of a bee of this segment; infinite where no bee has a path."""
    best: Solutions = field(default_factory=no_stages)
    """The last of the best solutions, which the search goes on from; on free tables it is `table.best`."""
    table: GainTable | None = None
    """On free tables: the gain table of the solution that climbs, of the best one between segments."""
    paths: Solutions = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """On free tables: the paths that climb, by step, a row for each."""
    sweep: Ints = field(default_factory=no_stages)
    """On free tables: the stages of this segment in the order of the climb's sweep."""
    at: Ints = field(default_factory=no_stages)
    """On free tables: the number of the path that climbs, whether it has begun, and whether a stage has moved."""
    bees: list[RouteState] = field(default_factory=list)
    """On routes: where each bee is."""
    turn: int = 0
    """On routes: the bees that have made this forward pass."""
    climb: Climb | None = None
    """Elsewhere: the climb in progress."""


@dataclass(eq=False)
class Colony:
    """The state of a colony between two iterations."""

    hive: int
    """The stage where the bees of a whole path begin, one at each of its candidates; -1: they have none."""
    guide: Solutions
    """A given solution, or a better one since, whose candidates the first bee takes; all -1: none was given."""
    rng_state: RngState
    """The random state of the kernel; empty where there is none."""
    iterations: int = 0
    """Complete iterations so far."""
    best: float = -np.inf
    """The best score so far."""
    passes: int = 0
    """u: the number of forward passes so far."""
    search: LargeNeighbourhood | None = None
    """Where iterations are a large neighbourhood search."""


MOST_FRAMES, MOST_NUMBERS = 100, 200_000
"""The most passes of an iteration that are shown, and the most numbers of their paths."""


def frames_of(plan: Plan, n: int) -> range:
    """Return the numbers of the passes that are shown: all, or some at equal distances up to the last.

    Args:
        plan: what the bees follow.
        n: the number of stages.
    """
    passes = 1 + max(0, len(plan.order) - plan.first - 1) // plan.rules.moves
    # Recordings keep a row of n numbers for each bee and frame: long paths and large colonies have fewer frames.
    most = max(1, min(MOST_FRAMES, MOST_NUMBERS // (n * len(plan.starts))))
    apart = -(-passes // most)
    return range((passes - 1) % apart, passes, apart)


class PassHistory(NamedTuple):
    """Without a kernel: the passes of the last iteration."""

    home: int
    """The first stage that is visited."""
    base: Solutions
    """The path of every bee before it leaves the hive."""
    passes: list[tuple[Solutions, Floats]]
    """The paths and qualities of the bees after each pass that is shown."""

    def moments(self) -> list[dict[str, Any]]:
        """Return the bees after each pass: the path of each, -1 where it has not been, its quality, and the hive."""
        rebuilt = self.base < 0
        return [
            {"solutions": np.where(rebuilt, paths, -1), "qualities": qualities, "home": self.home}
            for paths, qualities in self.passes
        ]


PASSES: WeakKeyDictionary[Colony, Any] = WeakKeyDictionary()
"""The last passes of each state of this process, not a part of it: a `PassHistory`, or the `kernel.Memory`, which takes
longer to make than a pass."""


def check_state(form: Pairwise, colony: Colony) -> None:
    """Raise UsageError if a state cannot be one of these tables: kernels would read any memory by its numbers."""
    n, search = len(form.sizes), colony.search
    fits = (
        -1 <= colony.hive < n
        and colony.passes >= 0
        and colony.rng_state.shape == (4,)
        and colony.guide.shape == (n,)
        and within(colony.guide + 1, form.sizes + 1)
        and (search is None or search_fits(form, search))
    )
    if not fits:
        raise UsageError("the bees of this state do not fit the problem: the checkpoint is damaged. Start a new run.")


def search_fits(form: Pairwise, search: LargeNeighbourhood) -> bool:
    """Return whether a large neighbourhood search can be one of these tables, between segments or in one."""
    n, sizes, order, table, at = len(form.sizes), form.sizes, search.order, search.table, search.at
    fits = (
        table is not None
        and table.x.shape == table.best.shape == (n,)
        and table.values.shape == form.unary.shape
        and table.scores.shape == (2,)
        and table.rng_state.shape == (4,)
        and table.holder.shape == (0,)
        and within(table.x, sizes)
        and within(table.best, sizes)
        and bool(np.isfinite(table.values).all() and np.isfinite(table.scores[0]) and not np.isnan(table.scores[1]))
        and 0 <= search.visited < n
        and 0 <= search.offset < n
        and (search.length > 0 or search.visited == 0)
    )
    if not fits or not len(order):  # between segments the other fields are not read
        return fits
    return (
        within(order, n)
        and len(np.unique(order)) == len(order)
        and search.paths.shape[1:] == order.shape
        and within(search.paths, sizes[order])
        and np.array_equal(np.sort(search.sweep), np.sort(order))
        and at.shape == (3,)
        and bool(0 <= at[0] < len(search.paths))
    )


def within(indices: NDArray[Any], sizes: Any) -> bool:
    """Return whether all numbers are indices below the sizes."""
    return bool(((indices >= 0) & (indices < sizes)).all())
