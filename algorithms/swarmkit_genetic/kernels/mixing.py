"""Mixing of a cluster of stages: a random solution of a population that differs there."""

from __future__ import annotations

from swarmkit import Ints, RngState, Solutions
from swarmkit.kernels.compiling import GIVEN_INT_ROWS, GIVEN_INTS, INT, RNG_STATE, kernel
from swarmkit.kernels.rng import below


@kernel(INT(GIVEN_INT_ROWS, GIVEN_INTS, GIVEN_INTS, RNG_STATE))
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
