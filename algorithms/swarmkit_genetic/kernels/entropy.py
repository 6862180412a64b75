"""The entropies of pairs of stages in a population."""

from __future__ import annotations

from numba import types

from swarmkit import Floats, Ints
from swarmkit.kernels.compiling import FLOAT_ROWS, GIVEN_FLOATS, GIVEN_INT_ROWS, GIVEN_INTS, INTS, kernel


@kernel(types.void(GIVEN_INT_ROWS, GIVEN_INTS, GIVEN_FLOATS, INTS, FLOAT_ROWS))
def joint_entropies(columns: Ints, sizes: Ints, terms: Floats, counts: Ints, found: Floats) -> None:
    """Fill `found` with the entropy of the candidates of each pair of stages.

    Args:
        columns: the candidates of each stage in all solutions, a row for each stage.
        sizes: the number of candidates at each stage.
        terms: -p log p of a pair of candidates, by the number of solutions that have it.
        counts: scratch memory: zeros, for the pairs of candidates of any two stages.
        found: receives the entropies; of a stage with itself, that of the stage alone.
    """
    n, solutions = columns.shape
    for i in range(n):
        for j in range(i, n):
            width, total = sizes[j], 0.0
            for k in range(solutions):
                counts[columns[i, k] * width + columns[j, k]] += 1
            for pair in range(sizes[i] * width):
                total += terms[counts[pair]]
                counts[pair] = 0
            found[i, j] = total
            found[j, i] = total
