"""Make a generation of children from pairs of parents: crossover and mutation, compiled."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit.construction import repair
from swarmkit.pairwise import Ints
from swarmkit.problem import Problem, Solutions

Crossover = Literal["one-point", "uniform", "order", "pmx"]
Mutation = Literal["change", "swap", "inversion"]


def breed(
    problem: Problem,
    X: Solutions,
    parents: Ints,
    words: NDArray[np.uint64],
    rng: Generator,
    *,
    crossover: Crossover,
    crossover_rate: float,
    mutation: Mutation,
    mutation_rate: float,
) -> Solutions:
    """Make one feasible child of each pair of rows of X; one that cannot be repaired is a copy of its first parent.

    `order`, `pmx`, `swap` and `inversion` are for stages that must differ, the others for those that need not.
    """
    from swarmkit.kernels import breeding

    sizes = np.asarray(problem.sizes, np.int64)
    children = np.empty((len(parents), len(sizes)), np.int64)
    breeding.breed(
        np.ascontiguousarray(X),
        parents,
        sizes,
        ("one-point", "uniform", "order", "pmx").index(crossover),
        crossover_rate,
        ("change", "swap", "inversion").index(mutation),
        mutation_rate,
        np.full(int(sizes.max()), -1),
        words,
        children,
    )
    if problem.overrides("allowed") or problem.overrides("feasible"):
        good = repair(problem, children, rng)
        children[~good] = X[parents[~good, 0]]
    return children
