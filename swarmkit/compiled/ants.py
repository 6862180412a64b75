"""What colonies of ants need done fast: walks along tours, trails laid on them, solutions built by appeal and trail.

The kernels behind these functions are loaded when first called; `load_kernels` does it in a solver's `prepare`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.construction import construct
from swarmkit.guard import evaluate
from swarmkit.pairwise import Floats, Ints, Pairwise
from swarmkit.problem import Bools, Problem, Solutions
from swarmkit.tour import Near, Tour

Words = NDArray[np.uint64]
Weights = NDArray[np.float32]

WIDE = 50
"""So many nearest are asked one after the other where all that an ant chooses among are taken."""

FAINT = 0.05
"""The least visibility, as a share of the best candidate's: what is never visible could never be learnt."""


class Ways(NamedTuple):
    """What ants on tours follow: each city's nearest, and for these the trail τ, the charm η^β, and τ^alpha·η^β."""

    near: Near
    trail: Floats
    charm: Floats
    weights: Weights

    @classmethod
    def of(cls, near: Near, trail: Floats, charm: Floats) -> Ways:
        """Make them, still to be weighed."""
        return cls(near, trail, charm, np.empty(trail.shape, np.float32))


class Rules(NamedTuple):
    """How ants choose and wear trails: alpha; how often they take the best; by which share they wear, down to what."""

    alpha: float = 1.0
    greed: float = 0.0
    wear: float = 0.0
    floor: float = 0.0


class Walked(NamedTuple):
    """The tours of some ants (rows of cities), their lengths, and the looks it took."""

    tours: Ints
    lengths: Floats
    looks: int


def walk_tours(tour: Tour, ways: Ways, ants: int, rules: Rules, words: Words) -> Walked:
    """Let ants walk whole tours; trails that they wear change in place."""
    from swarmkit.kernels.walks import walk

    n = len(tour.cost)
    tours, lengths = np.empty((ants, n), np.int64), np.empty(ants)
    looks = walk(
        ways.near,
        tour.nearest(WIDE),
        ways.weights,
        ways.trail,
        ways.charm,
        tour.cost,
        np.array(rules, np.float64),
        tour.symmetric,
        words,
        np.empty(n, np.float32),
        tours,
        lengths,
    )
    return Walked(tours, lengths, int(looks))


def focus_tours(
    tour: Tour,
    ways: Ways,
    ants: int,
    swaps: int,
    words: Words,
    source: Ints,
    *,
    improving: bool = True,
    heat: float = 0.0,
) -> Walked:
    """Let ants, one after the other, leave the source tour and mend it again; it becomes each tour no longer than it.

    Gives the best tour that an ant made; `improving` is by 2-opt, 3-opt and Or-opt around what changed. A tour
    longer by Δ becomes the source with probability exp(-Δ/heat), heat in mean edges. Skinderowicz 2022.
    """
    from swarmkit.kernels.focus import focus
    from swarmkit.kernels.tours import new_route

    n = len(source)
    route, places, found = new_route(n), np.empty_like(source), np.empty_like(source)
    places[source] = np.arange(n)
    lengths = np.array([tour.lengths(source), np.inf])
    focus(
        ways.near,
        ways.weights,
        np.ones(n, np.float32),
        tour.cost,
        ants,
        swaps,
        tour.least,
        heat * abs(lengths[0]) / n,
        improving,
        words,
        route,
        source,
        places,
        found,
        lengths,
    )
    return Walked(found[None], tour.lengths(found)[None], int(route.ends[3]))


def renew_tours(tour: Tour, ways: Ways, ants: int, most: int, words: Words, source: Ints) -> Walked:
    """Let ants walk up to `most` cities of their own, and keep the source's order for the rest; give their best tour.

    A walk starts anywhere and leaves the source at once. It goes where its last or its first city was. Costs are
    the same both ways. Chitty 2017.
    """
    from swarmkit.kernels.renewal import renew

    n = len(source)
    room, free = np.empty((4, n), np.int64), np.empty(n, np.float32)
    length, looks = renew(ways.near, ways.weights, free, tour.cost, ants, most, words, source, room)
    return Walked(room[:1], np.array([length]), looks)


def lay_trail(tour: Tour, ways: Ways, way: Ints, keep: float, amount: float) -> None:
    """Change the trail τ of a tour's edges to keep·τ + amount."""
    from swarmkit.kernels.trails import lay

    lay(ways.trail, ways.near, way, keep, amount, tour.symmetric)


def weigh_ways(ways: Ways, alpha: float, low: float, high: float) -> None:
    """Keep the trail τ within its limits, and give every way its weight τ^alpha·η^β."""
    from swarmkit.kernels.trails import weigh

    weigh(ways.trail, ways.charm, ways.weights, alpha, low, high)


def teach_ways(
    tour: Tour, ways: Ways, way: Ints, rho: float, amount: float, alpha: float, low: float, high: float
) -> None:
    """Let a share rho of all trail evaporate, lay an amount on a tour's edges, and weigh the ways: all in one go."""
    from swarmkit.kernels.trails import teach

    teach(*ways, way, 1.0 - rho, amount, tour.symmetric, alpha, low, high)


def build_solutions(
    problem: Problem, k: int, strength: Floats, beta: float, words: Words, rng: Generator
) -> tuple[Solutions, Floats, int]:
    """Build up to k solutions from a random stage round to it; give them, their scores and the looks.

    A candidate is taken in proportion to the strength of its slot (τ^alpha) times η^β, with the appeal as η.
    """
    form = problem.pairwise()
    if form is None or any(problem.overrides(member) for member in ("allowed", "feasible", "appeal")):
        return _built_by_asking(problem, k, strength, beta, rng)
    from swarmkit.kernels.trails import build

    X, scores = np.empty((k, len(form.sizes)), np.int64), np.empty(k)
    looks = build(form.offsets, form.unary, *_layout(form), form.distinct, strength, beta, FAINT, words, X, scores)
    return X, scores, int(looks)


def visibility(appeal: Floats) -> Floats:
    """Give η of marginal scores, which have no natural zero: between the row's least and most, and never nothing.

    >>> visibility(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.05, 0.5, 1.0], [1.0, 1.0, 1.0]]
    """
    least = appeal.min(axis=1, keepdims=True, initial=np.inf)
    spread = appeal.max(axis=1, keepdims=True, initial=-np.inf) - least
    return np.where(spread > 0, np.maximum((appeal - least) / np.where(spread > 0, spread, 1.0), FAINT), 1.0)


def as_given(appeal: Floats) -> Floats:
    """Give η where the problem says itself how appealing candidates are: in proportion, and never nothing.

    >>> as_given(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.5, 0.75, 1.0], [1.0, 1.0, 1.0]]
    """
    most = appeal.max(axis=1, keepdims=True, initial=0.0)
    return np.where(most > 0, np.maximum(appeal / np.where(most > 0, most, 1.0), FAINT), 1.0)


def spin(shares: Floats, chances: Floats) -> Ints:
    """Choose by roulette, one a row: each in proportion to its share.

    >>> spin(np.array([[1.0, 0.0, 3.0]]), np.array([0.25]))
    array([2])
    """
    aim = chances * shares.sum(axis=1)
    reached = (shares.cumsum(axis=1) > aim[:, None]) & (shares > 0)
    last = shares.shape[1] - 1 - (shares[:, ::-1] > 0).argmax(axis=1)  # rounding may lead beyond it
    return np.asarray(np.where(reached.any(axis=1), reached.argmax(axis=1), last))


def _built_by_asking(
    problem: Problem, k: int, strength: Floats, beta: float, rng: Generator
) -> tuple[Solutions, Floats, int]:
    """Build solutions by the problem's own appeal and `allowed`, all of them at once."""
    sizes = np.asarray(problem.sizes, np.int64)
    first = np.cumsum(sizes) - sizes
    begin = int(rng.integers(len(sizes)))
    looks = 0
    to_eta = as_given if problem.overrides("appeal") else visibility

    def choose(X: Solutions, stage: int, allowed: Bools) -> Ints:
        nonlocal looks
        looks += allowed.size
        eta = to_eta(np.asarray(problem.appeal(X, stage, stage - 1 if stage else len(sizes) - 1), np.float64))
        shares = strength[first[stage] : first[stage] + sizes[stage]] * eta**beta * allowed
        return spin(shares, rng.random(len(X)))

    X = construct(problem, k, choose, np.roll(np.arange(len(sizes)), -begin))
    return X, evaluate(problem, X), max(looks + X.size, 1)


def _layout(form: Pairwise) -> tuple[Ints, Ints, Ints, Ints, Ints, Floats, Floats]:
    """Give the half-edges for a kernel: on contiguous rows where there are some."""
    half, rows = form.half_edges, form.rows
    if rows is None:
        return half.indptr, half.neighbour, half.start, half.own, half.other, half.weight, form.flat
    ones = np.ones(len(half.start), np.int64)
    sizes = np.repeat(form.sizes, np.diff(half.indptr))
    return half.indptr, half.neighbour, rows.start, ones, sizes, ones.astype(np.float64), rows.data
