"""Polishing: a local search on the answer of a run, within the run's limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import cast

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.meter import StepCut
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import restrict
from swarmkit.contract.spec import Spec
from swarmkit.running.interrupts import interrupts
from swarmkit.running.metering import Incumbent, Metering
from swarmkit.search.local_search import Kind, start_climb, uses_kernel
from swarmkit.search.tables import warm_up
from swarmkit.stopping import Criterion, reason_to_stop

POLISH = 0x706F6C697368
"""Seeds the generator of polishing, together with the run's seed: polishing does not draw from the run's generator."""

RESERVE = 0.1
"""The share of each limit that the search leaves for polishing: a climb from a good solution is short."""


def search_budget(spec: Spec) -> Budget:
    """Return the limits of the search: those of the run, less what is kept for polishing if that is asked for."""
    limits = spec.budget
    if spec.polish == "none":
        return limits
    reserves = {rule.name: _less_reserve(rule) for rule in limits.criteria() if rule.reserve}
    return limits.model_copy(update=reserves)


def _less_reserve(rule: Criterion) -> float:
    """Return a limit without the share for polishing; a whole number from 1 if it is one."""
    if rule.number is int:
        return max(1, int(rule.limit) - math.ceil(RESERVE * rule.limit))
    return (1.0 - RESERVE) * rule.limit


def polishing_budget(spec: Spec) -> Budget:
    """Return the limits that end polishing: what the run may use in all, however its search has ended."""
    return Budget.model_validate({rule.name: rule.limit for rule in spec.budget.criteria() if rule.reserve})


def prepare_polishing(problem: Problem, spec: Spec) -> None:
    """Load what polishing will need, if it is asked for; its time counts as set-up."""
    x = np.zeros((1, len(problem.sizes)), np.int64)
    if spec.polish == "none" or len(problem.sizes) == 0 or not uses_kernel(problem, x, cast(Kind, spec.polish)):
        return
    from swarmkit.kernels import icm, scoring, swap_gains, tour_moves

    warm_up(problem, icm, scoring, swap_gains, tour_moves)


def polish(
    metering: Metering,
    incumbent: Incumbent,
    spec: Spec,
    looks: int | None,
    measure_time: Callable[[], None],
) -> int:
    """Improve the incumbent by local search until a limit of the run is reached, and return the looks.

    Args:
        metering: what scores rows; its progress is changed in place.
        incumbent: what records solutions.
        spec: what is run; its seed and its kind of polishing are used here.
        looks: polish for this number of looks instead: a replay.
        measure_time: sets the seconds of the progress.
    """
    progress = metering.progress
    if spec.polish == "none" or progress.best is None or looks == 0 or interrupts.count:
        return 0
    # The search ends here in the trace; what polishing adds is a point of its own.
    progress.trace = progress.whole_trace()
    begin, before = progress.looks, progress.score
    limits = polishing_budget(spec) if looks is None else Budget(looks=begin + looks)
    rules, problem = limits.criteria(), incumbent.view
    # Its own generator: the search is the same with and without polishing.
    rng = np.random.Generator(np.random.PCG64([spec.seed, POLISH]))
    with metering.aside(limits), suppress(StepCut):
        climb = start_climb(problem, restrict(problem, progress.best[None]), cast(Kind, spec.polish), rng)
        while not climb.finished and not interrupts.count and not reason_to_stop(rules, progress):
            piece = climb.step(problem, rng)
            if limits.looks is not None and progress.reported_looks + piece > limits.looks:
                break  # a piece that exceeds the limit is not used
            progress.count(looks=piece)
            measure_time()
            best = climb.best(problem)
            if best is not None:
                incumbent.claim(progress, *best)
        incumbent.accept(progress)
    if progress.score is not None and (before is None or progress.score > before):
        progress.trace.add(progress, progress.score)
    return progress.looks - begin
