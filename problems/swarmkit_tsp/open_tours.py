"""Open tours, with or without given ends, as closed ones through a dummy city.

The dummy stands between the last city and the first. Its distances are 0 where an end may be and a penalty elsewhere.
For a symmetric table they are symmetric, so that solvers for symmetric tours can be used. The penalty is three times
the range of all distances: if a given end is not next to the dummy, moving it there saves the penalty and costs at most
twice the range, so a shortest tour has the ends that were asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Ints


class Ends(NamedTuple):
    """The first and the last city of an open tour; None where any city may be."""

    start: int | None = None
    end: int | None = None


def open_table(table: Floats, ends: Ends) -> tuple[Floats, float]:
    """Return a table of distances with a dummy city, the last one, and the surplus of every tour with the right ends.

    >>> larger, surplus = open_table(np.array([[0.0, 2.0], [2.0, 0.0]]), Ends(start=1))
    >>> larger.tolist(), surplus
    ([[0.0, 2.0, 6.0], [2.0, 0.0, 0.0], [6.0, 0.0, 0.0]], 6.0)
    """
    n = len(table)
    penalty = 3.0 * float(max(table.max(), 0.0) - min(table.min(), 0.0)) or 1.0
    larger = np.zeros((n + 1, n + 1))
    larger[:n, :n] = table
    if np.array_equal(table, table.T):
        fixed_ends = [city for city in ends if city is not None]
        if fixed_ends:
            larger[n, :n] = larger[:n, n] = penalty
            larger[n, fixed_ends] = larger[fixed_ends, n] = 0.0
        # The other end is free, but the step to it from the dummy costs the penalty.
        return larger, penalty if len(fixed_ends) == 1 and n > 1 else 0.0
    for city, side in ((ends.start, larger[n, :n]), (ends.end, larger[:n, n])):
        if city is not None:
            side[:] = penalty
            side[city] = 0.0
    return larger, 0.0


def path_of(x: Ints, ends: Ends, directed: bool) -> Ints:
    """Return the cities of an open tour in order, the dummy left out.

    A path that may be walked either way begins with the given start, or else ends with the given end, or else begins
    with the smaller of its two ends.

    Args:
        x: a tour of all cities and the dummy, the last one.
        ends: the ends that were asked for.
        directed: whether the path can be walked in one direction only.

    >>> path_of(np.array([1, 3, 2, 0]), Ends(start=2), directed=False).tolist()
    [2, 0, 1]
    """
    at = int(np.flatnonzero(x == len(x) - 1)[0])
    path = np.roll(x, -at)[1:]
    if directed:
        return path
    if ends.start is not None:
        turn = path[-1] == ends.start
    elif ends.end is not None:
        turn = path[0] == ends.end
    else:
        turn = path[-1] < path[0]
    return path[::-1].copy() if turn else path
