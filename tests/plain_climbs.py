"""Climbing by definition, the plain twins: gains from scratch, the kernel's random numbers."""

import numpy as np

from swarmkit.kernels import chance, icm


def plain_best(gains, words):
    """The twin of `best_candidate`: the one that gains most, among equals by chance; None if none gains anything."""
    best, ties = 0, 1
    for c in range(1, len(gains)):
        if gains[c] > gains[best]:
            best, ties = c, 1
        elif gains[c] == gains[best]:
            ties += 1
            best = c if chance.below(words, ties) == 0 else best
    return best if gains[best] > icm.LEAST * (1 + np.abs(gains).max()) else None


def moved(form, x, i, c):
    """A solution with another candidate at stage i; where stages must differ, its holder takes the old one."""
    y = x.copy()
    if form.distinct:
        y[y == c] = y[i]
    y[i] = c
    return y


def climbed(form, x, stages, words):
    """The twin of `climb_waiting`, begun with some stages and all around them; gives the looks too."""
    half, waiting, looks = form.half_edges, [], 0

    def wait(i):
        for j in (i, *half.neighbour[half.indptr[i] : half.indptr[i + 1]]):
            if int(j) not in waiting:
                waiting.append(int(j))

    for i in stages:
        wait(i)
    while waiting:
        i = waiting.pop(0)
        gains = form.gains(x[None], i)[0]
        looks += len(gains) * (2 if form.distinct else 1)
        c = plain_best(gains, words)
        if c is not None:
            holders = np.flatnonzero(x == c) if form.distinct else []
            x = moved(form, x, i, c)
            for j in (i, *holders):
                wait(int(j))
    return x, looks
