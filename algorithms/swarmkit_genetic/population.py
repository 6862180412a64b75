"""A population, and the two ways in which children replace it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swarmkit import GRAIN, Floats, RngState, Solutions

MOST_GENERATIONS = 50
"""Generations in a step at most: on small problems making children takes longer than their looks suggest."""


@dataclass
class Population:
    """A generation: one chromosome (a candidate per stage) a row, its fitness (the score), and random numbers."""

    X: Solutions
    scores: Floats
    rng_state: RngState
    """The state of the kernels' generator."""
    unreported: int
    """Looks made by `start`, which the first step reports."""

    @property
    def generations(self) -> int:
        """The number of generations in a step of about one grain."""
        return min(max(1, GRAIN // self.X.size), MOST_GENERATIONS)

    def best(self) -> tuple[Solutions, float]:
        """Return a copy of the fittest chromosome, and its score."""
        i = int(self.scores.argmax())
        return self.X[i].copy(), float(self.scores[i])

    def replace_generation(self, children: Solutions, scores: Floats, elite: int) -> None:
        """Let the children replace all but the elite (generational replacement)."""
        kept = np.argsort(-self.scores, kind="stable")[:elite]
        self.X = np.vstack([self.X[kept], children])
        self.scores = np.concatenate([self.scores[kept], scores])

    def replace_parents(self, children: Solutions, scores: Floats) -> None:
        """Let each child replace the solution in its row, if it is better (Cavicchio's preselection)."""
        better = np.flatnonzero(scores > self.scores)
        self.X[better], self.scores[better] = children[better], scores[better]


def make_generations(population: Population, make_one: Callable[[], int], looks: int) -> tuple[int, int]:
    """Make generations until a step is full or a grain of looks is spent, at least one; return their number and looks.

    Args:
        population: what the generations are made of.
        make_one: makes one generation and returns its looks.
        looks: the looks of the step before the first of them.
    """
    most, generations = population.generations, 0
    while generations < most and (looks < GRAIN or not generations):
        looks += make_one()
        generations += 1
    return generations, looks
