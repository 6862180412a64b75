"""What a compiled colony of bees reads and works on: the tables, the walk, the rules, and room for every bee."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import boolean, float64, int64, types, uint64
from numpy.typing import NDArray

from swarmkit.compiled.bees import ColonyRules
from swarmkit.compiled.routes import Walk
from swarmkit.pairwise import Floats, Ints

Places = NDArray[np.uint64]

PLAIN: Any = {"cache": True, "_nrt": False}
"""No memory is made here, so numba need not count who holds which array: half of the time, in loops this short."""

INTS, FLOATS, WORDS, GRID, PLACES = int64[::1], float64[::1], uint64[::1], uint64[:, ::1], uint64[::1]
"""What is used as an index is unsigned: a signed one might be negative, and numba would ask each time."""


class Tables(NamedTuple):
    """The part of a pairwise form that a walk reads."""

    sizes: Places
    offsets: Places
    unary: Floats
    flat: Floats


class Desk(NamedTuple):
    """Room to work in: what each bee chose and holds at each step, whom it followed after each pass, and scratch."""

    chosen: Any
    held: Any
    follows: Any
    in_hand: Ints
    path: Places
    qualities: Floats
    normalised: Floats
    recruiters: Ints
    row: Places
    urn: Places
    values: Floats
    bases: Places


GIVEN, GIVEN_PLACES = (types.Array(kind, 1, "C", readonly=True) for kind in (float64, uint64))
TABLES = types.NamedTuple((GIVEN_PLACES, GIVEN_PLACES, GIVEN, GIVEN), Tables)
WALK = types.NamedTuple((*(GIVEN_PLACES,) * 6, GIVEN, GIVEN_PLACES), Walk)
DESK = types.NamedTuple(
    (GRID, GRID, int64[:, ::1], INTS, PLACES, FLOATS, FLOATS, INTS, PLACES, PLACES, FLOATS, PLACES), Desk
)
RULES = types.NamedTuple(
    (int64, int64, float64, int64, int64, boolean, boolean, boolean, float64, float64, float64), ColonyRules
)


def unsigned(parts: Any) -> Any:
    """Give arrays as the kernel takes them: contiguous, whole numbers unsigned (the same memory, where it can be).

    And read-only, as they are anyway where another process has mapped them.
    """
    views = [
        part.view(np.uint64) if part.dtype == np.int64 else part.view() for part in map(np.ascontiguousarray, parts)
    ]
    for view in views:
        view.flags.writeable = False
    return views


def new_desk(walk: Walk, bees: int, most: int) -> Desk:
    """Make the room that a colony works in."""
    n = len(walk.order)
    return Desk(
        chosen=np.empty((n, bees), np.uint64),
        held=np.empty((n, bees), np.uint64),
        follows=np.empty((n, bees), np.int64),
        in_hand=np.empty(n, np.int64),
        path=np.empty(n, np.uint64),
        qualities=np.empty(bees),
        normalised=np.empty(bees),
        recruiters=np.empty(bees, np.int64),
        row=np.empty(bees, np.uint64),
        urn=np.empty(most, np.uint64),
        values=np.empty(most),
        bases=np.empty(n, np.uint64),
    )
