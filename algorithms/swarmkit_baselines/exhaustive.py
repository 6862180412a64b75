"""Every solution there is, one after another: `exhaustive`, the oracle of the tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import GRAIN, Found, Problem, Settings, Solver, judge
from swarmkit_baselines.simple import best_found


@dataclass
class Counted:
    """How many solutions have been looked at, and the best score among them."""

    seen: int
    best: float = -np.inf


class Exhaustive(Solver[Counted]):
    """Score every solution; exact, for small problems only."""

    proof_rank = 2
    proof_params = MappingProxyType({"limit": 1_000_000})

    class Params(Settings):
        """When to refuse."""

        limit: Annotated[int, Field(ge=1, le=2**62)] = 10_000_000
        """Problems with more solutions than this are refused."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what would take too long."""
        count = solutions(problem)
        if count > self.params.limit:
            return f"it has {count:.3g} solutions, more than limit={self.params.limit}"
        return None

    def start(self, problem: Problem, rng: Generator) -> Counted:
        """Begin at solution number 0."""
        return Counted(seen=0)

    def step(self, problem: Problem, state: Counted, rng: Generator) -> Found:
        """Score the next solutions, worth one grain; one solution is one iteration."""
        total, n = solutions(problem), len(problem.sizes)
        end = min(total, state.seen + max(1, GRAIN // n))
        numbers = np.arange(state.seen, end)
        X = permutations(numbers, n, int(problem.sizes[0])) if problem.distinct else products(numbers, problem.sizes)
        state.seen = end
        found = best_found(problem, X[judge(problem, X)], len(X) * n, iterations=len(X), done=end == total)
        state.best = max(state.best, -np.inf if found.score is None else found.score)
        return found._replace(bound=state.best) if found.done and np.isfinite(state.best) else found


def solutions(problem: Problem) -> int:
    """Count the solutions, feasible or not."""
    if problem.distinct and len(problem.sizes):
        return math.perm(int(problem.sizes[0]), len(problem.sizes))
    return math.prod(int(size) for size in problem.sizes)


def products(numbers: NDArray[Any], sizes: Any) -> NDArray[np.int64]:
    """Write numbers in the mixed base of the sizes: every combination once.

    >>> products(np.arange(4), [2, 2]).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    X = np.empty((len(numbers), len(sizes)), np.int64)
    for stage in reversed(range(len(sizes))):
        numbers, X[:, stage] = np.divmod(numbers, sizes[stage])
    return X


def permutations(numbers: NDArray[Any], n: int, m: int) -> NDArray[np.int64]:
    """Read numbers as arrangements of n out of m (Lehmer's code): every arrangement once.

    >>> permutations(np.arange(6), 3, 3).tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    """
    X = products(numbers, np.arange(m, m - n, -1))
    for stage in reversed(range(n - 1)):  # the code counts among what is left; undo from the back
        X[:, stage + 1 :] += X[:, stage + 1 :] >= X[:, stage : stage + 1]
    return X
