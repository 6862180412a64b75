"""The linkage tree of a population: entropies of pairs of stages, clustering by them, and donors of a cluster.

Murtagh, F. 1983. A survey of recent advances in hierarchical clustering algorithms. The Computer Journal 26(4): UPGMA,
by chains of nearest neighbours, is work in n².
"""

from __future__ import annotations

from numba import types

from swarmkit import Floats, Ints, RngState, Solutions
from swarmkit.kernels.compiling import (
    FLOAT_ROWS,
    FLOATS,
    INT,
    INT_ROWS,
    INTS,
    READONLY_FLOATS,
    READONLY_INT_ROWS,
    READONLY_INTS,
    RNG_STATE,
    kernel,
)
from swarmkit.kernels.rng import below


@kernel(types.void(READONLY_INT_ROWS, READONLY_INTS, READONLY_FLOATS, INTS, FLOAT_ROWS))
def joint_entropies(columns: Ints, sizes: Ints, terms: Floats, counts: Ints, entropies: Floats) -> None:
    """Fill `entropies` with the entropy of the candidates of each pair of stages.

    Args:
        columns: the candidates of each stage in all solutions, a row for each stage.
        sizes: the number of candidates at each stage.
        terms: -p log p of a pair of candidates, by the number of solutions that have it.
        counts: scratch memory: zeros, for the pairs of candidates of any two stages.
        entropies: receives them; of a stage with itself, that of the stage alone.
    """
    n, solutions = columns.shape
    for i in range(n):
        for j in range(i, n):
            width, total = sizes[j], 0.0
            for k in range(solutions):
                counts[columns[i, k] * width + columns[j, k]] += 1
            for pair in range(sizes[i] * width):  # ready for the next two stages as well
                total += terms[counts[pair]]
                counts[pair] = 0
            entropies[i, j] = total
            entropies[j, i] = total


@kernel(INT(FLOAT_ROWS, INTS, INT, INT))
def nearest(distances: Floats, sizes: Ints, row: int, favourite: int) -> int:
    """Return the cluster nearest to another one, of equally near ones the favourite (-1 for none), else the first."""
    best, index = 1e300, -1
    if favourite >= 0:
        best, index = distances[row, favourite], favourite
    for j in range(len(sizes)):
        if sizes[j] > 0 and j != row and distances[row, j] < best:  # joined clusters have size 0
            best, index = distances[row, j], j
    return index


@kernel(types.void(FLOAT_ROWS, INTS, INT, INT))
def join(distances: Floats, sizes: Ints, a: int, b: int) -> None:
    """Join cluster b to cluster a: its distances are means over the stages of both."""
    total = sizes[a] + sizes[b]
    for j in range(len(sizes)):
        if sizes[j] > 0 and j not in (a, b):
            mean = (sizes[a] * distances[a, j] + sizes[b] * distances[b, j]) / total
            distances[a, j] = mean
            distances[j, a] = mean
    sizes[a], sizes[b] = total, 0


@kernel(types.void(FLOAT_ROWS, INTS, INTS, INTS, INT_ROWS, FLOATS))
def upgma(distances: Floats, sizes: Ints, names: Ints, chain: Ints, merges: Ints, heights: Floats) -> None:
    """Fill `merges` with the two clusters that each merge joins, and `heights` with their distances.

    Stages are the clusters 0 to n - 1, and merge k makes the cluster n + k.

    Args:
        distances: between each pair of stages; overwritten.
        sizes: ones; overwritten.
        names: the stages in ascending order; overwritten.
        chain: scratch memory, a number for each stage.
        merges: receives the pairs.
        heights: receives the distances.
    """
    n, length = len(sizes), 0
    for merge in range(n - 1):
        if length == 0:
            while sizes[chain[0]] == 0:
                chain[0] += 1
            length = 1
        while True:  # each link of the chain leads to a nearer cluster, until two are nearest to each other
            last, before = chain[length - 1], chain[length - 2] if length > 1 else -1
            following = nearest(distances, sizes, last, before)
            if following == before:
                break
            chain[length] = following
            length += 1
        merges[merge, 0], merges[merge, 1] = names[before], names[last]
        heights[merge] = distances[before, last]
        join(distances, sizes, before, last)
        names[before] = n + merge  # the joined cluster stays in the row of one of the two
        length -= 2


@kernel(types.void(READONLY_INT_ROWS, INTS, INT_ROWS))
def lay_out(merges: Ints, order: Ints, segments: Ints) -> None:
    """Fill `order` with the stages, so that each cluster is a segment of it, and `segments` with begins and ends.

    Args:
        merges: the two clusters that each merge joins.
        order: receives the stages.
        segments: zeros, with the sizes of single stages, 1, in the second column; receives the segments.
    """
    n = len(order)
    for merge in range(n - 1):  # first the sizes
        segments[n + merge, 1] = segments[merges[merge, 0], 1] + segments[merges[merge, 1], 1]
    for merge in range(n - 2, -1, -1):  # from the root down: the two halves of each cluster lie side by side
        a, b, begin = merges[merge, 0], merges[merge, 1], segments[n + merge, 0]
        segments[a, 0] = begin
        segments[b, 0] = begin + segments[a, 1]
    for cluster in range(2 * n - 1):
        segments[cluster, 1] += segments[cluster, 0]
    for stage in range(n):
        order[segments[stage, 0]] = stage


@kernel(INT(READONLY_INT_ROWS, READONLY_INTS, READONLY_INTS, RNG_STATE))
def differing_donor(population: Solutions, x: Solutions, cluster: Ints, rng_state: RngState) -> int:
    """Return a random row of a population that differs from a solution in a cluster of stages, -1 if none does.

    Of the rows that differ, the k-th replaces the one held with probability 1 / k, so all are equally likely.
    """
    donor, differing = -1, 0
    for row in range(len(population)):
        for stage in cluster:
            if population[row, stage] != x[stage]:
                differing += 1
                if below(rng_state, differing) == 0:
                    donor = row
                break
    return donor
