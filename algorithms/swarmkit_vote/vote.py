"""Majority vote of several runs of a solver, stage by stage (Schwab et al. 2012): `vote`.

Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts: comparison and evaluation. COLING.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.random import Generator
from pydantic import Field, field_validator

from swarmkit import Found, Problem, Settings, Solutions, Solver, construct, evaluate, judge, make_solver


@dataclass
class Votes:
    """The votes so far."""

    answers: Solutions
    """The solutions of the runs, one per row."""
    runs: int
    """The number of runs, including those that found no feasible solution."""


class Vote(Solver[Votes]):
    """Run a solver several times; at each stage take the candidate that most of the runs chose.

    The result is the vote of all runs, not the best of their solutions, so there is none before the last run: a budget
    that ends earlier leaves it without a solution.
    """

    reference = "Schwab et al. 2012, Ant colony algorithm for the unsupervised WSD of texts, COLING"

    class Params(Settings):
        """The runs that vote."""

        solver: str = "dbees"
        """The solver that is run."""
        params: Annotated[dict[str, Any], Field(default_factory=dict)]
        """Its parameters."""
        runs: Annotated[int, Field(ge=1)] = 10
        """Number of runs; each has one vote."""
        looks: Annotated[int, Field(ge=1)] = 100_000
        """Limit on the looks of each run; it also ends when its solver is done."""

        @field_validator("solver")
        @classmethod
        def _not_itself(cls, name: str) -> str:
            if name == "vote":
                raise ValueError("a vote of votes is not offered: use more runs")
            return name

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse permutations, and what the voting solver refuses."""
        if problem.structure.distinct:
            return "its stages must take different candidates, and a vote at each stage would take some twice"
        reason = self._voter().refuses(problem)
        return f"its voter '{self.params.solver}' cannot do it: {reason}" if reason else None

    def prepare(self, problem: Problem) -> None:
        """Prepare the voting solver."""
        self._voter().prepare(problem)

    def start(self, problem: Problem, rng: Generator) -> Votes:
        """Return an empty list of votes."""
        return Votes(np.empty((0, len(problem.sizes)), np.int64), runs=0)

    def step(self, problem: Problem, state: Votes, rng: Generator) -> Found:
        """Make one run; after the last one, count the votes."""
        voter = self._voter()
        run = one_run(problem, voter, self.params.looks, rng)
        state.runs += 1
        if run.solution is not None:
            state.answers = np.vstack([state.answers, run.solution])
        done = state.runs >= self.params.runs
        if not done or not len(state.answers):
            return Found(None, None, run.looks, done=done)
        x = elected(problem, state.answers)
        score = float(evaluate(problem, x[None])[0])
        return Found(x, score, run.looks + len(problem.sizes), done=True)

    def _voter(self) -> Solver[Any]:
        return make_solver(self.params.solver, **self.params.params)


class OneRun(NamedTuple):
    """The outcome of one run."""

    solution: Solutions | None
    """The best solution; None if it found no feasible one."""
    looks: int


def one_run(problem: Problem, solver: Solver[Any], limit: int, rng: Generator) -> OneRun:
    """Run a solver until it is done, or has made `limit` looks."""
    best, highest, looks, done = None, -np.inf, 0, False
    state = solver.start(problem, rng)
    while not done and looks < limit:
        found = solver.step(problem, state, rng)
        looks, done = looks + found.looks, found.done
        if found.solution is not None and found.score is not None and found.score > highest:
            x = np.array(found.solution, np.int64)
            if judge(problem, x[None])[0]:
                best, highest = x, found.score
    return OneRun(best, looks)


def elected(problem: Problem, answers: Solutions) -> Solutions:
    """Return the solution that has, at each stage, the candidate with the most votes.

    Candidates that constraints exclude beside those elected already are skipped. If that ends in a dead end, the answer
    whose candidates have the most votes in total is returned.

    Args:
        problem: the problem.
        answers: the solutions of the runs, one per row.
    """
    votes = [np.bincount(column, minlength=int(size)) for column, size in zip(answers.T, problem.sizes, strict=True)]
    X = construct(problem, 1, lambda _, stage, allowed: np.where(allowed, votes[stage], -1).argmax(axis=1))
    if len(X):
        return np.asarray(X[0])
    support = sum(votes[stage][answers[:, stage]] for stage in range(answers.shape[1]))
    return np.asarray(answers[np.argmax(support)])
