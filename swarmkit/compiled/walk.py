"""Walks on the tables of a problem: a solution that moves, its field of gains, and the best it has met.

What a walk does is compiled: one call makes thousands of moves. A problem with tables and without constraints of its
own can be walked; on others solvers work with `propose` and `move_gains`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.pairwise import Floats, Ints, Pairwise
from swarmkit.problem import Solutions


@dataclass
class Walk:
    """Where a walk is; plain data, kept in a solver's State as it is."""

    x: Solutions
    holder: Ints
    """The stage that holds each candidate, -1 for none; empty where stages need not differ."""
    values: Floats
    """The field: the value of every slot beside the rest of the solution."""
    best: Solutions
    scores: Floats
    """The score now, and the best."""
    words: NDArray[np.uint64]
    """The kernels' random numbers."""


class Annealed(NamedTuple):
    """What a stretch of annealing cost, how many sweeps ended in it, and how many of them changed nothing."""

    looks: int
    sweeps: int
    idle: int


def start_walk(form: Pairwise, x: Solutions, rng: Generator) -> Walk:
    """Begin a walk at a solution."""
    from swarmkit.kernels.chance import seeded
    from swarmkit.kernels.field import fill

    x = np.array(x, np.int64)
    values = np.empty(len(form.unary))
    fill(*form.links[1:], form.unary, x, values)
    score = float(form.score(x[None])[0])
    return Walk(x, holders(form, x), values, x.copy(), np.array([score, score]), seeded(rng))


def holders(form: Pairwise, x: Solutions) -> Ints:
    """Tell which stage holds each candidate, -1 for none; nothing where stages need not differ.

    >>> holders(Pairwise.of([3, 3], distinct=True), np.array([2, 0]))
    array([ 1, -1,  0])
    """
    if not form.distinct:
        return np.empty(0, np.int64)
    holder = np.full(int(form.sizes[0]), -1)
    holder[x] = np.arange(len(x))
    return holder


def anneal(
    form: Pairwise,
    walk: Walk,
    temperatures: Floats,
    sweep: int,
    within: Ints,
    proposals: int,
    *,
    until_frozen: bool = False,
    slight: float = 0.0,
    in_turn: bool = False,
) -> Annealed:
    """Propose random moves, `sweep` of them at each temperature, and take a worse one with probability exp(Δ/T).

    `within` counts the proposals and the changes of the sweep that is under way; changes of the score up to `slight`
    are none. With `until_frozen`, end after a sweep that changed nothing; `in_turn`, take
    the stages one after another instead of at random.
    """
    from swarmkit.kernels import annealing

    free = np.flatnonzero(form.sizes > 1)
    arrays = (walk.values, walk.x, walk.holder, walk.best, walk.scores, walk.words)
    return Annealed(
        *annealing.anneal(
            *form.links, free, *arrays, temperatures, sweep, within, proposals, until_frozen, slight, in_turn
        )
    )


def climb(form: Pairwise, X: Solutions, rng: Generator) -> int:
    """Let every row of X take the best candidate stage by stage until nothing improves, in place; give the looks."""
    from swarmkit.compiled.swaps import climb_swaps, swappable

    assignment = swappable(form)
    if assignment is not None:
        return climb_swaps(form, assignment, X, rng)
    from swarmkit.kernels import icm
    from swarmkit.kernels.chance import seeded

    room = np.empty(len(form.unary)), np.empty(int(form.sizes[0]) if form.distinct else 0, np.int64)
    return int(icm.climb(*form.links, form.unary, X, *room, np.empty(X.shape[1], np.int64), seeded(rng)))


def kick_and_climb(form: Pairwise, walk: Walk, strength: int, looks: int) -> tuple[int, int]:
    """Change some stages near each other at random, climb from there, go back if that was worse; and again.

    Gives the looks (at least as many as asked for) and how often.
    """
    from swarmkit.kernels import iterating

    n, half = len(form.sizes), form.half_edges
    near = half.indptr, half.neighbour, np.flatnonzero(form.sizes > 1)
    arrays = (walk.values, walk.x, walk.holder, walk.best, walk.scores, walk.words)
    room = np.zeros(n + 2, np.int64), np.zeros(n, np.int64), np.empty((strength + 2 * n + 100, 2), np.int64)
    spent, rounds = iterating.iterate(*form.links, *near, *arrays, *room, strength, looks)
    return spent, rounds
