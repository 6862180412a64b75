"""Majority vote of several runs of a solver, stage by stage (Schwab et al. 2012): `vote`.

Schwab, D., Goulian, J., Tchechmedjiev, A. and Blanchon, H. 2012. Ant colony algorithm for the unsupervised word sense
disambiguation of texts: comparison and evaluation. COLING.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field, field_validator

from swarmkit import (
    NO_STEP,
    Composite,
    Floats,
    Problem,
    Settings,
    Solutions,
    Solver,
    StepPlan,
    StepResult,
    construct,
    evaluate,
    judge,
    make_solver,
    pick_best,
    take_steps,
)


@dataclass
class Votes:
    """The votes so far."""

    answers: Solutions
    """The solutions of the runs, one per row."""
    runs: int
    """The number of runs that have ended, including those without a feasible solution."""
    active: bool
    """Whether a run is in progress."""
    state: Any
    """The state of the solver in this run."""
    looks: int
    """The looks of this run."""
    best: Solutions | None
    """The best solution of this run; None before a feasible one."""
    score: float
    start: Solutions
    """Solutions that every run begins with, and their scores."""
    start_scores: Floats
    plan: StepPlan
    """The steps before it is looked at whether this run ends."""


class Vote(Composite[Votes]):
    """Run a solver several times; at each stage take the candidate that most of the runs chose.

    The result is the vote of all runs, not the best of their solutions, so there is none before the last run: a budget
    that ends earlier leaves it without a solution, or where nothing but the score is known with the best row scored.
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
        reason = self._voter.refuses(problem)
        return f"its voter '{self.params.solver}' cannot do it: {reason}" if reason else None

    @property
    def inner(self) -> Sequence[Solver[Any]]:
        """The voting solver."""
        return (self._voter,)

    def prepare(self, problem: Problem) -> None:
        """Prepare the voting solver."""
        self._voter.prepare(problem)

    def start(self, problem: Problem, rng: Generator) -> Votes:
        """Return an empty list of votes."""
        empty = np.empty((0, len(problem.sizes)), np.int64)
        return Votes(empty, 0, False, None, 0, None, -np.inf, empty.copy(), np.empty(0), StepPlan())

    def snapshot(self, state: Votes) -> Sequence[Mapping[str, Any]]:
        """Return what the voting solver shows, or between two runs the answers so far; and the number of runs."""
        moments = self._voter.snapshot(state.state) if state.active else {"solutions": state.answers}
        return self.add_values(moments, runs=state.runs)

    def inject(self, problem: Problem, state: Votes, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Keep the given solutions for the runs that are to come."""
        state.start, state.start_scores = np.array(X, np.int64), np.array(scores, np.float64)
        return 0

    def steps(self, problem: Problem, state: Votes, rng: Generator, count: int) -> StepResult:
        """Go on with runs, each up to its looks; after the last one, count the votes. A run is one iteration.

        Where a run ends depends on its plans, never on `count`.
        """
        total = NO_STEP
        while count > 0 and not total.done:
            if not state.active:
                self._begin(problem, state, rng)
            if state.plan.left <= 0:  # plans end by looks alone: steps in one call or several make the same runs
                state.plan.begin(self.params.looks - state.looks)
            steps = min(count, state.plan.left)
            result = take_steps(self._voter, problem, state.state, rng, steps)
            count -= result.steps
            complete = state.plan.book(result.steps, result.looks, result.done)
            _note(problem, state, result)
            at_end = result.done or (complete and state.looks >= self.params.looks)
            piece = self._end(problem, state, rng) if at_end else NO_STEP
            total = total.plus(piece._replace(looks=piece.looks + result.looks, steps=result.steps))
            if result.looks == 0:  # the voter waits for a process
                break
        return total

    def _begin(self, problem: Problem, state: Votes, rng: Generator) -> None:
        """Begin a run, with the solutions that the vote was started with."""
        state.state, state.active, state.plan = self._voter.start(problem, rng), True, StepPlan()
        state.looks, state.best, state.score = 0, None, -np.inf
        if len(state.start):
            state.looks += self._voter.inject(problem, state.state, state.start, state.start_scores, rng)

    def _end(self, problem: Problem, state: Votes, rng: Generator) -> StepResult:
        """End a run; after the last one, return the solution that the runs elect."""
        state.runs, state.active, state.state = state.runs + 1, False, None
        if state.best is not None:
            state.answers = np.vstack([state.answers, state.best])
        done = state.runs >= self.params.runs
        if not done or not len(state.answers):
            return StepResult(None, None, 0, done=done)
        x = elect(problem, state.answers, rng)
        return StepResult(x, float(evaluate(problem, x[None])[0]), len(problem.sizes), done=True)

    @cached_property
    def _voter(self) -> Solver[Any]:
        return make_solver(self.params.solver, **self.params.params)


def _note(problem: Problem, state: Votes, result: StepResult) -> None:
    """Book the looks of a step, and keep its solution if it is feasible and the best of this run."""
    state.looks += result.looks
    if result.solution is not None and result.score is not None and result.score > state.score:
        x = np.array(result.solution, np.int64)
        if judge(problem, x[None])[0]:  # voters may report what constraints exclude: it has no vote
            state.best, state.score = x, result.score


def elect(problem: Problem, answers: Solutions, rng: Generator) -> Solutions:
    """Return the solution that has, at each stage, the candidate with the most votes, of equals a random one.

    Candidates that constraints exclude beside those of earlier stages are skipped. If that ends in a dead end, the
    answer whose candidates have the most votes in total is returned.

    Args:
        problem: the problem.
        answers: the solutions of the runs, one per row.
        rng: breaks ties.
    """
    # A row for each stage: how many answers chose each of its candidates.
    votes = [np.bincount(column, minlength=int(size)) for column, size in zip(answers.T, problem.sizes, strict=True)]
    X = construct(
        problem, 1, lambda _, stage, allowed: pick_best(np.broadcast_to(votes[stage], allowed.shape), allowed, rng)
    )
    if len(X):
        return np.asarray(X[0])
    support = sum(votes[stage][answers[:, stage]] for stage in range(answers.shape[1]))
    return np.asarray(answers[np.argmax(support)])
