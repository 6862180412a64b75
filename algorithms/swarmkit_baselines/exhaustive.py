"""Enumeration of all solutions: `exhaustive`. The tests compare other solvers with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Problem, Prover, Settings, StepResult, Suitability, judge
from swarmkit_baselines.simple import best_of, rows_at_once

EXACT = 19.0
"""The logarithm (base 10) of a number of solutions from which it exceeds every limit, and is not computed exactly."""

QUICK = 20_000
"""The most solutions of a problem for which enumeration is recommended."""

FEW = 256
"""Up to this many solutions, some batches of them, it needs nobody beside it; with tables, always."""

ROUNDS = 4
"""Rounds of a Feistel network: fewer do not hide the order of the numbers."""


@dataclass
class Enumeration:
    """The progress of the enumeration."""

    count: int
    """The number of solutions enumerated so far."""
    keys: NDArray[np.uint64]
    """What the order of enumeration is computed from."""
    best: float = -np.inf
    """The best score among the feasible ones."""


class Exhaustive(Prover[Enumeration]):
    """Score every solution, in a random order: exact, for small problems only."""

    proof_rank = 2
    proof_params = MappingProxyType({"limit": 1_000_000})

    class Params(Settings):
        """The largest problem."""

        limit: Annotated[int, Field(ge=1, le=2**62)] = 10_000_000
        """Problems with more solutions than this are refused."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse problems with more solutions than `limit`."""
        size = magnitude(problem)
        if size > EXACT or solutions(problem) > self.params.limit:
            return f"it has {format_power(size)} solutions, more than limit={self.params.limit}"
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit problems that are enumerated in a moment."""
        count = solutions(problem)  # it is at most `limit`, or the problem is refused
        if count > QUICK:
            return None
        beside = problem.structure.black_box and count > FEW
        return Suitability(2.0, f"it has only {count:,} solutions", nanoseconds=30.0, proves=True, takes_turns=beside)

    def start(self, problem: Problem, rng: Generator) -> Enumeration:
        """Return the beginning of the enumeration."""
        return Enumeration(0, rng.integers(0, 2**64, size=ROUNDS, dtype=np.uint64))

    def snapshot(self, state: Enumeration) -> dict[str, int]:
        """Return the number of solutions enumerated so far."""
        return {"enumerated": state.count}

    def step(self, problem: Problem, state: Enumeration, rng: Generator) -> StepResult:
        """Score the next solutions."""
        total, n = solutions(problem), len(problem.sizes)
        end = min(total, state.count + rows_at_once(problem))
        numbers = shuffled(np.arange(state.count, end), total, state.keys)
        X = permutations(numbers, n, int(problem.sizes[0])) if problem.distinct else products(numbers, problem.sizes)
        state.count = end
        result = best_of(problem, X[judge(problem, X)], len(X) * n, done=end == total)
        state.best = max(state.best, -np.inf if result.score is None else result.score)
        return result._replace(bound=state.best) if result.done and np.isfinite(state.best) else result


def shuffled(numbers: NDArray[Any], total: int, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the places of some numbers below `total` in a random order of all of them, which is nowhere in memory.

    A Feistel network permutes the numbers of twice `half` bits; from one beyond `total` it goes on until it is below
    (Black and Rogaway 2002, Ciphers with arbitrary finite domains).

    >>> order = shuffled(np.arange(1000), 1000, np.array([1, 2, 3, 4], np.uint64))
    >>> (np.sort(order) == np.arange(1000)).all(), order[:4].tolist()
    (np.True_, [116, 441, 667, 677])
    """
    half = np.uint64(max(1, -(-(total - 1).bit_length() // 2)))
    mask, x = (np.uint64(1) << half) - np.uint64(1), numbers.astype(np.uint64)
    beyond = np.ones(len(x), bool)
    while beyond.any():
        left, right = x[beyond] >> half, x[beyond] & mask
        for key in keys:
            # SplitMix64 (Steele, Lea and Flood 2014) makes random bits of the right half and the key.
            bits = (right + key) * np.uint64(0x9E3779B97F4A7C15)
            bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            left, right = right, left ^ ((bits ^ (bits >> np.uint64(31))) & mask)
        x[beyond] = (left << half) | right
        beyond = x >= np.uint64(total)
    return x.astype(np.int64)


def format_power(size: float) -> str:
    """Return the number 10^size with three digits; it may be larger than any float.

    >>> format_power(math.log10(1234567)), format_power(math.log10(30**200))
    ('1.23e+06', '2.66e+295')
    """
    digits = math.floor(size)
    return f"{10**size:.3g}" if digits < 16 else f"{10 ** (size - digits):.2f}e+{digits}"


def magnitude(problem: Problem) -> float:
    """Return the logarithm (base 10) of the number of solutions, feasible or not."""
    sizes = np.asarray(problem.sizes, np.float64)
    if problem.distinct and len(sizes):
        return float(math.lgamma(sizes[0] + 1) - math.lgamma(sizes[0] - len(sizes) + 1)) / math.log(10)
    return float(np.log10(sizes).sum())


def solutions(problem: Problem) -> int:
    """Return the number of solutions, feasible or not."""
    if problem.distinct and len(problem.sizes):
        return math.perm(int(problem.sizes[0]), len(problem.sizes))
    return math.prod(int(size) for size in problem.sizes)


def products(numbers: NDArray[Any], sizes: Any) -> NDArray[np.int64]:
    """Return numbers in the mixed radix system of the sizes, one per row: every combination once.

    >>> products(np.arange(4), [2, 2]).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    X = np.empty((len(numbers), len(sizes)), np.int64)
    for stage in reversed(range(len(sizes))):
        numbers, X[:, stage] = np.divmod(numbers, sizes[stage])
    return X


def permutations(numbers: NDArray[Any], n: int, m: int) -> NDArray[np.int64]:
    """Return the arrangements of n out of m candidates that numbers encode (Lehmer code): every arrangement once.

    >>> permutations(np.arange(6), 3, 3).tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    """
    X = products(numbers, np.arange(m, m - n, -1))
    for stage in reversed(range(n - 1)):  # each digit counts the candidates left; decoded from the last stage
        X[:, stage + 1 :] += X[:, stage + 1 :] >= X[:, stage : stage + 1]
    return X
