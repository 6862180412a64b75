"""Runs by process CPU time, and the store in which they are kept."""

from __future__ import annotations

import resource
import sqlite3
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit.contract.searched import searched_problem

SLACK = 0.05
"""Seconds by which a step may exceed the limit; what a longer one finds does not count."""


class Outcome(NamedTuple):
    """What a run has found, and what it took."""

    score: float | None
    seconds: float
    looks: int


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run(problem: swarmkit.Problem, solver: swarmkit.Solver[Any], seed: int, seconds: float) -> Outcome:
    """Run a solver for some CPU seconds; compiling is not counted, choosing is.

    Args:
        problem: the problem.
        solver: the solver.
        seed: the seed of the run.
        seconds: the limit.
    """
    problem = searched_problem(problem)
    _ = problem.fingerprint  # as before every run: it times an evaluation
    solver.prepare(problem)
    rng = np.random.Generator(np.random.PCG64(seed))
    best, spent, looks, pace = None, 0.0, 0, 2000
    begun = cpu()
    try:
        state = solver.start(problem, rng)
        while spent < seconds:
            before = spent
            found = solver.advance(problem, state, rng, swarmkit.Left(looks=pace))
            spent = cpu() - begun
            if spent > seconds + SLACK:
                break
            looks += found.looks
            if found.score is not None and (best is None or found.score > best):
                x = np.asarray(found.solution)[None]
                if swarmkit.judge(problem, x)[0]:
                    best = float(swarmkit.evaluate(problem, x)[0])
            if found.looks:
                pace = max(1, min(swarmkit.GRAIN, int(found.looks / max(spent - before, 1e-6) * 0.02)))
            if found.done:
                break
    finally:
        solver.stop()
    return Outcome(best, spent, looks)


class RunStore:
    """A file of runs: what is in it is not run again."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)
        with self.connection:
            self.connection.execute(
                "create table if not exists runs (family text, instance text, solver text, seed int, budget real, "
                "score real, seconds real, looks int, primary key (instance, solver, seed, budget))"
            )

    def has(self, instance: str, solver: str, seed: int, budget: float) -> bool:
        """Whether a run is in the store."""
        where = "select 1 from runs where instance = ? and solver = ? and seed = ? and budget = ?"
        return self.connection.execute(where, (instance, solver, seed, budget)).fetchone() is not None

    def add(self, family: str, key: tuple[str, str, int, float], outcome: Outcome) -> None:
        """Keep a run."""
        with self.connection:
            self.connection.execute("insert into runs values (?, ?, ?, ?, ?, ?, ?, ?)", (family, *key, *outcome))

    def forget(self, solver: str) -> None:
        """Remove the runs of a solver, which has changed since."""
        with self.connection:
            self.connection.execute("delete from runs where solver = ?", (solver,))

    def scores(self, budget: float) -> dict[str, dict[str, dict[int, float]]]:
        """Return the scores of a budget by instance, solver and seed; minus infinity without a solution."""
        found: dict[str, dict[str, dict[int, float]]] = {}
        rows = "select instance, solver, seed, score from runs where budget = ?"
        for instance, solver, seed, score in self.connection.execute(rows, (budget,)):
            found.setdefault(instance, {}).setdefault(solver, {})[seed] = -np.inf if score is None else score
        return found
