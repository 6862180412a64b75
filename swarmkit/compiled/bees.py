"""Bee colonies on tables: the door to the compiled iterations, for the solvers that run them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from swarmkit.compiled.routes import Walk, walk_along
from swarmkit.pairwise import Pairwise
from swarmkit.problem import Solutions

Normalise = Literal["max", "min-max", "raw"]


class ColonyRules(NamedTuple):
    """How a colony forages."""

    moves: int
    """Moves per forward pass (NC)."""
    recruiters: int
    """So many of the best bees recruit; 0: every loyal bee does."""
    theta: float = 0.0
    """Stop trying candidates at one that adds this much per neighbour."""
    tries: int = 0
    """Most candidates tried per move; 0: all are looked at, and one is drawn in proportion to what it adds."""
    normalise: Normalise = "max"
    first_on_ties: bool = False
    """Among equals take the first candidate, not any."""
    take_quality: bool = True
    """A bee that follows takes over the quality along with the path."""
    reset_passes: bool = True
    """Count the passes from 0 in each iteration."""
    tolerance: float = -np.inf
    """End after an iteration that betters the best by no more than this."""
    beta: float = -np.inf
    """End after an iteration whose best quality is at most this."""
    sharpness: float = 8.0
    """Where every candidate costs something, one is drawn in proportion to 1 / cost to this power."""


class Flight(NamedTuple):
    """What some iterations gave: the best path and its score, what they cost, and whether the colony has ended."""

    solution: Solutions | None
    score: float
    looks: int
    iterations: int
    passes: int
    ended: bool


def load_colony() -> None:
    """Load (the first time: compile) the kernel, and call it once: numba's first look at arguments takes longest."""
    form = Pairwise.of([2], unary=[0.0, 0.0])
    fly(form, np.array([0]), np.array([0]), ColonyRules(1, 1), 1, np.ones(4, np.uint64))


def fly(
    form: Pairwise,
    order: Solutions,
    hive: Solutions,
    rules: ColonyRules,
    iterations: int,
    words: NDArray[Any],
    *,
    passes: int = 0,
    record: float = -np.inf,
) -> Flight:
    """Make iterations of a colony on tables without constraints, one bee per entry of `hive`.

    `order` is the walk; `hive` holds the bees' candidates at its first stage, or -1 for bees that choose there too.
    `passes` and `record` (the best score so far) are carried from flight to flight.
    """
    from swarmkit.kernels import colony, desk

    best = np.zeros(len(order), np.int64)
    walk = walk_along(form, order)
    flat = form.flat if len(form.flat) else np.zeros(1)  # a step without half-edges reads one entry, times 0
    score, looks, made, passes, ended = colony.fly(
        desk.Tables(*desk.unsigned((form.sizes, form.offsets, form.unary, flat))),
        Walk(*desk.unsigned(walk)),
        desk.new_desk(walk, len(hive), int(form.sizes.max())),
        _coded(rules),
        np.asarray(hive, np.int64),
        iterations,
        passes,
        record,
        words,
        best,
    )
    return Flight(best, score, looks, made, passes, ended)


def _coded(rules: ColonyRules) -> Any:
    """Write the rules as the kernel reads them: numbers only."""
    how: Any = get_args(Normalise).index(rules.normalise)
    return rules._replace(normalise=how)
