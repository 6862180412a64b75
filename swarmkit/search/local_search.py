"""Local search on whole solutions, used inside solvers' loops and to polish their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.searched import complete, restrict, searched_problem
from swarmkit.contract.solver import GRAIN, UNLIMITED, Left
from swarmkit.search.stage_climb import StageClimb, sweep_looks
from swarmkit.search.table_climb import TableClimb
from swarmkit.search.tour_climb import TourClimb

Kind = Literal["icm", "2opt", "local"]
KINDS: tuple[str, ...] = get_args(Kind)

Climb = StageClimb | TableClimb | TourClimb
"""Solutions on their way to local optima: `go_on` until `finished`, or until what is left is used up."""

SMALL = 2_000
"""Slots below which loading a compiled kernel would take longer than plain numpy (a tagged sentence)."""

SWEEPS = 5
"""Sweeps until no stage improves, roughly; only the number of solutions that climb together depends on it."""

FEWEST_ROWS = 64
"""Rows that a batch of scores should have: a call of `score` costs as much as some dozen rows."""


class Improved(NamedTuple):
    """Improved solutions, their scores, and the looks."""

    solutions: Solutions
    scores: Floats
    looks: int


def local_search(
    problem: Problem, X: Solutions, kind: Kind, rng: Generator, fixed: Mapping[int, int] | None = None
) -> Improved:
    """Return solutions improved to local optima.

    Args:
        problem: any problem.
        X: feasible solutions, one a row; they are not changed.
        kind: as in `start_climb`.
        rng: breaks ties and orders the stages.
        fixed: the candidate of each stage that is not changed; it takes precedence over that of X.
    """
    if fixed:
        searched = searched_problem(problem, fixed)
        left = restrict(searched, X)
        found = local_search(searched, left, kind, rng) if left.shape[1] else Improved(left, searched.score(left), 0)
        return found._replace(solutions=complete(searched, found.solutions))
    climb = start_climb(problem, X, kind, rng)
    looks = climb.go_on(problem, rng, Left(looks=UNLIMITED))
    return Improved(climb.X, climb.scores, looks)


def start_climb(problem: Problem, X: Solutions, kind: Kind, rng: Generator) -> Climb:
    """Return a climb from some solutions, which may pause: plain data that a solver keeps in its State.

    Args:
        problem: any problem.
        X: feasible solutions, one a row; they are not changed.
        kind: `icm` (iterated conditional modes) takes the best candidate stage by stage, by a swap with its holder
            where stages must differ. `2opt` is for symmetric tours: 2-opt, 3-opt and Or-opt moves among nearest
            neighbours. `local` is `2opt` on such tours and `icm` elsewhere.
        rng: breaks ties and orders the stages.
    """
    tour = problem.structure.symmetric_tour() if kind != "icm" else None
    X = np.array(X, np.int64, order="C")
    if tour is not None:
        return TourClimb.start(problem, X)
    if kind == "2opt":
        raise UsageError(
            "the local search '2opt' is for symmetric tours: every candidate visited once on a cycle of stages, one "
            "symmetric table of costs, no constraints. For this problem there is 'icm'."
        )
    if kind not in KINDS:
        raise UsageError(f"no local search named '{kind}'. There are: {', '.join(KINDS)}.")
    climb = TableClimb if compiled(problem, X, kind) else StageClimb
    return climb.start(problem, X, rng)


def compiled(problem: Problem, X: Solutions, kind: Kind) -> bool:
    """Return whether a climb from some solutions is made by a compiled kernel."""
    if kind != "icm" and problem.structure.symmetric_tour() is not None:
        return True
    form = problem.structure.tables
    return form is not None and len(X) * len(form.unary) >= SMALL


def climb_together(problem: Problem) -> int:
    """Return how many solutions should climb together: enough for large batches, few enough to give something early."""
    rows = GRAIN // (SWEEPS * sweep_looks(problem))
    if problem.structure.black_box:
        rows = max(rows, -(-FEWEST_ROWS // max(problem.sizes, default=1)))
    return max(1, rows)
