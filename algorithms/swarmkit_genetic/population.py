"""What the genetic algorithms share: a population, its fittest solution, and children that climb to local optima.

Moscato, P. 1989. On evolution, search, optimization, genetic algorithms and martial arts. Caltech: memetic algorithms.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, RngState, Solutions, Solver, StepResult, judge
from swarmkit.search import Climb, Credit, neighbourhood_of, start_climb

FRAME_ROWS = 20
"""Chromosomes of a population in a frame of a recording."""


@dataclass
class Population:
    """A generation: one chromosome (a candidate per stage) a row, its fitness (the score), and random numbers."""

    X: Solutions
    scores: Floats
    """The score of each row; -inf before it is known."""
    rng_state: RngState
    """The state of the kernels' generator."""
    best: Solutions
    """The fittest chromosome of all generations."""
    best_score: float = -np.inf
    climb: Climb | None = None
    """The climb of the children of the next generation; None between generations, and without local search."""
    credit: Credit | None = None
    """Which kinds of mutations have made children better than their parents; None where there is but one kind."""
    kinds: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """The kind of each child's mutations, where there are several."""

    @classmethod
    def of(cls, X: Solutions, rng_state: RngState) -> Population:
        """Return a first generation of which nothing is scored."""
        return cls(X, np.full(len(X), -np.inf), rng_state, np.zeros(X.shape[1], np.int64))

    @property
    def new_rows(self) -> Ints:
        """The rows whose scores are not known."""
        return np.flatnonzero(np.isinf(self.scores))

    def record(self, X: Solutions, scores: Floats) -> None:
        """Keep the fittest of some solutions if it is fitter than any before."""
        i = int(scores.argmax())
        if scores[i] > self.best_score:
            self.best, self.best_score = X[i].copy(), float(scores[i])

    def result(self, looks: int, iterations: int, steps: int = 1) -> StepResult:
        """Return the fittest chromosome so far, with the looks and iterations of some steps."""
        feasible = self.best_score > -np.inf
        best, score = (self.best, self.best_score) if feasible else (None, None)
        return StepResult(best, score, looks, iterations, steps=steps)


class GeneticSolver(Solver[Population]):
    """A solver whose generations may be memetic: a step makes a generation, or lets its children climb a piece."""

    params: Any
    """Parameters with `local_search`: the kind of climb, or none."""

    @abstractmethod
    def score_first(self, problem: Problem, state: Population, rng: Generator) -> int:
        """Score what has no score yet; return the looks."""

    @abstractmethod
    def generate(self, problem: Problem, state: Population, rng: Generator, count: int) -> StepResult:
        """Make a generation without local search, or up to `count` of them."""

    @abstractmethod
    def breed(self, problem: Problem, state: Population, rng: Generator) -> Solutions:
        """Return the children of the next generation, before they climb."""

    @abstractmethod
    def replace(self, state: Population, children: Solutions, scores: Floats) -> None:
        """Let children replace solutions of the population."""

    def steps(self, problem: Problem, state: Population, rng: Generator, count: int) -> StepResult:
        """Make `count` steps: those of one climb at once, and generations of a kernel.

        Before the first generation its solutions are scored. With local search the children climb piece by piece, a
        step each, and replace solutions of the population when all are local optima.
        """
        looks = iterations = 0
        while count > 0:
            result = self._advance(problem, state, rng, count)
            looks, iterations, count = looks + result.looks, iterations + result.iterations, count - result.steps
        return state.result(looks, iterations, steps=0)  # all that were asked for

    def _advance(self, problem: Problem, state: Population, rng: Generator, count: int) -> StepResult:
        """Make up to `count` steps of the same kind."""
        if len(state.X) == 0 or len(state.new_rows):
            return state.result(self.score_first(problem, state, rng), iterations=0)
        if self.params.local_search == "none":
            return self.generate(problem, state, rng, count)
        if state.climb is None:
            children = self.breed(problem, state, rng)
            state.climb = start_climb(problem, children, self.params.local_search, rng)
        climb, pieces = state.climb, state.climb.pieces
        looks, best = climb.steps(problem, rng, count), climb.best(problem)
        if best is not None:
            state.record(best[0][None], np.array([best[1]]))
        if climb.finished:
            self.replace(state, climb.X, climb.scores)
            state.climb = None
        return state.result(looks, int(climb.finished), climb.pieces - pieces)

    def snapshot(self, state: Population) -> dict[str, Any]:
        """Return the fittest chromosomes, their scores, and the diversity: the share of stages in which two differ."""
        rows = np.flatnonzero(np.isfinite(state.scores))
        if len(rows) == 0:
            return {}
        X, scores = state.X[rows], state.scores[rows]
        fittest = np.argsort(-scores, kind="stable")[:FRAME_ROWS]
        # Each with the next row: the same expectation as over all pairs, in time linear in the population.
        differing = X != np.roll(X, 1, axis=0)
        return {"solutions": X[fittest], "qualities": scores[fittest], "diversity": float(differing.mean())}


def mutated_copies(problem: Problem, X: Solutions, count: int, rng: Generator) -> Solutions:
    """Return `count` rows: those of X, then copies of them that random moves have changed, up to n / 20 each.

    Args:
        problem: any problem.
        X: feasible solutions, at most `count` rows.
        count: the number of rows.
        rng: draws the moves; infeasible ones are not made.
    """
    near, Y = neighbourhood_of(problem), np.array(X, np.int64)[np.arange(count) % len(X)]
    moves = rng.integers(1, max(2, X.shape[1] // 20), size=count, endpoint=True)
    moves[: len(X)] = 0
    for move in range(int(moves.max())):
        rows = np.flatnonzero(moves > move)
        neighbours = near.random_moves(Y[rows], rng).solutions
        good = judge(problem, neighbours)  # a row whose move is infeasible has one move fewer
        Y[rows[good]] = neighbours[good]
    return Y
