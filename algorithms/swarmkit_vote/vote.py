"""Many runs of a solver vote, stage by stage (Schwab et al. 2012): `vote`.

Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts: comparison and evaluation. COLING.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field, field_validator

from swarmkit import Found, Problem, Settings, Solver, construct, evaluate, judge, make_solver

Ints = NDArray[np.int64]


@dataclass
class Ballot:
    """The answers of the runs so far, one a row, and how many runs there were (one may find no answer)."""

    answers: Ints
    runs: int


class Vote(Solver[Ballot]):
    """Run a solver many times; at each stage take the candidate that most of the runs chose.

    The answer is there when all runs have voted: a vote is not the best-scoring answer of the runs, and a part of a
    vote is not a vote. A budget that ends it earlier leaves it without one.
    """

    reference = "Schwab et al. 2012, Ant colony algorithm for the unsupervised WSD of texts, COLING"

    class Params(Settings):
        """Who votes."""

        solver: str = "dbees"
        """The solver that is run."""
        params: Annotated[dict[str, Any], Field(default_factory=dict)]
        """Its parameters."""
        runs: Annotated[int, Field(ge=1)] = 10
        """Number of runs; each has a vote."""
        looks: Annotated[int, Field(ge=1)] = 100_000
        """Each run ends when its solver is done, or after so many looks."""

        @field_validator("solver")
        @classmethod
        def _another(cls, name: str) -> str:
            if name == "vote":
                raise ValueError("a vote of votes is not offered: give more runs")
            return name

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse permutations, and what the voters refuse."""
        if problem.distinct:
            return "its stages must take different candidates, and a vote at each stage would take some twice"
        reason = self._voter().refuses(problem)
        return f"its voter '{self.params.solver}' cannot do it: {reason}" if reason else None

    def prepare(self, problem: Problem) -> None:
        """Prepare the voters."""
        self._voter().prepare(problem)

    def start(self, problem: Problem, rng: Generator) -> Ballot:
        """Nobody has voted yet."""
        return Ballot(np.empty((0, len(problem.sizes)), np.int64), runs=0)

    def step(self, problem: Problem, state: Ballot, rng: Generator) -> Found:
        """Make one run; after the last one, count."""
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
    """The best of one run (None if it met nothing feasible) and its looks."""

    solution: Ints | None
    looks: int


def one_run(problem: Problem, solver: Solver[Any], limit: int, rng: Generator) -> OneRun:
    """Run a solver until it is done or has had its looks."""
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


def elected(problem: Problem, answers: Ints) -> Ints:
    """Give the solution that the answers elect.

    What constraints rule out beside what is elected already is passed over. Where that ends in a dead end, the answer
    that has most votes in common with the others is taken whole.
    """
    votes = [np.bincount(column, minlength=int(size)) for column, size in zip(answers.T, problem.sizes, strict=True)]
    X = construct(problem, 1, lambda _, stage, allowed: np.where(allowed, votes[stage], -1).argmax(axis=1))
    if len(X):
        return np.asarray(X[0])
    support = sum(votes[stage][answers[:, stage]] for stage in range(answers.shape[1]))
    return np.asarray(answers[np.argmax(support)])
