"""The state of a colony: what the next step continues from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit import Floats, Ints, RngState, Solutions
from swarmkit.search import Climb, GainTable
from swarmkit_bees.rules import Plan


@dataclass
class LargeNeighbourhood:
    """How far an iteration of large neighbourhood search is."""

    order: Ints
    """The stages of the segment that is rebuilt, in the order of the bees, the hive first; empty between segments."""
    offset: int
    """The stage at which the first segment of this iteration begins."""
    length: int
    """The number of stages of a segment."""
    visited: int
    """The number of stages that this iteration has visited in earlier segments."""
    before: float
    """The best score before this iteration."""
    quality: float
    """The best quality of a bee of this segment; infinite where no bee has a path."""
    first_best: Solutions
    """The first of the best solutions, which is reported."""
    best: Solutions
    """The last of them, which the search goes on from; on free tables it is `table.best`."""
    table: GainTable | None
    """On free tables: the gain table of the solution that climbs, of the best one between segments."""
    paths: Solutions
    """On free tables: the paths that climb, by step, a row for each."""
    sweep: Ints
    """On free tables: the stages of this segment in the order of the climb's sweep."""
    at: Ints
    """On free tables: the number of the path that climbs, whether it has begun, and whether a stage has moved."""
    climb: Climb | None
    """Elsewhere: the climb in progress."""

    @classmethod
    def start(cls, table: GainTable | None) -> LargeNeighbourhood:
        """Return the search before the first iteration.

        Args:
            table: on free tables, the gain table of any solution.
        """
        none = np.empty(0, np.int64)
        x = none if table is None else table.best.copy()
        return cls(none, 0, 0, 0, -np.inf, np.inf, x, none, table, none.reshape(0, 0), none, none, None)


@dataclass(eq=False)
class Colony:
    """The state of a colony between two iterations."""

    hive: int
    """The stage where the bees of a whole path begin, one at each of its candidates; -1: they have none."""
    iterations: int
    """Complete iterations so far."""
    best: float
    """The best score so far."""
    passes: int
    """u: the number of forward passes so far."""
    guide: Solutions
    """A given solution, or a better one since, whose candidates the first bee takes; all -1: none was given."""
    rng_state: RngState
    """The random state of the kernel; empty where there is none."""
    paths: Solutions
    """Without a kernel: the feasible paths of the last passes."""
    qualities: Floats
    """Without a kernel: the qualities of all bees."""
    search: LargeNeighbourhood | None = None
    """Where iterations are a large neighbourhood search."""


MOST_PASSES, MOST_NUMBERS = 100, 200_000
"""The most passes of an iteration that are shown, and the most numbers of their paths."""


def passes_shown(plan: Plan, n: int) -> range:
    """Return the numbers of the passes that are shown: all, or some at equal distances up to the last.

    Args:
        plan: what the bees follow.
        n: the number of stages.
    """
    passes = 1 + max(0, len(plan.order) - plan.first - 1) // plan.rules.moves
    most = max(1, min(MOST_PASSES, MOST_NUMBERS // (n * len(plan.starts))))
    apart = -(-passes // most)
    return range((passes - 1) % apart, passes, apart)


class Walk(NamedTuple):
    """Without a kernel: the passes of the last iteration."""

    home: int
    """The first stage that is visited."""
    kept: Solutions
    """The path of every bee before it leaves the hive."""
    passes: list[tuple[Solutions, Floats]]
    """The paths and qualities of the bees after each pass that is shown."""

    def moments(self) -> list[dict[str, Any]]:
        """Return the bees after each pass: the path of each, -1 where it has not been, its quality, and the hive."""
        rebuilt = self.kept < 0
        return [
            {"solutions": np.where(rebuilt, paths, -1), "qualities": qualities, "home": self.home}
            for paths, qualities in self.passes
        ]


WALKS: WeakKeyDictionary[Colony, Walk] = WeakKeyDictionary()
"""The passes of each state of this process: what is shown of it, and not a part of it."""
