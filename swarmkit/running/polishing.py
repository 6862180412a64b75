"""Polishing: a local search on the answer of a run, within the run's limits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import cast

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.searched import restrict
from swarmkit.contract.solver import GRAIN, Left
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import evaluate
from swarmkit.running.claims import Claims, whole_trace
from swarmkit.running.pacing import Pace
from swarmkit.search.compilation import warm_up
from swarmkit.search.local_search import Kind, compiled, start_climb

POLISH = 0x706F6C697368
"""Seeds the generator of polishing, together with the run's seed: polishing does not draw from the run's generator."""

RESERVE = 0.1
"""The share of each limit that the search leaves for polishing: a climb from a good solution is short."""


def search_budget(spec: Spec) -> Budget:
    """Return the limits of the search: those of the run, less what is kept for polishing if that is asked for."""
    limits = spec.budget
    if spec.polish == "none":
        return limits
    kept = {}
    for name in ("looks", "evaluations"):
        whole = getattr(limits, name)
        kept[name] = None if whole is None else max(1, whole - math.ceil(RESERVE * whole))
    kept["seconds"] = None if limits.seconds is None else (1.0 - RESERVE) * limits.seconds
    return limits.model_copy(update=kept)


def polishing_budget(spec: Spec) -> Budget:
    """Return the limits that end polishing: what the run may use in all, however its search has ended."""
    limits = spec.budget
    return Budget(seconds=limits.seconds, looks=limits.looks, evaluations=limits.evaluations)


def prepare_polishing(problem: Problem, spec: Spec) -> None:
    """Load what polishing will need, if it is asked for; its time counts as set-up."""
    x = np.zeros((1, len(problem.sizes)), np.int64)
    if spec.polish == "none" or len(problem.sizes) == 0 or not compiled(problem, x, cast(Kind, spec.polish)):
        return
    from swarmkit.kernels import icm, scoring, swap_gains, tour_moves

    warm_up(problem, icm, scoring, swap_gains, tour_moves)


class Polishing:
    """A climb from the answer of a run, which may pause.

    Args:
        problem: the problem of the run.
        x: the answer, which is not changed.
        spec: what is run; its seed and its kind of polishing are used here.
    """

    def __init__(self, problem: Problem, x: Solutions, spec: Spec) -> None:
        self._problem = problem
        self._rng = np.random.Generator(np.random.PCG64([spec.seed, POLISH]))
        self._climb = start_climb(problem, x[None], cast(Kind, spec.polish), self._rng)
        self.looks = 0
        """The looks so far."""

    @property
    def finished(self) -> bool:
        """Whether the answer is a local optimum."""
        return self._climb.finished

    def go_on(self, left: Left) -> int:
        """Climb until nothing improves, or what is left is used up; return the looks."""
        looks = self._climb.go_on(self._problem, self._rng, left)
        self.looks += looks
        return looks

    def found(self) -> tuple[Solutions, float]:
        """Return what the answer has become, and its score."""
        found = self._climb.found(self._problem)
        return found or (self._climb.X[0], float(evaluate(self._problem, self._climb.X)[0]))


def polish_answer(
    claims: Claims, spec: Spec, progress: Progress, looks: int | None, interrupted: Callable[[], bool]
) -> int:
    """Improve the incumbent by local search until a limit of the run is reached, and return the looks.

    Args:
        claims: what records solutions.
        spec: what is run.
        progress: the progress, which is changed in place.
        looks: polish for this number of looks instead: a replay.
        interrupted: whether Ctrl-C was pressed.
    """
    begun = time.perf_counter() - progress.seconds
    if progress.best is None or looks == 0:
        return 0
    progress.trace = whole_trace(progress)
    pace = Pace(GRAIN // 100)  # that of the search may be much faster
    answer = restrict(claims.searched, progress.best[None])[0]
    polishing, limits = Polishing(claims.searched, answer, spec), polishing_budget(spec)
    while not polishing.finished and not interrupted():
        if limits.spent(progress) if looks is None else polishing.looks >= looks:
            break
        room = pace.left_of(limits, progress) if looks is None else Left(min(looks - polishing.looks, pace.looks))
        before = time.perf_counter()
        with claims.counting(progress):
            used = polishing.go_on(room)
            progress.reported_looks += used
        progress.seconds = time.perf_counter() - begun
        pace.measure(used, time.perf_counter() - before)
    if polishing.looks == 0:  # there was nothing left for it
        return 0
    with claims.counting(progress):
        claims.claim_found(progress, *polishing.found())
        better = claims.accept(progress)
    if better and progress.score is not None:
        progress.trace.add(progress, progress.score)
    return polishing.looks
