"""Climbing by definition, the plain twins: gains from scratch, the kernels' random numbers."""

import numpy as np
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.kernels import icm, rng
from swarmkit.testing.families import random_form, shapes

forms = st.builds(random_form, shapes(), distinct=st.booleans()) | st.builds(
    random_form, shapes(), distinct=st.just(True), shared=st.just(True)
)


def rounded(form):
    """The form in whole numbers, whose sums are exact: ties are ties, and broken by the same draws."""
    unary, flat = np.rint(9 * form.unary), np.rint(9 * form.flat)
    return Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, flat, form.distinct)


def solutions(form, k, generator):
    """Random solutions."""
    if form.distinct:
        return np.array([generator.permutation(form.sizes[0])[: len(form.sizes)] for _ in range(k)])
    return generator.integers(form.sizes, size=(k, len(form.sizes)))


def plain_best(gains, rng_state):
    """The twin of `best_candidate`: the candidate of highest gain, ties at random; None if none improves."""
    best, ties = 0, 1
    for c in range(1, len(gains)):
        if gains[c] > gains[best]:
            best, ties = c, 1
        elif gains[c] == gains[best]:
            ties += 1
            best = c if rng.below(rng_state, ties) == 0 else best
    return best if gains[best] > icm.LEAST * (1 + np.abs(gains).max()) else None


def moved(form, x, i, c):
    """A solution with another candidate at stage i; where stages must differ, its holder takes the old one."""
    y = x.copy()
    if form.distinct:
        y[y == c] = y[i]
    y[i] = c
    return y


def plain_climb(form, x, rng_state):
    """The twin of `icm.climb` for one solution, in place; returns the looks."""
    order, looks, changed = np.arange(len(x)), 0, True
    while changed:
        changed = False
        for last in range(len(x) - 1, 0, -1):
            k = rng.below(rng_state, last + 1)
            order[[last, k]] = order[[k, last]]
        for stage in order:
            gains = form.gains(x[None], int(stage))[0]
            looks += len(gains) * (2 if form.distinct else 1)
            c = plain_best(gains, rng_state)
            if c is not None:
                x[:], changed = moved(form, x, int(stage), c), True
    return looks


def climbed(form, x, stages, rng_state):
    """The twin of `ils.climb`, with some stages and their neighbours queued; returns the looks too."""
    half, queue, looks = form.half_edges, [], 0

    def enqueue_around(i):
        for j in (i, *half.neighbour[half.indptr[i] : half.indptr[i + 1]]):
            if int(j) not in queue:
                queue.append(int(j))

    for i in stages:
        enqueue_around(i)
    while queue:
        i = queue.pop(0)
        gains = form.gains(x[None], i)[0]
        looks += len(gains) * (2 if form.distinct else 1)
        c = plain_best(gains, rng_state)
        if c is not None:
            holders = np.flatnonzero(x == c) if form.distinct else []
            x = moved(form, x, i, c)
            for j in (i, *holders):
                enqueue_around(int(j))
    return x, looks
