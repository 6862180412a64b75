"""Runs by CPU time, and the store in which they are kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit


class Outcome(NamedTuple):
    """What a run has found, and what it took."""

    score: float | None
    seconds: float
    looks: int


def run(problem: swarmkit.Problem, solver: swarmkit.Solver[Any], seed: int, seconds: float) -> Outcome:
    """Run a solver for some CPU seconds, those of its processes included; compiling is not counted, choosing is.

    Args:
        problem: the problem.
        solver: the solver.
        seed: the seed of the run.
        seconds: the limit.
    """
    result = swarmkit.solve(problem, solver, seed=seed, cpu_seconds=seconds)
    return Outcome(result.score, result.cpu_seconds or 0.0, result.looks)


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
