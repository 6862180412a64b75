"""The terms of a model's expressions, each with a number: the constant 1, slots, pairs, and functions of a solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.errors import ProblemError
from swarmkit.contract.pairwise import Pairwise


class Lookups(NamedTuple):
    """Terms `first`, `first + 1`, …: for each pair of stages, the entry of a table for their candidates."""

    first: int
    a: Ints
    b: Ints
    table: Floats


class Products(NamedTuple):
    """Terms `first`, `first + 1`, …: for each pair of slots, whether both are chosen."""

    first: int
    a: Ints
    b: Ints


class Function(NamedTuple):
    """Term `term`: what a function returns for the candidates at some stages."""

    term: int
    function: Callable[..., Any]
    stages: tuple[Ints, ...]
    """The stages of each argument, in its shape."""
    batch: bool
    """Whether the function takes many solutions at once."""

    def values(self, X: Ints) -> Floats:
        """Return the value of the function for each row of X."""
        if self.batch:
            return np.asarray(self.function(*(X[:, stages] for stages in self.stages)), np.float64)
        return np.array([self.function(*(x[stages] for stages in self.stages)) for x in X], np.float64)


class Terms:
    """The terms of a model. Expressions are sparse rows over them, so that their sums are sums of matrices."""

    def __init__(self) -> None:
        self.count = 1
        """The number of terms; term 0 is the constant 1."""
        self.sizes = np.zeros(0, np.int64)
        self.slots = np.zeros(0, np.int64)
        """The term of each slot."""
        self.lookups: list[Lookups] = []
        self.products: list[Products] = []
        self.functions: list[Function] = []

    def reserve(self, count: int) -> int:
        """Return the first of some new terms."""
        self.count += count
        return self.count - count

    def add_stages(self, count: int, size: int) -> Ints:
        """Return the numbers of new stages with so many candidates each."""
        first = len(self.sizes)
        self.sizes = np.append(self.sizes, np.full(count, size))
        self.slots = np.append(self.slots, self.reserve(count * size) + np.arange(count * size))
        return np.arange(first, first + count)

    @property
    def offsets(self) -> Ints:
        """The first slot of each stage."""
        return np.asarray(np.cumsum(self.sizes) - self.sizes)

    @property
    def slot_of(self) -> Ints:
        """The slot of each term; -1 where the term is none."""
        slots = np.full(self.count, -1)
        slots[self.slots] = np.arange(len(self.slots))
        return slots

    @property
    def stage_of(self) -> Ints:
        """The stage of each slot."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def pairwise(self, weights: Floats, distinct: bool) -> Pairwise:
        """Return the constant, the slots and the pairs of a row of weights over the terms as tables."""
        unary = np.array(weights[self.slots])
        unary[: self.sizes[0]] += weights[0]  # exactly one candidate of the first stage is chosen
        edges: list[tuple[int, int, Floats, float]] = []
        for first, a, b, table in self.lookups:
            of_block = weights[first : first + len(a)]
            for i, j, weight in zip(a.tolist(), b.tolist(), of_block.tolist(), strict=True):
                if i == j:
                    begin = self.offsets[i]
                    unary[begin : begin + self.sizes[i]] += weight * np.diag(table)
                elif weight:
                    edges.append((i, j, table, weight))
        tables = self._product_tables(weights, unary)
        edges.extend((i, j, table, 1.0) for (i, j), table in tables.items())
        return Pairwise.of(self.sizes, edges, unary, distinct=distinct)

    def _product_tables(self, weights: Floats, unary: Floats) -> dict[tuple[int, int], Floats]:
        """Return the products of a row as a table for each pair of stages; those at one stage are added to `unary`."""
        tables: dict[tuple[int, int], Floats] = {}
        stage_of, offsets = self.stage_of, self.offsets
        for first, *columns in self.products:
            ordered = np.sort(np.stack(columns), axis=0)
            of_block = weights[first : first + ordered.shape[1]]
            for a, b, weight in zip(*ordered.tolist(), of_block.tolist(), strict=True):
                i, j = int(stage_of[a]), int(stage_of[b])
                if i == j:
                    unary[a] += weight * (a == b)  # two candidates of one stage are never both chosen
                elif weight:
                    if (i, j) not in tables:
                        tables[i, j] = np.zeros((self.sizes[i], self.sizes[j]))
                    tables[i, j][a - offsets[i], b - offsets[j]] += weight
        return tables


def check_finite(numbers: Floats, of: str) -> None:
    """Refuse numbers that are not finite."""
    if not np.isfinite(numbers).all():
        raise ProblemError(f"{of}: expected finite numbers, got {numbers[~np.isfinite(numbers)].flat[0]:g}")
