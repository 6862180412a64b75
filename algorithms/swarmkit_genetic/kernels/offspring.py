"""Children of pairs of parents: crossover and mutation of a whole generation."""

from __future__ import annotations

from typing import Any

from numba import types

from swarmkit import Ints, RngState
from swarmkit.kernels.compiling import (
    FLOAT,
    GIVEN_FLOATS,
    GIVEN_INT_ROWS,
    GIVEN_INTS,
    INT,
    INT_ROWS,
    INTS,
    RNG_STATE,
    kernel,
)
from swarmkit.kernels.rng import below, uniform
from swarmkit_genetic.kernels import crossover
from swarmkit_genetic.kernels.mutation import mutate
from swarmkit_genetic.operators import ONE_POINT, ORDER, UNIFORM, Operators
from swarmkit_genetic.selection import Parents

PARENTS = types.NamedTuple((GIVEN_INT_ROWS, GIVEN_FLOATS, GIVEN_INT_ROWS), Parents)
OPERATORS = types.NamedTuple((INT, FLOAT, INT, FLOAT), Operators)


@kernel(types.void(GIVEN_INTS, GIVEN_INTS, INT, INTS, RNG_STATE, INTS))
def cross(a: Ints, b: Ints, kind: int, position: Ints, rng_state: RngState, child: Ints) -> None:
    """Mix two parents, at a random cut or segment; `position` is scratch memory (see `kernels.crossover`)."""
    n = len(child)
    if kind == ONE_POINT:
        crossover.one_point(a, b, below(rng_state, n + 1), child)
    elif kind == UNIFORM:
        crossover.uniform(a, b, rng_state, child)
    else:
        low = int(below(rng_state, n))
        high = low + 1 + int(below(rng_state, n - low))
        if kind == ORDER:
            crossover.order(a, b, low, high, position, child)
        else:
            crossover.partially_mapped(a, b, low, high, position, child)


@kernel(types.void(PARENTS, GIVEN_INTS, OPERATORS, INTS, RNG_STATE, INT_ROWS))
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
            for i in range(len(child)):
                child[i] = a[i]
        mutate(child, sizes, operators.mutation_rate, operators.mutation, rng_state)
