"""The rules of a bee colony: what bees do, in what order, and by which formulas.

Equation numbers are those of Abualhaija & Zimmermann 2014. Each formula stands here alone; `swarmkit_bees.kernel` has
it compiled. numba's cache does not see a change of this file: delete the `__pycache__` of the package then.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from swarmkit import Ints

Normalise = Literal["max", "min-max", "raw"]
"""How the qualities of partial solutions are normalised: see `normalised`."""
MAX, MIN_MAX, RAW = range(3)
"""The positions in `Normalise`, which rules hold: kernels read numbers."""

Drawing = Literal["random", "replace", "order"]
"""How a bee picks the candidates that it tries: at random without repetition, with repetition, or in their order."""
RANDOM, REPLACE, IN_ORDER = range(3)
"""The positions in `Drawing`."""


class Rules(NamedTuple):
    """The rules by which bees choose candidates, compare their paths and end the search, as kernels read them."""

    moves: int
    """NC: moves per forward pass."""
    recruiters: int
    """R: number of best bees that recruit; 0: every loyal bee does."""
    theta: float = 0.0
    """θ: a bee stops trying candidates at one that adds at least θ per assigned neighbour."""
    tries: int = 0
    """Most candidates tried per move; 0: all are evaluated and one is drawn from a roulette wheel."""
    normalise: int = MAX
    """Normalisation of the qualities that bees compare: a position in `Normalise`."""
    first_on_ties: bool = False
    """Whether the first of equally good candidates is chosen, instead of any."""
    drawing: int = RANDOM
    """How the candidates that are tried are picked: a position in `Drawing`."""
    first_below_theta: bool = False
    """Whether the first candidate is taken where none that was tried reaches θ, instead of the best of them."""
    in_sequence: bool = False
    """Whether bees decide one after the other, best first, so that followers take over what a recruiter has taken over
    before them, instead of all at once."""
    take_quality: bool = True
    """Whether a bee that follows a recruiter takes over its quality along with its path."""
    reset_passes: bool = True
    """Whether the number u of forward passes is counted from 0 in each iteration."""
    tolerance: float = -np.inf
    """The search ends after an iteration that improves the best score by no more than this."""
    beta: float = -np.inf
    """β: the search ends after an iteration whose best quality is at most this."""
    sharpness: float = 8.0
    """Where every candidate costs something, its weight on the roulette wheel is 1 / cost to this power."""


class Plan(NamedTuple):
    """The way of a colony through the stages."""

    order: Ints
    """The stages that the bees visit, in this order."""
    starts: Ints
    """Each bee's candidate at the first of these stages, the hive; all -1: the bees choose there too."""
    rules: Rules

    @property
    def first(self) -> int:
        """The number of stages that the bees have visited before their first move: the hive, or none."""
        return int(self.starts[0] >= 0)


def loyalty(quality: Any, best: float, passes: int) -> Any:
    """Return the probability that a bee keeps its path, exp(-(O_max - O_b) / u). Eq. (2).

    >>> print(f"{loyalty(0.5, 1.0, 2):.4f}")
    0.7788

    Args:
        quality: O_b, the normalised quality of one bee, or an array of them.
        best: O_max, the highest of all.
        passes: u, the number of forward passes so far; at least 1.
    """
    return np.exp(-(best - quality) / passes)


def recruiting(quality: Any, total: float) -> Any:
    """Return the probability that a recruiter is followed, O_k / ΣO. Eq. (3). Where the sum is 0 so is the result.

    >>> recruiting(np.array([1.0, 3.0]), 4.0)
    array([0.25, 0.75])

    Args:
        quality: O_k, the normalised quality of a recruiter, or an array of them.
        total: the sum over the recruiters.
    """
    return quality / total if total > 0 else quality


def normalised(quality: Any, low: float, high: float, how: int) -> Any:
    """Return the normalised quality O_b of a partial solution.

    The papers say "normalized" and no more. MAX divides by the largest, MIN_MAX also subtracts the smallest, RAW leaves
    them as they are. If some are negative, all are first raised by the same amount so that the smallest is 0.

    >>> normalised(np.array([1.0, 2.0, 4.0]), 1.0, 4.0, MAX)
    array([0.25, 0.5 , 1.  ])
    >>> normalised(np.array([1.0, 2.0, 3.0]), 1.0, 3.0, MIN_MAX)
    array([0. , 0.5, 1. ])

    Args:
        quality: the quality of one bee, or an array of them.
        low: the lowest quality of a bee.
        high: the highest.
        how: a position in `Normalise`.
    """
    if how == MIN_MAX and high == low:
        return quality - low + 1.0  # 1 for all
    # Shares of the wheel must not be negative, whatever the sign of the scores.
    floor = low if how == MIN_MAX else min(0.0, low)
    scale = 1.0 if how == RAW or high <= floor else high - floor
    return (quality - floor) / scale


def cheapness(value: Any, cheapest: Any, sharpness: float) -> Any:
    """Return the weight of a candidate that costs something, (1 / cost)^sharpness, in units of the cheapest's.

    >>> cheapness(-4.0, -2.0, 3.0)
    0.125

    Args:
        value: what the candidate adds, less than 0, or an array of such values.
        cheapest: the largest of these values.
        sharpness: the power.
    """
    return (cheapest / value) ** sharpness


def stage_order(hive: int, n: int, walk: Literal["ends", "wrap"]) -> Ints:
    """Return the n stages in the order in which the bees visit them.

    >>> stage_order(2, 5, "ends").tolist(), stage_order(2, 5, "wrap").tolist()
    ([2, 3, 4, 1, 0], [2, 3, 4, 0, 1])
    """
    before = np.arange(hive)
    return np.concatenate([np.arange(hive, n), before[::-1] if walk == "ends" else before])
