"""Problems that are nothing but a score in Python, as users write them: the family of black boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

import swarmkit


def _generator(seed: int) -> np.random.Generator:
    """Return a generator that no run has: a run of the same seed would draw the hidden solution first."""
    return np.random.default_rng([seed, 60])


class LeadingOnes(swarmkit.Problem):
    """The number of ones before the first zero."""

    def __init__(self, n: int, seed: int) -> None:
        self.sizes = [2] * n
        self.hidden = _generator(seed).integers(0, 2, n)

    def score(self, X: Any) -> Any:
        """Return the length of the prefix that agrees with the hidden solution."""
        return np.cumprod(X == self.hidden, axis=1).sum(axis=1)


class Traps(swarmkit.Problem):
    """Blocks of four that lead away from their optimum (deceptive traps)."""

    def __init__(self, blocks: int, seed: int) -> None:
        self.sizes = [2] * (4 * blocks)
        self.order = _generator(seed).permutation(4 * blocks)

    def score(self, X: Any) -> Any:
        """Return the sum over blocks: 4 for four ones, otherwise 3 minus the ones."""
        ones = X[:, self.order].reshape(len(X), -1, 4).sum(axis=2)
        return np.where(ones == 4, 4, 3 - ones).sum(axis=1)


class Landscape(swarmkit.Problem):
    """An NK landscape (Kauffman 1993): each stage contributes a random value that depends on it and k others."""

    def __init__(self, n: int, k: int, seed: int) -> None:
        rng = _generator(seed)
        self.sizes = [2] * n
        others = [rng.choice(np.delete(np.arange(n), i), k, replace=False) for i in range(n)]
        self.inputs = np.column_stack([np.arange(n), np.array(others)])
        self.values = rng.random((n, 2 ** (k + 1)))

    def score(self, X: Any) -> Any:
        """Return the sum of the contributions."""
        bits = X[:, self.inputs] @ (1 << np.arange(self.inputs.shape[1]))
        return self.values[np.arange(len(self.values)), bits].sum(axis=1)


class Orders(swarmkit.Problem):
    """Orders on machines: a cost for each pair, and one for the imbalance or for a changeover between neighbours."""

    def __init__(self, orders: int, machines: int, changeover: float, seed: int) -> None:
        rng = _generator(seed)
        self.sizes = [machines] * orders
        self.cost = rng.integers(5, 100, (orders, machines))
        self.change = changeover * rng.random((machines, machines)) * (1 - np.eye(machines))

    def score(self, X: Any) -> Any:
        """Return minus the total cost."""
        own = self.cost[np.arange(X.shape[1]), X].sum(axis=1)
        return -(own + self.change[X[:, :-1], X[:, 1:]].sum(axis=1))


class Knapsack(swarmkit.Problem):
    """A knapsack whose excess weight is a penalty."""

    def __init__(self, n: int, seed: int) -> None:
        rng = _generator(seed)
        self.sizes = [2] * n
        self.weights, self.values = rng.integers(10, 100, n), rng.integers(10, 100, n)

    def score(self, X: Any) -> Any:
        """Return the value, less twenty times what exceeds half of the total weight."""
        excess = np.maximum(0, X @ self.weights - self.weights.sum() // 2)
        return X @ self.values - 20 * excess


class Hidden(swarmkit.Problem):
    """A problem with tables of which only the score is shown."""

    def __init__(self, inner: swarmkit.Problem) -> None:
        self.sizes, self.inner = inner.sizes, inner

    def score(self, X: Any) -> Any:
        """Return the scores of the problem behind."""
        return self.inner.score(X)
