"""The state of a colony: what the next step continues from, wherever the last one paused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints, RngState


@dataclass
class Bees:
    """The bees of an iteration in numpy (`swarmkit_bees.iteration`)."""

    paths: Ints
    """The path of each bee, -1 where it has not been yet; when all stages are visited, the feasible paths."""
    qualities: Floats
    """The quality of each bee's path so far."""
    step: int
    """The number of stages visited; 0 before the bees leave the hive."""
    passes: int
    """u: the number of forward passes so far."""
    scores: Floats
    """The scores of the first of the complete paths: the others are not scored yet."""


@dataclass(eq=False)
class Colony:
    """The state of a colony between two passes; either `workspace` or `bees` is used."""

    hive: int
    """The stage where the bees begin, one at each of its candidates; -1: they have none."""
    iterations: int
    """Complete iterations so far."""
    best: float
    """The best score of these."""
    rng_state: RngState
    """The kernel's random state; empty where there is no kernel."""
    workspace: dict[str, NDArray[Any]]
    """The memory of the compiled iterations, the fields of `kernel.Workspace`; empty where there is no kernel."""
    bees: Bees
    """The bees of the iterations in numpy; none where there is a kernel."""


def no_bees() -> Bees:
    """Return the bees before the first iteration."""
    return Bees(np.empty((0, 0), np.int64), np.empty(0), step=0, passes=0, scores=np.empty(0))
