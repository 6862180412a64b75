"""The phases of the search that learns which stages interact, and what its modules share."""

from __future__ import annotations

import numpy as np

from swarmkit import Ints, Problem

SWEEP, SINGLE, NEAR, SPLIT, CLIMB, TABLES, KICK, DONE = range(8)
"""The phases."""

ROWS = 64
"""Rows of a call of `score`, where the rows do not depend on each other."""

NOTHING = np.empty(0, np.int64)
"""No stages."""


def first_slots(problem: Problem) -> Ints:
    """Return the first slot of each stage."""
    sizes = np.asarray(problem.sizes, np.int64)
    return np.asarray(np.cumsum(sizes) - sizes)
