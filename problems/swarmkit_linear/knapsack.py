"""The multidimensional knapsack: items of most profit within several capacities."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from swarmkit import Constraint, Constraints, FileName, Settings, Solutions, check_alternatives, plain_name
from swarmkit_linear.linear_problem import LinearProblem
from swarmkit_linear.orlib import Knapsacks, read_knapsack


class KnapsackOptions(Settings):
    """A file, or a random instance."""

    file: FileName | None = None
    """Knapsack problems of the OR-Library (mknap1, mknapcb1, …), compressed or not; by default one is drawn."""
    number: Annotated[int, Field(ge=1)] = 1
    """The number of the problem in the file."""
    n: Annotated[int, Field(ge=1, le=100_000)] = 100
    """Number of items to draw."""
    capacities: Annotated[int, Field(ge=1, le=1000)] = 5
    """Number of capacities to draw."""
    tightness: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Each capacity as a share of the weight of all items."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random instance."""
    best: Annotated[float | None, Field(ge=0)] = None
    """The largest profit known; by default the one that the file states."""

    @model_validator(mode="after")
    def _consistent(self) -> KnapsackOptions:
        draws = ["n", "capacities", "tightness", "seed"]
        check_alternatives(self, ["file"], draws, expected="a file or an instance to draw")
        if self.number != 1 and self.file is None:
            raise ValueError("'number' goes with 'file'")
        return self


class Knapsack(LinearProblem):
    """Pack items: stages are items, candidates out and in; the score is the profit of the items that are in."""

    Options = KnapsackOptions
    reference = (
        "P.C. Chu, J.E. Beasley (1998). A genetic algorithm for the multidimensional knapsack. J. of Heuristics 4."
    )

    def __init__(self, knapsacks: Knapsacks, name: str = "") -> None:
        self.profits, self.weights, self.capacities, best = knapsacks
        m, n = self.weights.shape
        inside = np.column_stack([np.arange(n), np.ones(n, np.int64)])
        limits = zip(self.weights, self.capacities, strict=True)
        rows = [
            Constraint.of(inside, row, upper=limit, name=f"capacity {k}") for k, (row, limit) in enumerate(limits, 1)
        ]
        sizes = np.full(n, 2)
        super().__init__(sizes, np.column_stack([np.zeros(n), self.profits]).ravel(), Constraints.of(sizes, rows), best)
        self.about = f"Knapsack{f' {name}' if name else ''}: {n:,} items, {m:,} capacities"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the instance."""
        if options.file is None:
            knapsacks, name = draw(options.n, options.capacities, options.tightness, options.seed), ""
        else:
            knapsacks = read_knapsack(options.file, options.number)
            name = f"{plain_name(options.file).stem}, problem {options.number}"
        return cls(knapsacks if options.best is None else knapsacks._replace(best=options.best), name)

    def describe(self, x: Solutions) -> list[dict[str, Any]]:
        """Return the items that are in, numbered from 1, with their profits and largest shares of a capacity."""
        shares = (self.weights / np.maximum(self.capacities[:, None], 1e-12)).max(axis=0)
        return [
            {"item": int(item) + 1, "profit": float(self.profits[item]), "largest share": float(shares[item])}
            for item in np.flatnonzero(x)
        ]


def draw(n: int, capacities: int, tightness: float, seed: int) -> Knapsacks:
    """Return a random instance as Chu and Beasley draw them: profits follow the mean weight of an item."""
    rng = np.random.Generator(np.random.PCG64(seed))
    weights = rng.integers(1, 1001, (capacities, n)).astype(np.float64)
    profits = np.floor(weights.mean(axis=0) + 500.0 * rng.random(n))
    return Knapsacks(profits, weights, np.floor(tightness * weights.sum(axis=1)))
