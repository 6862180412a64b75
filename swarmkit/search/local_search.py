"""Local search on whole solutions: one function, used inside solvers' loops and to polish their answers."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Bools, Floats, Solutions
from swarmkit.contract.assignment import Assignment
from swarmkit.contract.errors import UsageError
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.contract.structure import Structure
from swarmkit.contract.tour import Tour
from swarmkit.contract.validation import evaluate
from swarmkit.search.construction import pick_best
from swarmkit.search.links import links_of
from swarmkit.search.moves import move, move_gains
from swarmkit.search.neighbours import Neighbours
from swarmkit.search.random_state import rng_state
from swarmkit.search.scoring import batch_scores

Kind = Literal["icm", "2opt", "local"]
KINDS: tuple[str, ...] = get_args(Kind)

SMALL = 2_000
"""Slots below which loading a compiled kernel would take longer than plain numpy (a tagged sentence)."""

FEW, DENSE = 200, 10
"""Assignments of up to FEW stages, or in which a stage is linked to more than one in DENSE others, scan all swaps."""


class Improved(NamedTuple):
    """Improved solutions, their scores, and the looks."""

    solutions: Solutions
    scores: Floats
    looks: int


def local_search(problem: Problem, X: Solutions, kind: Kind, rng: Generator) -> Improved:
    """Return solutions improved to local optima.

    Args:
        problem: any problem.
        X: feasible solutions, one a row; they are not changed.
        kind: `icm` (iterated conditional modes) takes the best candidate stage by stage, by a swap with its holder
            where stages must differ. `2opt` is for symmetric tours: 2-opt, 3-opt and Or-opt moves among nearest
            neighbours. `local` is `2opt` on such tours and `icm` elsewhere.
        rng: breaks ties and orders the stages.
    """
    tour = problem.structure.symmetric_tour() if kind != "icm" else None
    if tour is not None:
        return _two_opt(tour, X)
    if kind == "2opt":
        raise UsageError(
            "the local search '2opt' is for symmetric tours: every candidate visited once on a cycle of stages, one "
            "symmetric table of costs, no constraints. For this problem there is 'icm'."
        )
    if kind not in KINDS:
        raise UsageError(f"no local search named '{kind}'. There are: {', '.join(KINDS)}.")
    X = np.array(X, np.int64, order="C")
    form = problem.structure.tables
    if form is not None and len(X) * len(form.unary) >= SMALL:
        looks = climb(problem.structure, form, X, rng)
        return Improved(X, batch_scores(problem, X), looks + X.size)
    n, looks = X.shape[1], 0
    active = np.arange(len(X))
    while len(active):
        moved = np.zeros(len(active), bool)
        for stage in rng.permutation(n):
            moved |= _take_best(problem, X, active, int(stage), rng)
            looks += int(problem.sizes[stage]) * len(active) * (2 if problem.distinct else 1)
        active = active[moved]
    return Improved(X, evaluate(problem, X), looks + X.size)


def climb(structure: Structure, form: Pairwise, X: Solutions, rng: Generator) -> int:
    """Let every row of X take the best candidate stage by stage until nothing improves, in place; return the looks."""
    assignment = structure.assignment
    if assignment is not None and structure.tour is None and _scans_swaps(form):
        return climb_swaps(form, assignment, X, rng)
    from swarmkit.kernels import icm

    holder = np.empty(int(form.sizes[0]) if form.distinct else 0, np.int64)
    workspace = icm.Workspace(np.empty(len(form.unary)), holder, np.empty(X.shape[1], np.int64))
    return int(icm.climb(links_of(form), form.unary, X, workspace, rng_state(rng)))


def climb_swaps(form: Pairwise, assignment: Assignment, X: Solutions, rng: Generator) -> int:
    """Let every row of X take the best swap stage by stage until nothing improves, in place; return the looks."""
    from swarmkit.kernels import swap_gains

    n = X.shape[1]
    workspace = swap_gains.SwapWorkspace(np.empty((n, n)), np.empty(n, np.int64), np.empty(n, np.int64))
    return int(swap_gains.climb(swap_gains.matrices_of(form, assignment), X, workspace, rng_state(rng)))


def _scans_swaps(form: Pairwise) -> bool:
    n = len(form.sizes)
    return n <= FEW or DENSE * len(form.edges) >= n * n / 2


def _two_opt(tour: Tour, X: Solutions) -> Improved:
    """Return tours improved until no 2-opt, 3-opt or Or-opt move shortens any of them."""
    from swarmkit.kernels.tour_moves import empty_route, improve

    tours, route = tour.tours(X), empty_route(X.shape[1])
    improve(tours, route, tour.cost, tour.nearest(Neighbours.LOCAL_SEARCH), tour.tolerance)
    return Improved(tour.solutions(tours), tour.constant - tour.lengths(tours), int(route.counters[3]))


def _take_best(problem: Problem, X: Solutions, rows: Solutions, stage: int, rng: Generator) -> Bools:
    """Let a stage of the given rows take its best candidate, in place; return which rows changed."""
    gains = move_gains(problem, X[rows], stage)
    # Rounding must not look like an improvement, or two equal candidates would alternate for ever.
    least = 1e-9 * (1.0 + np.abs(gains).max(axis=1, initial=0.0, where=np.isfinite(gains)))
    better = gains.max(axis=1) > least
    if better.any():
        choice = pick_best(gains, np.isfinite(gains), rng)
        for i in np.flatnonzero(better):
            move(problem, X[rows[i]], stage, int(choice[i]))
    return np.asarray(better)
