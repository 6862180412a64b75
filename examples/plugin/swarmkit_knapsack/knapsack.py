"""The knapsack problem: which things to take, when not everything can be carried."""

import numpy as np
from pydantic import Field

from swarmkit import Problem, Settings


class Knapsack(Problem):
    """Take the things of most value that weigh no more than the capacity together."""

    reference = "Martello & Toth 1990, Knapsack Problems"

    class Options(Settings):
        """A random instance."""

        n: int = Field(default=30, ge=1)
        """How many things there are."""
        share: float = Field(default=0.5, gt=0, le=1)
        """The capacity, as a share of the weight of everything."""
        seed: int = Field(default=0, ge=0)
        """Which random instance."""

    @classmethod
    def build(cls, options):
        """Draw weights, and values that go with them roughly."""
        rng = np.random.default_rng(options.seed)
        weights = rng.integers(10, 100, options.n)
        return cls(weights, weights + rng.integers(0, 50, options.n), int(weights.sum() * options.share))

    def __init__(self, weights, values, capacity):
        self.weights, self.values, self.capacity = np.asarray(weights), np.asarray(values), capacity
        self.sizes = np.full(len(self.weights), 2)  # a stage is a thing; candidate 0 leaves it, candidate 1 takes it

    def score(self, X):
        """Sum the values of what is taken."""
        return (X @ self.values).astype(float)

    def feasible(self, X):
        """Judge whether it can be carried."""
        return X @ self.weights <= self.capacity

    def allowed(self, X, stage):
        """Leave a thing always, take it if it fits beside what is taken; so nothing ever ends in a dead end."""
        taken = np.where(X > 0, self.weights, 0)
        taken[:, stage] = 0
        fits = taken.sum(axis=1) + self.weights[stage] <= self.capacity
        return np.column_stack([np.ones_like(fits), fits])

    def gains(self, x, stage):
        """Gain or lose the value of one thing."""
        return self.values[stage] * (np.arange(2) - x[stage]).astype(float)

    def heuristic_values(self, X, stage, last):
        """Return the value of a thing for its weight; of leaving it, the average of all things."""
        worth = self.values / self.weights
        return np.tile([worth.mean(), worth[stage]], (len(X), 1))

    def describe(self, x):
        """List what is taken."""
        taken = np.flatnonzero(x)
        return [{"thing": int(i), "weight": int(self.weights[i]), "value": int(self.values[i])} for i in taken]

    def metrics(self, x):
        """Say how full it is."""
        return {"weight": float(x @ self.weights), "capacity": float(self.capacity)}
