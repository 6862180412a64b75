"""The instances as both sides see them: arrays in a file, and costs from tables looked up with numpy.

Three kinds: `tour` (distances), `assignment` (two matrices), `categories` (edges with tables, minus the score).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


class Task:
    """An instance to minimise."""

    def __init__(self, kind: str, arrays: dict[str, np.ndarray]) -> None:
        self.kind, self.arrays = kind, arrays
        if kind == "categories":
            self.edges, self.tables = arrays["edges"], arrays["tables"]
            self.n, self.candidates = int(self.edges.max()) + 1, self.tables.shape[1]
            self.flat = self.tables.ravel()
            self.starts = np.arange(len(self.edges)) * self.candidates**2
        else:
            self.first = arrays["first"]
            self.n = self.candidates = len(self.first)
            self.flat = self.first.ravel()
            self.symmetric = bool(np.array_equal(self.first, self.first.T))

    @property
    def distinct(self) -> bool:
        """Whether solutions are permutations."""
        return self.kind != "categories"

    def cost(self, x: Any) -> float:
        """Return the cost of one solution."""
        if self.kind == "tour":
            return float(self.flat.take(x[:-1] * self.n + x[1:]).sum() + self.first[x[-1], x[0]])
        return float(self.costs(x[None])[0])

    def costs(self, X: Any) -> np.ndarray:
        """Return the costs of a batch."""
        if self.kind == "tour":
            return np.asarray(self.flat.take(X * self.n + np.roll(X, -1, axis=1)).sum(axis=1))
        if self.kind == "assignment":
            second = self.arrays["second"]
            return np.array([(self.first * second[np.ix_(x, x)]).sum() for x in X])
        i, j = self.edges.T
        return -np.asarray(self.flat.take(self.starts + X[:, i] * self.candidates + X[:, j]).sum(axis=1))

    def valid(self, x: Any) -> bool:
        """Return whether it is a solution: a permutation, or candidates that exist."""
        if self.distinct:
            return bool(np.array_equal(np.sort(x), np.arange(self.n)))
        return bool(((x >= 0) & (x < self.candidates)).all())

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Draw a solution."""
        return rng.permutation(self.n) if self.distinct else rng.integers(self.candidates, size=self.n)

    def spacing(self) -> float:
        """Return the mean distance to the nearest city: the scale of the changes that moves near an optimum make."""
        away = self.first + np.diag(np.full(self.n, np.inf))
        return float(away.min(axis=1).mean())

    def save(self, path: Path) -> None:
        """Write the arrays."""
        np.savez(path, kind=self.kind, **self.arrays)


def load(path: str) -> Task:
    """Read an instance."""
    with np.load(path, allow_pickle=False) as file:
        return Task(str(file["kind"]), {name: file[name] for name in file.files if name != "kind"})
