"""The linkage tree of a population: clusters of stages whose candidates depend on each other.

Thierens, D. 2010. The linkage tree genetic algorithm. PPSN XI. The tree is made by hierarchical clustering: the two
clusters with the smallest mean distance between their stages are joined (UPGMA), until one is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Solutions
from swarmkit_genetic import kernels

TOGETHER = 1e-9
"""The distance up to which stages always change together: their own clusters would mix nothing that theirs does not."""


@dataclass
class LinkageTree:
    """Clusters of stages, smallest first; plain data."""

    stages: Ints
    """The stages, in an order in which every cluster is a segment."""
    segments: Ints
    """Where each cluster begins and ends in that order, a row each."""

    @classmethod
    def of(cls, population: Solutions, sizes: Ints, rng: Generator) -> LinkageTree:
        """Return the clusters of a population, without the one of all stages.

        Args:
            population: solutions, one a row.
            sizes: the number of candidates at each stage.
            rng: breaks ties: the order of the stages, and of clusters of equal size.
        """
        random_order = rng.permutation(len(sizes))
        distances = stage_distances(population[:, random_order], sizes[random_order])
        order, segments = clusters(distances)
        segments = segments[rng.permutation(len(segments))]
        lengths = segments[:, 1] - segments[:, 0]
        smallest_first = np.argsort(lengths, kind="stable")
        return cls(random_order[order], np.ascontiguousarray(segments[smallest_first]))


def entropies(population: Solutions, sizes: Ints) -> Floats:
    """Return H(i, j), the entropy (nats) of the candidates of each pair of stages; H(i, i) is that of stage i alone.

    >>> entropies(np.array([[0, 0], [1, 0]]), np.array([2, 2])).round(3)
    array([[0.693, 0.693],
           [0.693, 0.   ]])

    Args:
        population: solutions, one a row.
        sizes: the number of candidates at each stage.
    """
    count, n = population.shape
    share = np.arange(1, count + 1) / count
    terms = np.concatenate([[0.0], -share * np.log(share)])  # by count: no logarithm in the kernel
    joint, counts = np.empty((n, n)), np.zeros(int(sizes.max()) ** 2, np.int64)
    kernels.linkage.joint_entropies(np.ascontiguousarray(population.T), sizes, terms, counts, joint)
    return joint


def stage_distances(population: Solutions, sizes: Ints) -> Floats:
    """Return 1 - I(i, j) / H(i, j) for each pair of stages, with the mutual information I; 0 where both are constant.

    >>> stage_distances(np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]]), np.array([2, 2, 2])).round(3)
    array([[0., 0., 1.],
           [0., 0., 1.],
           [1., 1., 0.]])
    """
    joint = entropies(population, sizes)
    alone = np.diagonal(joint)
    information = alone[:, None] + alone - joint
    return np.asarray(1.0 - np.divide(information, joint, out=np.ones_like(joint), where=joint > TOGETHER))


def clusters(distances: Floats) -> tuple[Ints, Ints]:
    """Return an order of the stages, and the segments of it that are clusters.

    The cluster of all stages is left out, and so are the parts of a cluster whose stages always change together.

    Args:
        distances: between each pair of stages.
    """
    n = len(distances)
    merges, heights = np.zeros((n - 1, 2), np.int64), np.zeros(n - 1)
    ones, names, chain = np.ones(n, np.int64), np.arange(n), np.zeros(n, np.int64)
    kernels.linkage.upgma(np.array(distances), ones, names, chain, merges, heights)
    order, segments = np.zeros(n, np.int64), np.zeros((2 * n - 1, 2), np.int64)
    segments[:n, 1] = 1
    kernels.linkage.lay_out(merges, order, segments)
    useful = np.ones(2 * n - 1, bool)
    useful[merges[heights <= TOGETHER].ravel()] = False
    useful[-1] = False
    return order, segments[useful]
