"""What the annealing kernels take together."""

from __future__ import annotations

from typing import NamedTuple

from numba import types

from swarmkit import Floats, Ints
from swarmkit.kernels.compiling import BOOL, FLOAT, FLOATS, INT, INTS
from swarmkit_annealing.schedule import Schedule


class Incumbent(NamedTuple):
    """The best solution (or tour) met, and two scores: of the current solution and of the best."""

    best: Ints
    scores: Floats


class Trace(NamedTuple):
    """What a kernel records; `scores` and `accepted` have room for every sweep that may end in the call."""

    progress: Ints
    """Proposals made in the sweep under way, and how many of them changed the score; kept between calls."""
    scores: Floats
    """The score at the end of each sweep."""
    accepted: Floats
    """The fraction of each sweep's proposals that changed the score."""


INCUMBENT = types.NamedTuple((INTS, FLOATS), Incumbent)
SCHEDULE = types.NamedTuple((FLOATS, INT, INT, BOOL, FLOAT), Schedule)
TRACE = types.NamedTuple((INTS, FLOATS, FLOATS), Trace)
