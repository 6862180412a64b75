"""The roulette wheel: an index drawn with probability in proportion to its weight."""

from __future__ import annotations

from typing import Any

from swarmkit.contract.arrays import Floats, RngState
from swarmkit.kernels.compiling import inlined
from swarmkit.kernels.rng import below, uniform


@inlined
def spin(weights: Floats, count: Any, total: float, chance: float) -> Any:
    """Return the index at which the sum of the weights passes chance · total.

    Args:
        weights: at least `count` weights >= 0.
        count: how many of them are on the wheel; at least 1.
        total: their sum, more than 0.
        chance: a number drawn from [0, 1).
    """
    aim, last = chance * total, 0
    for index in range(count):
        if weights[index] > 0.0:
            last = index
            aim -= weights[index]
            if aim < 0.0:
                break
    return last  # rounding may lead beyond the last weight: it is the last one then


@inlined
def draw(weights: Floats, count: Any, total: float, rng_state: RngState) -> Any:
    """Draw an index in proportion to its weight; any, if the total is 0.

    Args:
        weights: at least `count` weights >= 0.
        count: how many of them are on the wheel; at least 1.
        total: their sum.
        rng_state: the random state.
    """
    if total > 0.0:
        return spin(weights, count, total, uniform(rng_state))
    return below(rng_state, count)
