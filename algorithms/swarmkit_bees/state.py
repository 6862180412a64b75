"""The state of a colony: what the next step continues from, wherever the last one paused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints, RngState, Solutions
from swarmkit.search import Climb, GainTable


@dataclass
class Bees:
    """The bees of an iteration in numpy (`swarmkit_bees.iteration`)."""

    paths: Ints
    """The path of each bee, -1 where it has not been yet; when all stages are visited, the feasible paths."""
    qualities: Floats
    """The quality of each bee's path so far."""
    step: int
    """The number of stages visited; 0 before the bees leave the hive."""
    passes: int
    """u: the number of forward passes so far."""
    scores: Floats
    """The scores of the first of the complete paths: the others are not scored yet."""
    guide: Solutions
    """A given solution, or a better one found since, whose candidates the first bee takes; empty: none was given."""


@dataclass
class Rounds:
    """How far an iteration of several rounds is (`swarmkit_bees.rounds`)."""

    order: Ints
    """The stages that the bees of this round visit, in this order, the hive first; empty between two rounds."""
    starts: Ints
    """The candidate of each bee at the hive."""
    offset: int
    """The stage at which the first stretch of this iteration begins."""
    length: int
    """The number of stages of a stretch."""
    visited: int
    """The number of stages that this iteration has visited in earlier rounds."""
    before: float
    """The best score before this iteration."""
    found: Solutions
    """The first of the best solutions, which is reported."""
    best: Solutions
    """The last of them, which rounds go on from; on free tables it is `table.best`."""
    table: GainTable | None
    """On free tables: the gain table of the solution that climbs, of the best one while bees move."""
    paths: Solutions
    """On free tables: the paths that climb, by step, a row for each; none while bees move."""
    sweep: Ints
    """On free tables: the stages of this round in the order of the climb's sweep."""
    at: Ints
    """On free tables: the number of the path that climbs, the stages of its sweep that are done, whether one moved."""
    climb: Climb | None
    """Elsewhere: the climb in progress; None while bees move."""


@dataclass(eq=False)
class Colony:
    """The state of a colony between two passes; either `workspace` or `bees` is used."""

    hive: int
    """The stage where the bees of a whole path begin, one at each of its candidates; -1: they have none."""
    iterations: int
    """Complete iterations so far."""
    best: float
    """The best score of these; with rounds, of all paths so far."""
    rng_state: RngState
    """The kernel's random state; empty where there is no kernel."""
    workspace: dict[str, NDArray[Any]]
    """The memory of the compiled iterations, the fields of `kernel.Workspace`; empty where there is no kernel."""
    bees: Bees
    """The bees of the iterations in numpy; none where there is a kernel."""
    rounds: Rounds | None = None
    """Where iterations have rounds."""


def no_bees() -> Bees:
    """Return the bees before the first iteration."""
    return Bees(
        np.empty((0, 0), np.int64), np.empty(0), step=0, passes=0, scores=np.empty(0), guide=np.empty(0, np.int64)
    )


def no_rounds(table: GainTable | None) -> Rounds:
    """Return the rounds before the first.

    Args:
        table: on free tables, the gain table of any solution.
    """
    none = np.empty(0, np.int64)
    found = none if table is None else table.best.copy()
    return Rounds(none, none, 0, 0, 0, -np.inf, found, none, table, none.reshape(0, 0), none, none, None)
