"""The beginning of a run: the solver's first state, and the solutions that it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.searched import restrict
from swarmkit.contract.solver import Found, Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import evaluate
from swarmkit.running.claims import Claims, add_to_trace


def start_run(
    solver: Solver[Any], searched: Problem, claims: Claims, spec: Spec, rng: Generator, progress: Progress
) -> Any:
    """Start a solver and return its state; None if there is nothing to search for.

    Args:
        solver: the solver.
        searched: the problem that it sees.
        claims: what records solutions.
        spec: what is run; it may have solutions to begin with.
        rng: the generator of the run.
        progress: the progress, which is changed in place.
    """
    if all(size == 1 for size in searched.sizes):
        # There is only one solution (the empty one of an empty problem), so there is nothing to search for.
        only = np.zeros((1, len(searched.sizes)), np.int64)
        score = float(evaluate(searched, only)[0])
        claims.record(progress, Found(only[0], score, looks=0, iterations=0, done=True), solver)
        claims.claim_found(progress, only[0], score)
        claims.accept(progress)
        progress.bound = claims.tightest_bound(progress, score)
        add_to_trace(progress)
        return None
    with claims.counting(progress):
        state = solver.start(searched, rng)
        if spec.start:
            X = np.array(spec.start, np.int64)
            scores = claims.take(progress, X)
            looks = solver.inject(searched, state, restrict(searched, X), scores, rng)
            progress.reported_looks += X.size + int(looks)
    add_to_trace(progress)
    progress.row, progress.row_score = searched.meter.best
    return state
