"""A population, the children under way, and the two ways in which they replace it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Ints, Problem, RngState, Solutions, judge
from swarmkit.search import Climb, StepBudget, batch_scores, random_moves

MOST_GENERATIONS = 50
"""Generations in a step at most: on small problems making children takes longer than their looks suggest."""


@dataclass
class Brood:
    """The children of a generation under way: made at once, scored (or improved) in portions."""

    children: Solutions
    pairs: Ints
    """The rows of each child's parents in the population."""
    scores: Floats
    """Their scores as far as known; -inf otherwise."""
    done: int
    """The number of children that are scored."""
    climb: Climb | None
    """Where children are improved first: their climb."""

    @classmethod
    def of(cls, children: Solutions, pairs: Ints, climb: Climb | None = None) -> Brood:
        """Return children of which none is scored."""
        return cls(children, pairs, np.full(len(children), -np.inf), 0, climb)

    @property
    def complete(self) -> bool:
        """Whether all children are scored."""
        return self.done == len(self.children)


@dataclass
class Population:
    """A generation: one chromosome (a candidate per stage) a row, its fitness (the score), and random numbers."""

    X: Solutions
    scores: Floats
    """The scores of the first `scored` rows; -inf for the others."""
    rng_state: RngState
    """The state of the kernels' generator."""
    scored: int
    """The rows of the first generation that are scored (or constructed, and scored)."""
    best: Solutions
    """The fittest chromosome of all generations."""
    best_score: float
    """Its score; -inf before any is scored."""
    brood: Brood | None

    @classmethod
    def of(cls, X: Solutions, rng_state: RngState) -> Self:
        """Return a first generation of which nothing is scored."""
        return cls(X, np.full(len(X), -np.inf), rng_state, 0, np.zeros(X.shape[1], np.int64), -np.inf, None)

    @property
    def complete(self) -> bool:
        """Whether the first generation is scored."""
        return self.scored == len(self.X)

    def record(self, x: Solutions, score: float) -> None:
        """Keep a solution as the fittest if it is."""
        if score > self.best_score:
            self.best, self.best_score = x.copy(), float(score)

    def record_best(self, X: Solutions, scores: Floats) -> None:
        """Keep the fittest of some solutions if it is the fittest of all."""
        i = int(scores.argmax())
        self.record(X[i], float(scores[i]))

    def found(self, looks: int, generations: int) -> Found:
        """Return the fittest chromosome so far as what a step has found, with the step's looks and generations."""
        known = self.best_score > -np.inf
        return Found(self.best if known else None, self.best_score if known else None, looks, generations)

    def score_first(self, problem: Problem, budget: StepBudget) -> None:
        """Score chromosomes of the first generation, as many as the step may, at least one."""
        n, evaluated = self.X.shape[1], problem.structure.black_box
        rows = slice(self.scored, min(len(self.X), self.scored + budget.rows(n, evaluated)))
        self.scores[rows] = batch_scores(problem, self.X[rows])
        self.record_best(self.X[rows], self.scores[rows])
        self.scored, count = rows.stop, rows.stop - rows.start
        budget.spend(n * count, count if evaluated else 0)

    def take_up(self, problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> None:
        """Replace the worse half by given solutions and copies of them that random moves have changed.

        Children under way are given up; the population is scored again as far as it is new.
        """
        half = max(1, len(self.X) // 2)
        chosen = np.argsort(-scores, kind="stable")[:half]
        Y = np.array(X[chosen], np.int64)[np.arange(half) % len(chosen)]
        moves = rng.integers(1, max(2, X.shape[1] // 20), size=half, endpoint=True)
        moves[: len(chosen)] = 0
        for made in range(int(moves.max())):
            rows = np.flatnonzero(moves > made)
            moved = random_moves(problem, Y[rows], rng).solutions
            good = judge(problem, moved)
            Y[rows[good]] = moved[good]
        order = np.argsort(-self.scores, kind="stable")
        self.X = np.ascontiguousarray(np.vstack([self.X[order[: len(self.X) - half]], Y]))
        self.scores = np.concatenate([self.scores[order[: len(self.X) - half]], np.full(half, -np.inf)])
        self.scored = int(np.isfinite(self.scores).sum())
        self.brood = None
        self.record_best(X, scores)

    def replace_generation(self, brood: Brood, elite: int) -> None:
        """Let the children replace all but the elite (generational replacement)."""
        kept = np.argsort(-self.scores, kind="stable")[:elite]
        self.X = np.vstack([self.X[kept], brood.children])
        self.scores = np.concatenate([self.scores[kept], brood.scores])
        self.scored, self.brood = len(self.X), None

    def replace_parents(self, brood: Brood) -> None:
        """Let each child replace the solution in its row, if it is better (Cavicchio's preselection)."""
        better = np.flatnonzero(brood.scores > self.scores)
        self.X[better], self.scores[better] = brood.children[better], brood.scores[better]
        self.brood = None


SHOWN = 20
"""Chromosomes of a population that a recording shows."""


def shown_population(state: Population) -> dict[str, Any]:
    """Return the fittest chromosomes, their fitness, and the diversity: the share of stages in which two differ."""
    scored = state.X[: max(1, state.scored)] if state.brood is None else state.X
    fittest = np.argsort(-state.scores[: len(scored)], kind="stable")[:SHOWN]
    differing = scored != np.roll(scored, 1, axis=0)
    shown: dict[str, Any] = {"solutions": scored[fittest], "diversity": float(differing.mean())}
    if np.isfinite(state.scores[fittest]).all():
        shown["qualities"] = state.scores[fittest]
    return shown
