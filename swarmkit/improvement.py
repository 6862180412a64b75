"""Local search on whole solutions: one function, used inside solvers' loops and to polish their answers."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.random import Generator

from swarmkit.compiled.loading import tables
from swarmkit.compiled.scoring import batch_scores
from swarmkit.compiled.walk import climb
from swarmkit.construction import pick_best
from swarmkit.errors import UsageError
from swarmkit.guard import evaluate
from swarmkit.moves import move, move_gains
from swarmkit.pairwise import Floats
from swarmkit.problem import Bools, Problem, Solutions
from swarmkit.tour import Tour

Kind = Literal["icm", "2opt", "local"]
KINDS: tuple[str, ...] = get_args(Kind)

POLISHES = ("none", "icm", "local")
"""What can be done to an answer at the end."""

NEAREST = 10
"""With how many of its nearest a city is joined by 2-opt and Or-opt."""

SMALL = 2_000
"""Slots to improve below which loading a compiled kernel would take longer than the plain way (a tagged sentence)."""


class Improved(NamedTuple):
    """Improved solutions, their scores, and how many looks it took."""

    solutions: Solutions
    scores: Floats
    looks: int


def local_search(problem: Problem, X: Solutions, kind: Kind, rng: Generator) -> Improved:
    """Improve solutions until no single move betters any of them.

    `icm` (iterated conditional maximisation): stage by stage, take the best candidate; where stages must differ, by
    swapping with the one that holds it.
    `2opt`: for tours whose ways cost the same in both directions; 2-opt, 3-opt and Or-opt moves among the nearest.
    `local`: `2opt` on such tours, `icm` elsewhere.
    """
    tour = _tour(problem) if kind != "icm" else None
    if tour is not None:
        return _two_opt(tour, X)
    if kind == "2opt":
        raise UsageError(
            "the local search '2opt' is for tours: all candidates visited once round a cycle of stages, one table of "
            "costs that are the same both ways, nothing forbidden. For this problem there is 'icm'."
        )
    if kind not in KINDS:
        raise UsageError(f"no local search named '{kind}'. There are: {', '.join(KINDS)}.")
    X = np.array(X, np.int64, order="C")
    form = tables(problem)
    if form is not None and len(X) * len(form.unary) >= SMALL:
        looks = climb(form, X, rng)
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


def _tour(problem: Problem) -> Tour | None:
    form = tables(problem)
    return form.tour if form is not None and form.tour is not None and form.tour.symmetric else None


def _two_opt(tour: Tour, X: Solutions) -> Improved:
    """Improve tours until no 2-opt, 3-opt or Or-opt move betters any of them."""
    from swarmkit.kernels.tours import improve, new_route

    tours, route = tour.tours(X), new_route(X.shape[1])
    improve(tours, route, tour.cost, tour.nearest(NEAREST), tour.least)
    return Improved(tour.solutions(tours), tour.constant - tour.lengths(tours), int(route.ends[3]))


def _take_best(problem: Problem, X: Solutions, rows: Solutions, stage: int, rng: Generator) -> Bools:
    """Let a stage of the given rows take its best candidate, in place; tell which rows changed."""
    gains = move_gains(problem, X[rows], stage)
    # Rounding must not look like an improvement, or two equal candidates would take turns for ever.
    least = 1e-9 * (1.0 + np.abs(gains).max(axis=1, initial=0.0, where=np.isfinite(gains)))
    better = gains.max(axis=1) > least
    if better.any():
        choice = pick_best(gains, np.isfinite(gains), rng)
        for i in np.flatnonzero(better):
            move(problem, X[rows[i]], stage, int(choice[i]))
    return np.asarray(better)
