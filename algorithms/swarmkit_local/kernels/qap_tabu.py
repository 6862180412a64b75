"""Robust tabu search among the swaps of a quadratic assignment, in rounds that start from a kick.

Taillard, É. 1991. Robust taboo search for the quadratic assignment problem. Parallel Computing 17(4-5).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from swarmkit.kernels.compiling import FLOAT, FLOAT_ROWS, FLOATS, INT, INT_ROWS, INTS, RNG_STATE, copy, kernel
from swarmkit.kernels.icm import LEAST
from swarmkit.kernels.rng import below, uniform
from swarmkit.kernels.swap_gains import MATRICES, fill, swap, swap_gain
from swarmkit_local.tabu_state import RobustTabuState

TENURE = 8
"""A tabu tenure is 2 + ⌊TENURE · n · u³⌋ swaps, u uniform on [0, 1): mostly short, at times long, as later programs of
the method draw it; the paper draws it from 0.9 n to 1.1 n."""

ASPIRATION = 5
"""A swap that was not made for ASPIRATION · n² swaps is made at once (Taillard's second aspiration criterion)."""


SEARCH = types.NamedTuple((INTS, INTS, INTS, INTS, FLOATS, FLOAT_ROWS, INT_ROWS, INTS, RNG_STATE), RobustTabuState)


@kernel(types.Tuple((INT, INT, FLOAT))(MATRICES, SEARCH, INT, FLOAT))
def best_swap(matrices: Any, search: Any, now: int, aspiration: float) -> Any:
    """Return the best admissible swap of two stages, and its gain.

    Args:
        matrices: the assignment.
        search: the state of the search.
        now: the number of this swap. A swap is tabu where both stages would take a candidate that is tabu for them; one
            that was not made for very long comes before all others.
        aspiration: a tabu swap is admissible if it gains more than this.
    """
    x, values, until = search.x, search.values, search.tabu_until
    n, old = len(x), now - ASPIRATION * len(x) ** 2
    first, second, best, must = 0, 1, -np.inf, False
    for i in range(n):
        for j in range(i + 1, n):
            until_i, until_j = until[i, x[j]], until[j, x[i]]
            overdue = until_i < old and until_j < old
            if must and not overdue:
                continue
            gain = swap_gain(matrices, values, x, i, j)
            if (overdue and not must) or (gain > best and (until_i < now or until_j < now or gain > aspiration)):
                first, second, best, must = i, j, gain, overdue
    if best == -np.inf:  # all swaps are tabu, which happens with a few stages only
        best = swap_gain(matrices, values, x, 0, 1)
    return first, second, best


@kernel(INT(MATRICES, SEARCH, INT))
def start_round(matrices: Any, search: Any, strength: int) -> int:
    """Make the round's best solution the base if it is no worse, and start from the base, kicked; return the looks.

    The kick is 2 to 1 + `strength` random swaps.
    """
    x, values, rng_state, scores = search.x, search.values, search.rng_state, search.scores
    if scores[1] >= scores[2]:
        scores[2] = scores[1]
        copy(search.round_best, search.base)
    copy(search.base, x)
    scores[0] = scores[2]
    fill(matrices, values, x)
    swaps = 2 + below(rng_state, strength)
    for _ in range(swaps):  # two different stages
        i, j = below(rng_state, len(x)), below(rng_state, len(x) - 1)
        j += j >= i
        scores[0] += swap_gain(matrices, values, x, i, j)
        swap(matrices, values, x, i, j)
    scores[1], search.clock[1] = scores[0], search.clock[0]
    copy(x, search.round_best)
    return 2 * swaps


@kernel(INT(MATRICES, SEARCH, INT, INT, INT))
def iterate(matrices: Any, search: Any, patience: int, strength: int, count: int) -> int:
    """Make the best admissible swap, `count` times, and return the looks.

    Args:
        matrices: the assignment.
        search: the state of the search.
        patience: a round ends this many swaps after its best solution.
        strength: a new round starts with 2 to 1 + `strength` random swaps.
        count: the number of swaps.
    """
    x, scores, until, clock = search.x, search.scores, search.tabu_until, search.clock
    n, looks = len(x), 0
    for _ in range(count):
        clock[0] += 1
        now = clock[0]
        i, j, gain = best_swap(matrices, search, now, scores[1] - scores[0])
        looks += n * (n - 1)
        until[i, x[i]] = now + 2 + int(TENURE * n * uniform(search.rng_state) ** 3)
        until[j, x[j]] = now + 2 + int(TENURE * n * uniform(search.rng_state) ** 3)
        swap(matrices, search.values, x, i, j)
        scores[0] += gain
        if scores[0] > scores[1] + LEAST * (1.0 + abs(scores[1])):
            scores[1], clock[1] = scores[0], now
            copy(x, search.round_best)
        if scores[1] > scores[3]:
            scores[3] = scores[1]
            copy(search.round_best, search.best)
        if now - clock[1] >= patience:
            looks += start_round(matrices, search, strength)
    return looks
