"""Children of pairs of parents, made feasible."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import Problem, RngState, Solutions, repair
from swarmkit_genetic.operators import Operators
from swarmkit_genetic.selection import Parents


def make_children(
    problem: Problem, parents: Parents, operators: Operators, rng_state: RngState, rng: Generator
) -> Solutions:
    """Return one feasible child of each pair of parents, by crossover and mutation.

    A child that violates a constraint is repaired; one that cannot be is a copy of its first parent.

    Args:
        problem: any problem.
        parents: the population and the pairs.
        operators: crossover and mutation that suit the problem (permutation operators where stages must differ).
        rng_state: the kernels' random numbers.
        rng: the run's generator, for repair.
    """
    from swarmkit.kernels.compiling import read_only
    from swarmkit_genetic.kernels import offspring

    sizes = np.asarray(problem.sizes, np.int64)
    children = np.empty((len(parents.pairs), len(sizes)), np.int64)
    position = np.full(int(sizes.max()), -1)
    offspring.make_children(read_only(parents), sizes, operators, position, rng_state, children)
    if problem.structure.constrained:
        good = repair(problem, children, rng)
        children[~good] = parents.X[parents.pairs[~good, 0]]
    return children
