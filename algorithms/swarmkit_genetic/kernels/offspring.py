"""Children of pairs of parents: crossover and mutation of a whole generation, and scores by difference from a parent.

Davis, L. 1985. Applying adaptive algorithms to epistatic domains. IJCAI: order crossover.
Goldberg, D. and Lingle, R. 1985. Alleles, loci, and the traveling salesman problem. ICGA: partially mapped crossover.

`position` is scratch memory of crossovers: -1 for every candidate, before and after.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from swarmkit import Floats, Ints, Links, RngState, Solutions
from swarmkit.kernels.compiling import (
    FLOAT,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    LINKS,
    READONLY_FLOATS,
    READONLY_INT_ROWS,
    READONLY_INTS,
    RNG_STATE,
    copy,
    kernel,
)
from swarmkit.kernels.rng import below, random_bits, uniform

ONE_POINT, UNIFORM, ORDER, PMX = range(4)
CROSSOVERS = {"one-point": ONE_POINT, "uniform": UNIFORM, "order": ORDER, "pmx": PMX}
"""`order` and `pmx` are for permutations (stages that must differ), the others for stages that need not differ."""

CHANGE, SWAP, INVERSION, INSERTION = range(4)
MUTATIONS = {"change": CHANGE, "swap": SWAP, "inversion": INVERSION, "insertion": INSERTION}
"""`change` takes another candidate; the others are for permutations."""

NEVER = 1e15
"""More stages than any problem has, and still an exact integer."""


class Parents(NamedTuple):
    """A population with its scores, and the two parents of each child (rows of X)."""

    X: Solutions
    scores: Floats
    pairs: Ints


class Operators(NamedTuple):
    """How a child is made of two parents."""

    crossover: int
    """A code of CROSSOVERS."""
    crossover_rate: float
    """The probability of crossover; otherwise the child starts as a copy of its first parent."""
    mutations: Ints
    """A code of MUTATIONS for each child."""
    mutation_rate: float
    """The probability that a stage mutates."""


PARENTS = types.NamedTuple((INT_ROWS, FLOATS, INT_ROWS), Parents)
OPERATORS = types.NamedTuple((INT, FLOAT, INTS, FLOAT), Operators)


@kernel(types.void(READONLY_INTS, READONLY_INTS, INT, INTS))
def one_point_crossover(a: Ints, b: Ints, cut: int, child: Ints) -> None:
    """Take parent a's stages before the cut and parent b's from there on."""
    for i in range(len(child)):
        child[i] = a[i] if i < cut else b[i]


@kernel(types.void(READONLY_INTS, READONLY_INTS, RNG_STATE, INTS))
def uniform_crossover(a: Ints, b: Ints, rng_state: RngState, child: Ints) -> None:
    """Take each stage from either parent by a random bit; one draw serves 64 stages."""
    bits = np.uint64(0)
    for i in range(len(child)):
        if i & 63 == 0:
            bits = random_bits(rng_state)
        child[i] = a[i] if bits & np.uint64(1) else b[i]
        bits >>= np.uint64(1)


@kernel(types.void(READONLY_INTS, READONLY_INTS, INT, INT, INTS, INTS))
def order_crossover(a: Ints, b: Ints, low: int, high: int, position: Ints, child: Ints) -> None:
    """Keep parent a's segment low..high-1 and fill the rest with parent b's other candidates in order (Davis 1985).

    Both are gone through from `high` on, around the end.
    """
    n = len(child)
    for i in range(low, high):
        child[i] = a[i]
        position[a[i]] = i
    to = high if high < n else 0
    left, at = n - (high - low), to
    for _ in range(n):
        if left and position[b[at]] < 0:
            child[to] = b[at]
            to = to + 1 if to + 1 < n else 0
            left -= 1
        at = at + 1 if at + 1 < n else 0
    for i in range(low, high):  # only these were set: clearing all candidates would cost more
        position[a[i]] = -1


@kernel(types.void(READONLY_INTS, READONLY_INTS, INT, INT, INTS, INTS))
def partially_mapped_crossover(a: Ints, b: Ints, low: int, high: int, position: Ints, child: Ints) -> None:
    """Keep parent a's segment low..high-1 and parent b elsewhere (Goldberg & Lingle 1985).

    A candidate of b that the segment holds already is replaced by the one that it displaced there.
    """
    for i in range(low, high):
        child[i] = a[i]
        position[a[i]] = i
    for i in range(len(child)):
        if i < low or i >= high:
            c = b[i]
            while position[c] >= 0:
                c = b[position[c]]
            child[i] = c
    for i in range(low, high):
        position[a[i]] = -1


@kernel(INT(FLOAT, FLOAT), inline=True)
def stages_skipped(rate: float, chance: float) -> int:
    """Return how many stages come before the next one that mutates, each mutating with probability `rate`.

    A geometric variate by inversion of `chance`, drawn from [0, 1): one draw a mutation instead of one a stage.
    """
    if rate >= 1.0:
        return 0
    return int(min(math.log(1.0 - chance) / math.log1p(-rate), NEVER)) if rate > 0.0 else int(NEVER)


@kernel(types.void(INTS, INT, INT))
def invert(child: Ints, low: int, high: int) -> None:
    """Reverse the segment low..high-1."""
    high -= 1
    while low < high:
        child[low], child[high] = child[high], child[low]
        low, high = low + 1, high - 1


@kernel(types.void(INTS, INT, INT))
def insert(child: Ints, i: int, j: int) -> None:
    """Move the candidate of stage i to stage j; those between move on by one."""
    candidate, step = child[i], 1 if i < j else -1
    while i != j:
        child[i] = child[i + step]
        i += step
    child[j] = candidate


@kernel(types.void(INTS, READONLY_INTS, INT, INT, RNG_STATE))
def mutate_stage(child: Ints, sizes: Ints, i: int, kind: int, rng_state: RngState) -> None:
    """Let stage i mutate: invert up to a random stage, move there, or take another candidate, by a swap if SWAP."""
    n = len(child)
    if kind == INSERTION:
        insert(child, i, below(rng_state, n))
        return
    if kind == INVERSION:
        j = below(rng_state, n)
        low, high = (i, j) if i < j else (j, i)
        invert(child, low, high + 1)
        return
    c = below(rng_state, sizes[i] - 1)
    c += c >= child[i]  # any candidate but the present one
    if kind == SWAP:
        for j in range(n):
            if child[j] == c:
                child[j] = child[i]
    child[i] = c


@kernel(types.void(INTS, READONLY_INTS, FLOAT, INT, RNG_STATE))
def mutate(child: Ints, sizes: Ints, rate: float, kind: int, rng_state: RngState) -> None:
    """Let each stage that has a choice mutate with probability `rate`."""
    i = stages_skipped(rate, uniform(rng_state))
    while i < len(child):
        if sizes[i] > 1:
            mutate_stage(child, sizes, i, kind, rng_state)
        i += 1 + stages_skipped(rate, uniform(rng_state))


@kernel(types.void(READONLY_INTS, READONLY_INTS, INT, INTS, RNG_STATE, INTS))
def cross(a: Ints, b: Ints, kind: int, position: Ints, rng_state: RngState, child: Ints) -> None:
    """Mix two parents, at a random cut or segment; `position` is scratch memory."""
    n = len(child)
    if kind == ONE_POINT:
        one_point_crossover(a, b, below(rng_state, n + 1), child)
    elif kind == UNIFORM:
        uniform_crossover(a, b, rng_state, child)
    else:
        low = int(below(rng_state, n))
        high = low + 1 + int(below(rng_state, n - low))
        if kind == ORDER:
            order_crossover(a, b, low, high, position, child)
        else:
            partially_mapped_crossover(a, b, low, high, position, child)


@kernel(types.void(PARENTS, READONLY_INTS, OPERATORS, INTS, RNG_STATE, INT_ROWS))
def make_children(
    parents: Any, sizes: Ints, operators: Any, position: Ints, rng_state: RngState, children: Ints
) -> None:
    """Fill `children`, a row for each pair of parents.

    Args:
        parents: the population and the pairs.
        sizes: the number of candidates at each stage.
        operators: what is done, and how likely.
        position: scratch memory, -1 for every candidate.
        rng_state: the kernels' random numbers.
        children: receives the solutions.
    """
    for k in range(len(parents.pairs)):
        a, b, child = parents.X[parents.pairs[k, 0]], parents.X[parents.pairs[k, 1]], children[k]
        if uniform(rng_state) < operators.crossover_rate:
            cross(a, b, operators.crossover, position, rng_state, child)
        else:
            copy(a, child)
        mutate(child, sizes, operators.mutation_rate, operators.mutations[k], rng_state)


@kernel(FLOAT(LINKS, READONLY_FLOATS, INTS, READONLY_INTS))
def difference(links: Links, unary: Floats, y: Ints, goal: Ints) -> float:
    """Turn solution y into the goal, stage by stage, and return the change of score."""
    offsets, indptr, runs, weights, flat = links.offsets, links.indptr, links.runs, links.weights, links.flat
    total = 0.0
    for i in range(len(y)):
        if y[i] == goal[i]:
            continue
        total += unary[offsets[i] + goal[i]] - unary[offsets[i] + y[i]]
        for r in range(indptr[i], indptr[i + 1]):
            to, start, stride, far_stride, j = runs[r, 0], runs[r, 2], runs[r, 3], runs[r, 4], runs[r, 5]
            old, new = start + y[i] * stride, start + goal[i] * stride
            part = 0.0
            # Stage after stage of the run: those before i have their goal, the others still the candidate of y.
            while offsets[j] < to + runs[r, 1]:
                d = (offsets[j] - to + y[j]) * far_stride
                part += flat[new + d] - flat[old + d]
                j += 1
            total += weights[r] * part
        y[i] = goal[i]
    return total


@kernel(types.void(LINKS, READONLY_FLOATS, PARENTS, READONLY_INT_ROWS, INT, INTS, FLOATS))
def score_children(
    links: Links, unary: Floats, parents: Any, children: Ints, limit: int, scratch: Ints, totals: Floats
) -> None:
    """Write the score of each child, computed from the parent that differs at fewer stages, to `totals`.

    Args:
        links: the half-edges of the tables.
        unary: the values of single candidates.
        parents: population, scores, and the pair of each child.
        children: the solutions to score.
        limit: where both parents differ at more stages than this, the score is NaN.
        scratch: room for one solution.
        totals: receives the scores.
    """
    for k in range(len(children)):
        nearest, least = 0, limit + 1
        for p in parents.pairs[k]:
            apart = 0
            for i in range(len(scratch)):
                apart += parents.X[p, i] != children[k, i]
            if apart < least:
                nearest, least = p, apart
        totals[k] = np.nan  # a whole score is as fast
        if least <= limit:
            copy(parents.X[nearest], scratch)
            change = difference(links, unary, scratch, children[k])
            totals[k] = parents.scores[nearest] + change
