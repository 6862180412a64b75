"""Swaps on quadratic assignment problems: tabu search in rounds, and climbing, with all differences kept up to date."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.assignment import Assignment
from swarmkit.pairwise import Floats, Ints, Pairwise
from swarmkit.problem import Solutions

FEW = 200
"""Up to so many stages all swaps are looked at, however few stages are related to each other."""

DENSE = 10
"""Beyond, only where a stage is related to more than one in so many others: elsewhere moves are better made locally."""


@dataclass
class Swaps:
    """Where a search by swaps is; plain data, kept in a solver's State as it is."""

    x: Solutions
    peak: Solutions
    """The best of this round."""
    home: Solutions
    """Where rounds start from."""
    best: Solutions
    scores: Floats
    """Those of the four."""
    values: Floats
    """The field: a row a stage, the value of each candidate beside the rest of the solution."""
    until: Ints
    """How long, in swaps, each stage must not take each candidate."""
    clock: Ints
    """Swaps made, and when the peak was reached."""
    words: NDArray[np.uint64]
    """The kernels' random numbers."""


def swappable(form: Pairwise) -> Assignment | None:
    """Give the form as an assignment, if looking at all of its swaps pays: it does not on tours and sparse problems."""
    n = len(form.sizes)
    sparse = n > FEW and DENSE * len(form.edges) < n * n / 2
    return None if sparse or form.tour is not None else form.assignment


def start_swaps(form: Pairwise, assignment: Assignment, x: Solutions, rng: Generator) -> Swaps:
    """Begin at a solution, with nothing forbidden."""
    from swarmkit.kernels.chance import seeded
    from swarmkit.kernels.swaps import fill, plan_of

    x, n = np.array(x, np.int64), len(x)
    values = np.empty((n, n))
    fill(plan_of(assignment), _unary(form), values, x)
    scores = np.full(4, float(form.score(x[None])[0]))
    return Swaps(
        x, x.copy(), x.copy(), x.copy(), scores, values, np.zeros((n, n), np.int64), np.zeros(2, np.int64), seeded(rng)
    )


def search_swaps(
    form: Pairwise, assignment: Assignment, state: Swaps, patience: int, strength: int, looks: int
) -> tuple[int, int]:
    """Make the best swap that is not forbidden until so many looks are spent; give looks and swaps.

    After `patience` swaps that led to nothing better, a kick of up to 1 + `strength` swaps starts a new round.
    """
    from swarmkit.kernels.swaps import plan_of, search

    n = len(state.x)
    swaps = -(-looks // (n * (n - 1)))
    rows = (state.x, state.peak, state.home, state.best)
    rest = (state.scores, state.until, state.clock, state.words)
    spent = search(plan_of(assignment), _unary(form), state.values, *rows, *rest, patience, strength, swaps)
    return int(spent), swaps


def climb_swaps(form: Pairwise, assignment: Assignment, X: Solutions, rng: Generator) -> int:
    """Let every row of X take the best swap stage by stage until nothing improves, in place; give the looks."""
    from swarmkit.kernels.chance import seeded
    from swarmkit.kernels.swaps import climb, plan_of

    n = X.shape[1]
    room = np.empty((n, n)), np.empty(n, np.int64), np.empty(n, np.int64)
    return int(climb(plan_of(assignment), _unary(form), X, *room, seeded(rng)))


def _unary(form: Pairwise) -> Floats:
    return np.array(form.unary.reshape(len(form.sizes), -1))
