"""Steps of a solver without a run around them, as many in one call as take a short time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from numpy.random import Generator

from swarmkit import NO_STEP, Problem, Solver, StepResult, take_steps

SECONDS = 0.005
"""The CPU time of a call, about."""

GROWTH = 8
"""At most this many times the steps of the last call."""


def totals(
    problem: Problem, solver: Solver[Any], state: Any, rng: Generator, seconds: float = SECONDS
) -> Iterator[StepResult]:
    """Make steps until the solver is done; yield the sum of all results so far after each call.

    Args:
        problem: the problem.
        solver: the solver, prepared.
        state: what its `start` returned.
        rng: the generator.
        seconds: the CPU time of a call.
    """
    total, count = NO_STEP, 1
    while not total.done:
        begun = time.process_time()
        total = total.plus(take_steps(solver, problem, state, rng, count))
        spent = time.process_time() - begun
        yield total
        count = max(1, min(GROWTH * count, int(count * seconds / max(spent, 1e-7))))
