"""Files of QAPLIB: the size and two matrices (.dat), or the size, a cost and an assignment (.sln).

R.E. Burkard, S.E. Karisch, F. Rendl (1997). QAPLIB: a quadratic assignment problem library. J. of Global
Optimization 10, 391-403.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Numbers

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
    first, second = (numbers.take(n * n, f"the {name} matrix").reshape(n, n) for name in ("first", "second"))
    numbers.end(f"two matrices of {n} rows of {n} numbers")
    return Matrices(first, second)


def read_solution(path: str | Path, matrices: Matrices) -> float:
    """Return the cost of the solution in a file, which must be the cost that the file states."""
    numbers = Numbers(path, "a solution of QAPLIB: the size n, the cost, then n numbers of locations", ",")
    n = len(matrices.first)
    size = numbers.whole(1, LARGEST, "the size n")
    if size != n:
        numbers.wrong(f"a solution of size {size}; expected {n}, as the problem has")
    cost = float(numbers.take(1, "the cost")[0])
    p = numbers.take(n, "the assignment").astype(np.int64) - 1
    numbers.end(f"an assignment of {n} numbers")
    if not np.array_equal(np.sort(p), np.arange(n)):
        numbers.wrong(f"this is not an assignment; expected each of 1 to {n} once")
    # QAPLIB's solutions come from many people: some list locations by facility, some facilities by location.
    costs = [float((matrices.first * matrices.second[np.ix_(q, q)]).sum()) for q in (p, np.argsort(p))]
    if cost not in costs:
        numbers.wrong(f"the assignment costs {costs[0]:g}; expected {cost:g}, as the file states")
    return cost


_COSTS = """
bur26a 5426670, bur26b 3817852, bur26c 5426795, bur26d 3821225, bur26e 5386879, bur26f 3782044, bur26g 10117172,
bur26h 7098658, chr12a 9552, chr12b 9742, chr12c 11156, chr15a 9896, chr15b 7990, chr15c 9504, chr18a 11098,
chr18b 1534, chr20a 2192, chr20b 2298, chr20c 14142, chr22a 6156, chr22b 6194, chr25a 3796, els19 17212548, esc16a 68,
esc16b 292, esc16c 160, esc16d 16, esc16e 28, esc16g 26, esc16h 996, esc16i 14, esc16j 8, esc32a 130, esc32b 168,
esc32c 642, esc32d 200, esc32e 2, esc32g 6, esc32h 438, esc64a 116, esc128 64, had12 1652, had14 2724, had16 3720,
had18 5358, had20 6922, kra30a 88900, kra30b 91420, kra32 88700, lipa20a 3683, lipa20b 27076, lipa30a 13178,
lipa30b 151426, lipa40a 31538, lipa40b 476581, lipa50a 62093, lipa50b 1210244, nug12 578, nug14 1014, nug15 1150,
nug16a 1610, nug16b 1240, nug17 1732, nug18 1930, nug20 2570, nug21 2438, nug22 3596, nug24 3488, nug25 3744,
nug27 5234, nug28 5166, nug30 6124, rou12 235528, rou15 354210, rou20 725522, scr12 31410, scr15 51140, scr20 110030,
sko42 15812, sko49 23386, sko56 34458, sko64 48498, sko72 66256, sko81 90998, sko90 115534, sko100a 152002,
sko100b 153890, sko100c 147862, sko100d 149576, sko100e 149150, sko100f 149036, ste36a 9526, ste36b 15852,
ste36c 8239110, tai12a 224416, tai12b 39464925, tai15a 388214, tai15b 51765268, tai17a 491812, tai20a 703482,
tai20b 122455319, tai25a 1167256, tai25b 344355646, tai30a 1818146, tai30b 637117113, tai35a 2422002,
tai35b 283315445, tai40a 3139370, tai40b 637250948, tai50b 458821517, tai60a 7205962, tai60b 608215054, tai64c 1855928,
tai80b 818415043, tai100b 1185996137, tai150b 498896643, tai256c 44759294, tho30 149936, tho40 240516, tho150 8133398,
wil50 48816, wil100 273038
"""

BEST_KNOWN = {name: float(cost) for name, cost in (entry.split() for entry in _COSTS.split(","))}
"""The smallest costs known of QAPLIB's problems, published there or later."""
