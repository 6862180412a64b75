"""Set covering: columns of least cost of which at least one covers each row."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from swarmkit import Constraints, FileName, Settings, Solutions, check_alternatives, plain_name
from swarmkit_linear.best_known import COVERS
from swarmkit_linear.linear_problem import LinearProblem
from swarmkit_linear.orlib import Covering, read_covering


class SetCoverOptions(Settings):
    """A file, or a random instance."""

    file: FileName | None = None
    """A set covering file of the OR-Library (scp41, …), compressed (.gz, .xz) or not; by default one is drawn."""
    rows: Annotated[int, Field(ge=1, le=10_000)] = 100
    """Number of rows to draw."""
    columns: Annotated[int, Field(ge=1, le=100_000)] = 500
    """Number of columns to draw."""
    density: Annotated[float, Field(gt=0, le=1)] = 0.05
    """The expected share of the rows that a column covers; every row is covered by at least two columns."""
    most: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """Costs are drawn from 1 to this number; 1 is the unicost problem."""
    seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random instance."""
    best: Annotated[float | None, Field(ge=0)] = None
    """The smallest cost known; by default the published optimum of OR-Library's problem of the file's name."""

    @model_validator(mode="after")
    def _consistent(self) -> SetCoverOptions:
        draws = ["rows", "columns", "density", "most", "seed"]
        check_alternatives(self, ["file"], draws, expected="a file or an instance to draw")
        return self


class SetCover(LinearProblem):
    """Choose columns: stages are columns, candidates out and in; the cost is the sum of the chosen columns'."""

    Options = SetCoverOptions
    reference = "J.E. Beasley (1987). An algorithm for set covering problem. European J. of Operational Research 31."
    direction = "minimise"

    def __init__(self, covering: Covering, best: float | None = None, name: str = "") -> None:
        n, m = len(covering.costs), len(covering.indptr) - 1
        self.costs = covering.costs
        constraints = Constraints(
            sizes=np.full(n, 2),
            indptr=covering.indptr,
            slots=2 * covering.columns + 1,
            coefficients=np.ones(len(covering.columns)),
            lower=np.ones(m),
            upper=np.full(m, np.inf),
            names=tuple(f"row {row}" for row in range(1, m + 1)),
        )
        published = COVERS.get((name, m, n))
        super().__init__(np.full(n, 2), np.column_stack([np.zeros(n), covering.costs]).ravel(), constraints, best)
        if best is None and published is not None:
            self.best = self.optimum = published
        self.about = f"Set covering{f' {name}' if name else ''}: {m:,} rows, {n:,} columns"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read or draw the instance."""
        if options.file is not None:
            return cls(read_covering(options.file), options.best, plain_name(options.file).stem)
        return cls(draw(options.rows, options.columns, options.density, options.most, options.seed), options.best)

    def describe(self, x: Solutions) -> list[dict[str, Any]]:
        """Return the chosen columns, numbered from 1, with their costs and the number of rows that they cover."""
        counts = np.bincount(self.constraints.slots // 2, minlength=len(x))
        return [
            {"column": int(column) + 1, "cost": float(self.costs[column]), "rows": int(counts[column])}
            for column in np.flatnonzero(x)
        ]


def draw(rows: int, columns: int, density: float, most: int, seed: int) -> Covering:
    """Return a random instance: each column covers each row with a probability, and each row has two columns more."""
    rng = np.random.Generator(np.random.PCG64(seed))
    covering, lengths = [], []
    for _ in range(rows):
        chosen = np.union1d(np.flatnonzero(rng.random(columns) < density), rng.integers(columns, size=2))
        covering.append(chosen)
        lengths.append(len(chosen))
    costs = rng.integers(1, most + 1, columns).astype(np.float64)
    return Covering(costs, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.concatenate(covering))
