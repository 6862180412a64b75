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
    """What a stretch of annealing cost, how many sweeps ended in it, and how many of them changed nothing.

    For each sweep that ended: the score then, and the share of its proposals that changed it.
    """

    looks: int
    sweeps: int
    idle: int
    course: Floats
    taken: Floats


def start_walk(form: Pairwise, x: Solutions, rng: Generator) -> Walk:
    """Begin a walk at a solution."""
    from swarmkit.kernels.chance import seeded
    from swarmkit.kernels.field import fill

    x = np.array(x, np.int64)
    values = np.empty(len(form.unary))
    fill(*form.links[1:], form.unary, x, values)
    score = float(form.score(x[None])[0])
    return Walk(x, holders(form, x), values, x.copy(), np.array([score, score]), seeded(rng))


def field_spread(form: Pairwise, X: Solutions) -> float:
    """Give the standard deviation of what all changes of one stage would gain, over solutions; 1 where nothing would.

    >>> field_spread(Pairwise.of([2], unary=[0.0, 3.0]), np.array([[0], [1]]))
    3.0
    """
    from swarmkit.kernels.field import fill

    values, gains = np.empty(len(form.unary)), []
    for x in np.asarray(X, np.int64):
        fill(*form.links[1:], form.unary, x, values)
        held = form.offsets[:-1] + x
        gains.append(np.delete(values - np.repeat(values[held], form.sizes), held))
    return float(np.concatenate(gains).std()) or 1.0


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
) -> Annealed:
    """Propose random moves, `sweep` of them at each temperature, and take a worse one with probability exp(Δ/T).

    `within` counts the proposals and the changes of the sweep that is under way; changes of the score up to `slight`
    are none. With `until_frozen`, end after a sweep that changed nothing.
    """
    from swarmkit.kernels import annealing

    free = np.flatnonzero(form.sizes > 1)
    course, taken = np.empty((2, proposals // sweep + 2))
    how = (temperatures, sweep, within, proposals, until_frozen, slight)
    looks, sweeps, idle = annealing.anneal(*form.links, free, *_arrays(walk), *how, course, taken)
    return Annealed(looks, sweeps, idle, course[:sweeps], taken[:sweeps])


def cool(form: Pairwise, walk: Walk, temperatures: Floats, stages: Ints, slight: float = 0.0) -> Annealed:
    """Let each of the stages, once at each temperature, draw a candidate with probability ~ exp(value / T).

    Changes of the score up to `slight` are none. Where stages must differ there is no such draw: see `anneal`.
    """
    from swarmkit.kernels import heating

    course, taken = np.empty((2, len(temperatures)))
    shakes = heating.noise(int(form.sizes.max()))
    at = walk.values, walk.x, walk.best, walk.scores, walk.words
    heating.cool(*form.links, stages, *at, shakes, temperatures, slight, course, taken)
    looks = len(temperatures) * int(form.sizes[stages].sum())
    return Annealed(looks, len(temperatures), 0, course, taken)


def block_around(form: Pairwise, stage: int, size: int) -> Ints:
    """List a stage and others near it, up to so many, that have a choice.

    >>> block_around(Pairwise.of([2] * 5, [(i, i + 1, np.eye(2)) for i in range(4)]), 3, 3)
    array([2, 3, 4])
    """
    from swarmkit.kernels import heating

    around, neighbour, _ = _near(form)
    block, seen = np.zeros((2, len(form.sizes)), np.int64)
    block[0] = stage
    count = heating.gather(form.offsets, around, neighbour, block, seen, size)
    return np.sort(block[:count])


def return_to_best(form: Pairwise, walk: Walk) -> None:
    """Go back to the best solution met."""
    from swarmkit.kernels.field import take

    for i in np.flatnonzero(walk.x != walk.best):
        if walk.x[i] != walk.best[i]:  # a swap may have brought it back already
            take(*form.links[1:], walk.values, walk.x, walk.holder, i, walk.best[i])
    walk.scores[0] = walk.scores[1]


def merge(form: Pairwise, walk: Walk, other: Solutions, slight: float = 0.0) -> int:
    """Go on from the best solution to the best child that it has with another; give the looks.

    The child has one or the other's candidate at every stage. Where stages must differ there is none.
    """
    from swarmkit.kernels import merging

    return_to_best(form, walk)
    differing = int((walk.x != other).sum())
    if form.distinct or differing == 0:
        return 0
    around, neighbour, _ = _near(form)
    stages = np.empty((6, max(len(walk.x), merging.WIDTH + 1)), np.int64)
    tables, chosen = np.empty((2, 1 << merging.WIDTH + 1)), np.empty(differing << merging.WIDTH - 1, np.uint8)
    room = stages, *tables, chosen, np.empty((2 * differing, 3), np.int64)
    looks, left, gained = 0, 1, 1.0
    while left and gained > 0:  # what was left out may have its turn when less is open
        at = walk.values, walk.x, walk.holder, other
        gained, seen, left = merging.merge(*form.links, around, neighbour, *at, *room, slight)
        walk.scores[:] += gained
        looks += seen
    walk.best[:] = walk.x
    return looks


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

    room = _climbing(form, strength)
    spent, rounds = iterating.iterate(*form.links, *_near(form), *_arrays(walk), *room, strength, looks)
    return spent, rounds


def _arrays(walk: Walk) -> tuple[Floats, Ints, Ints, Ints, Floats, NDArray[np.uint64]]:
    return walk.values, walk.x, walk.holder, walk.best, walk.scores, walk.words


def _climbing(form: Pairwise, before: int) -> tuple[Ints, Ints, Ints]:
    """Make room for a climb: a queue with its two ends, who waits in it, and a log of changes, some made before."""
    n = len(form.sizes)
    return np.zeros(n + 2, np.int64), np.zeros(n, np.int64), np.empty((before + 2 * n + 100, 2), np.int64)


def _near(form: Pairwise) -> tuple[Ints, Ints, Ints]:
    """List each stage's neighbours, and the stages that have a choice."""
    half = form.half_edges
    return half.indptr, half.neighbour, np.flatnonzero(form.sizes > 1)
