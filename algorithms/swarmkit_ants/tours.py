"""The colony on a travelling salesman's problem: the trail lies between each city and its nearest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from swarmkit import GRAIN, Found, Problem, Tour, local_search
from swarmkit.compiled import (
    Rules,
    Walked,
    Ways,
    focus_tours,
    kernel_words,
    lay_trail,
    renew_tours,
    teach_ways,
    walk_tours,
    weigh_ways,
)
from swarmkit_ants.formulas import branching, lowest_trail, nearness, worth
from swarmkit_ants.memory import RHO, STALE, Memory

CONVERGED = 2.1
"""Ways alive in a city at which a trail has converged: a tour has two."""

OFTEN = 25
"""Without local search, the restart's best teaches every so many iterations [SH]."""

FOCUS = 2
"""Places in which an ant changes the best tour, where it is not said."""

PART, SMALLEST, LARGEST = 0.4, 10, 80
"""Share of the cities that an ant walks of a tour that it renews, within limits, where it is not said; ours."""

ROUNDABOUT = 0.06
"""Where a larger share of ways is shorter over a third city, leaving a city out costs too much to renew parts; ours."""

SLOW = 0.02
"""Share of the trail that evaporates, where it is not said, if ants renew parts of tours [SH]."""

HEAT = 0.1
"""Mean edges by which a tour may be longer than the source and still, now and then, become it; ours."""


@dataclass
class TourColony:
    """Trail τ and charm η^β of each city's nearest, the generator's words, the tours to remember, and a tour to change.

    Tours are rows of cities and scores are lengths below zero. `unit` is the length that trail is measured by.
    """

    words: NDArray[np.uint64]
    trail: NDArray[np.float64]
    charm: NDArray[np.float64]
    memory: Memory
    source: NDArray[np.int64]
    unit: float


def tour_of(problem: Problem) -> Tour | None:
    """Give the problem as a tour, if it is one and nothing is forbidden."""
    form = problem.pairwise()
    forbids = problem.overrides("allowed") or problem.overrides("feasible")
    return None if form is None or forbids else form.tour


def start(tour: Tour, params: Any, rng: Generator) -> TourColony:
    """Begin with all trails equal, and a first ant's tour as the measure and the one to change."""
    near = tour.nearest(params.candidates)
    charm = nearness(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1), params.beta)
    words, trail = kernel_words(rng), np.ones_like(charm)
    ways = Ways.of(near, trail, charm)
    weigh(ways, params)
    first = walk_tours(tour, ways, 1, Rules(greed=1.0), words)
    if params.variant == "acs":
        trail[:] = 1.0 / len(near)  # [DG]: 1 / (n · length of a greedy tour)
    return TourColony(words, trail, charm, Memory.of(len(near)), first.tours[0], float(first.lengths[0]))


def step(problem: Problem, params: Any, state: TourColony, rng: Generator) -> Found:
    """Make as many iterations as one grain is worth."""
    tour = tour_of(problem)
    assert tour is not None  # noqa: S101  (for the type checker: start has seen it)
    ways = Ways.of(tour.nearest(params.candidates), state.trail, state.charm)
    weigh(ways, params)
    looks, begun = 0, state.memory.iteration
    while looks < GRAIN:
        looks += iterate(problem, tour, params, ways, state, rng)
    memory = state.memory
    return Found(tour.solutions(memory.best), tour.constant + memory.score, looks, memory.iteration - begun)


def iterate(problem: Problem, tour: Tour, params: Any, ways: Ways, state: TourColony, rng: Generator) -> int:
    """Let the ants out once, update the trail, and start anew if all is stale; give the looks."""
    walked = let_out(problem, tour, params, ways, state, rng)
    best = int(walked.lengths.argmin())
    state.memory.note(walked.tours[best], -float(walked.lengths[best]))
    update(tour, params, ways, state, walked)
    if params.variant == "mmas" and stale(ways, state.memory, walking=len(walked.tours) > 1):
        ways.trail[:] = 1.0
        state.memory.restart()
        weigh(ways, params)
        state.source = walk_tours(tour, ways, 1, Rules(params.alpha), state.words).tours[0]
    return walked.looks


def renewed(tour: Tour, params: Any) -> int:
    """Give how many cities an ant walks at most that renews a part of a tour; 0: ants do otherwise."""
    if not tour.symmetric or params.variant != "mmas" or params.local_search != "none" or params.focus:
        return 0
    if params.part is not None:
        return int(params.part)
    return 0 if tour.roundabout > ROUNDABOUT else int(min(max(PART * len(tour.cost), SMALLEST), LARGEST))


def let_out(problem: Problem, tour: Tour, params: Any, ways: Ways, state: TourColony, rng: Generator) -> Walked:
    """Let the ants walk whole tours, or renew or change the source, and improve what they made."""
    two_opt = params.local_search == "2opt"
    places = (FOCUS if two_opt else 0) if params.focus is None else params.focus
    if places and tour.symmetric:
        walked = focus_tours(tour, ways, params.ants, places, state.words, state.source, improving=two_opt, heat=HEAT)
    elif part := renewed(tour, params):
        walked = renew_tours(tour, ways, params.ants, part, state.words, state.source)
        state.source = walked.tours[0]  # longer or not: what the trail learns from is what the next ants renew
    else:
        acs = params.variant == "acs"
        rules = Rules(params.alpha, params.greed, params.wear, 1.0 / len(tour.cost)) if acs else Rules(params.alpha)
        walked = walk_tours(tour, ways, params.ants, rules, state.words)
    if params.local_search == "none" or (places and two_opt):
        return walked
    improved = local_search(problem, tour.solutions(walked.tours), params.local_search, rng)
    return Walked(tour.tours(improved.solutions), tour.constant - improved.scores, walked.looks + improved.looks)


def update(tour: Tour, params: Any, ways: Ways, state: TourColony, walked: Walked) -> None:
    """Let trail evaporate, and those who may lay theirs; give every way its new weight."""
    memory, rho = state.memory, params.rho or (SLOW if renewed(tour, params) else RHO)
    if params.variant == "mmas":  # [SH]: one teacher, and trails have limits
        best = int(walked.lengths.argmin())
        often = OFTEN if params.local_search == "none" else None
        way, score = memory.teacher(walked.tours[best], -float(walked.lengths[best]), often)
        teach_ways(tour, ways, way, rho, rho * worth(-score, -memory.score), params.alpha, *limits(ways, params))
        return
    if params.variant == "acs":  # [DG]: only the best tour's edges change
        lay_trail(tour, ways, memory.best, 1.0 - rho, rho * worth(-memory.score, state.unit))
    else:  # [DM]: every ant lays trail
        ways.trail[:] *= 1.0 - rho
        for way, length in zip(walked.tours, walked.lengths, strict=True):
            lay_trail(tour, ways, way, 1.0, rho / params.ants * worth(float(length), state.unit))
    weigh(ways, params)


def weigh(ways: Ways, params: Any) -> None:
    """Give every way its weight."""
    weigh_ways(ways, params.alpha, *limits(ways, params))


def limits(ways: Ways, params: Any) -> tuple[float, float]:
    """Give the least and the most that a trail may be: in MAX-MIN ant system there are limits [SH]."""
    n, k = ways.near.shape
    return (lowest_trail(n, 1 + k / 2, params.p_best), 1.0) if params.variant == "mmas" else (0.0, np.inf)


def stale(ways: Ways, memory: Memory, *, walking: bool) -> bool:
    """Tell whether the ants have found nothing for long; those that walk whole tours: and all walk the same ways."""
    waited = memory.iteration - memory.improved
    return waited > STALE and (not walking or (waited % 50 == 0 and branching(ways.trail) < CONVERGED))
