"""Files of QAPLIB: the size and two matrices (.dat), or the size, a cost and an assignment (.sln).

R.E. Burkard, S.E. Karisch, F. Rendl (1997). QAPLIB: a quadratic assignment problem library. J. of Global
Optimization 10, 391-403.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Numbers, wrong_line

LARGEST = 1000
"""The largest number of facilities: these have half a million pairs."""


class Matrices(NamedTuple):
    """The two matrices; the cost of an assignment p is Σ first[i, j] · second[p(i), p(j)]."""

    first: Floats
    second: Floats


def read_qaplib(path: str | Path) -> Matrices:
    """Read a problem file."""
    numbers = Numbers(path, "a file of QAPLIB: the size n, then two matrices of n rows of n numbers", ",")
    n = numbers.whole(1, LARGEST, "the size n")
    first, second = (numbers.take(n * n, f"the {which} matrix").reshape(n, n) for which in ("first", "second"))
    numbers.end(f"two matrices of {n} rows of {n} numbers")
    return Matrices(first, second)


def read_solution(path: str | Path, matrices: Matrices) -> float:
    """Return the cost of the solution in a file, which must be the cost that the file states."""
    numbers = Numbers(path, "a solution of QAPLIB: the size n, the cost, then n numbers of locations", ",")
    n = len(matrices.first)
    size = numbers.whole(1, LARGEST, "the size n")
    if size != n:
        raise wrong_line(path, numbers.line, f"a solution of size {size}; expected {n}, as the problem has")
    stated = float(numbers.take(1, "the cost")[0])
    p = numbers.take(n, "the assignment").astype(np.int64) - 1
    numbers.end(f"an assignment of {n} numbers")
    if not np.array_equal(np.sort(p), np.arange(n)):
        raise wrong_line(path, numbers.line, f"this is not an assignment; expected each of 1 to {n} once")
    # QAPLIB's solutions come from many people: some list locations by facility, some facilities by location.
    costs = [float((matrices.first * matrices.second[np.ix_(q, q)]).sum()) for q in (p, np.argsort(p))]
    if stated not in costs:
        raise wrong_line(
            path, numbers.line, f"the assignment costs {costs[0]:g}; expected {stated:g}, as the file states"
        )
    return stated
