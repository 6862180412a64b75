"""Ants that visit the stages in an order of their choice, each step by the pheromone between two candidates."""

from __future__ import annotations

from typing import Any

from swarmkit import Bools, Floats, Ints, RngState
from swarmkit.kernels.compiling import BOOL, FLOAT_ROWS, FLOATS, GIVEN_INTS, INT, INT_ROWS, RNG_STATE, kernel
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.roulette import spin


@kernel(INT(FLOAT_ROWS, GIVEN_INTS, INT_ROWS, BOOL[::1], FLOATS, RNG_STATE))
def build_tours(
    weights: Floats, stage_of: Ints, tours: Ints, visited: Bools, open_weights: Floats, rng_state: RngState
) -> Any:
    """Let every ant build a tour of slots, and return the looks.

    Args:
        weights: τ^alpha·η^beta between any two slots.
        stage_of: the stage of each slot.
        tours: a row for each ant: the slots that it visits, one of every stage, in this order.
        visited: memory, for each stage.
        open_weights: memory, for each slot.
        rng_state: the random state.
    """
    slots, (ants, n), looks = len(stage_of), tours.shape, 0
    for ant in range(ants):
        for stage in range(n):
            visited[stage] = False
        here = below(rng_state, slots)
        tours[ant, 0] = here
        visited[stage_of[here]] = True
        for step in range(1, n):
            total = 0.0
            for slot in range(slots):
                open_weights[slot] = 0.0 if visited[stage_of[slot]] else weights[here, slot]
                total += open_weights[slot]
                looks += 0 if visited[stage_of[slot]] else 1
            here = spin(open_weights, slots, total, uniform(rng_state))
            tours[ant, step] = here
            visited[stage_of[here]] = True
    return looks + ants
