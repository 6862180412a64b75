"""The pyramid of populations of `p3`, and the solution that climbs it; plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from swarmkit import Found, Ints, RngState, Solutions
from swarmkit_genetic.hill_climb import HillClimb
from swarmkit_genetic.linkage_tree import LinkageTree


@dataclass
class Level:
    """A population, and the clusters of stages by which solutions are mixed with it."""

    population: Solutions
    tree: LinkageTree


@dataclass
class Pyramid:
    """All levels, the solution under way, and the best one."""

    x: Solutions
    """The solution under way."""
    rng_state: RngState
    """The state of the kernels' generator."""
    best: Solutions
    score: float = -np.inf
    """The score of x; -inf before it is known."""
    climb: HillClimb | None = None
    """The hill climb of x; None before it begins and when it has ended."""
    climbed: bool = False
    """Whether x is a local optimum, or a mixture of one."""
    level: int = 0
    """The level that x is mixed with."""
    cluster: int = 0
    """The clusters of that level that have been mixed."""
    before: float = -np.inf
    """The score of x before it was mixed with the level."""
    levels: list[Level] = field(default_factory=list)
    best_score: float = -np.inf

    def begin(self, x: Solutions) -> None:
        """Let a new solution begin at the bottom."""
        self.x, self.score, self.climb, self.climbed = x, -np.inf, None, False
        self.level = self.cluster = 0

    def add(self, level: int, sizes: Ints, rng: Generator) -> None:
        """Add x to a level, unless it is in the pyramid already, and learn the level's clusters again."""
        if any((own.population == self.x).all(axis=1).any() for own in self.levels):
            return
        if level == len(self.levels):
            population = self.x[None].copy()
            self.levels.append(Level(population, LinkageTree.of(population, sizes, rng)))
        else:
            own = self.levels[level]
            own.population = np.vstack([own.population, self.x])
            own.tree = LinkageTree.of(own.population, sizes, rng)

    def accept(self, y: Solutions, score: float) -> None:
        """Let x become another solution, which is recorded if it is the best."""
        self.x, self.score = y, score
        if score > self.best_score:
            self.best, self.best_score = y.copy(), score

    def found(self, looks: int, iterations: int) -> Found:
        """Return the best solution so far as what a step has found, with its looks and iterations."""
        known = self.best_score > -np.inf
        return Found(self.best if known else None, self.best_score if known else None, looks, iterations)
