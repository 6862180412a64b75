"""The problem `linear`: a linear program in whole numbers that was read from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal, Self

import numpy as np

from swarmkit import Constraint, Constraints, FileName, Settings, Solutions, UsageError, plain_name
from swarmkit_linear.linear_problem import LinearProblem
from swarmkit_linear.program import Program

Format = Literal["opb", "mps", "lp"]

READERS = {
    "opb": "swarmkit_linear.opb:read_opb",
    "mps": "swarmkit_linear.mps:read_mps",
    "lp": "swarmkit_linear.lp:read_lp",
}
"""The function that reads each format."""


class LinearOptions(Settings):
    """A file, and how it is read."""

    file: FileName
    """A pseudo-Boolean problem (.opb), or a linear program in whole numbers (.mps, .lp), compressed or not."""
    format: Format | None = None
    """The format of the file; by default its suffix says it."""
    best: float | None = None
    """The best objective known."""


class Linear(LinearProblem):
    """Choose a whole number for each variable: stages are variables, candidates the numbers within its bounds."""

    Options = LinearOptions

    def __init__(self, program: Program, best: float | None = None) -> None:
        columns = program.columns
        sizes = np.array([len(column.values) for column in columns])
        self.names = [column.name for column in columns]
        self.lowest = np.array([column.values[0] for column in columns])
        values = np.concatenate([program.objective.get(k, 0.0) * np.array(c.values) for k, c in enumerate(columns)])
        values[: sizes[0]] += program.constant  # exactly one candidate of the first variable is chosen
        rows = []
        for row in program.rows:
            stages = [np.full(sizes[k], k) for k in row.coefficients]
            candidates = [np.arange(sizes[k]) for k in row.coefficients]
            numbers = [value * np.array(columns[k].values) for k, value in row.coefficients.items()]
            choices = np.column_stack([_joined(stages), _joined(candidates)]).astype(np.int64)
            rows.append(Constraint.of(choices, _joined(numbers), row.lower, row.upper, row.name))
        super().__init__(sizes, values, Constraints.of(sizes, rows), best)
        if program.minimise:
            self.direction = "minimise"
        name = plain_name(program.path).stem
        self.about = f"Linear program {name}: {len(columns):,} variables, {len(rows):,} rows"

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the file."""
        kind = options.format or plain_name(options.file).suffix.lower().removeprefix(".")
        if kind not in READERS:
            raise UsageError(f"{options.file}: its suffix is none of .opb, .mps, .lp; expected one, or -P format=…")
        read: Callable[[str | Path], Program] = resolve_name(READERS[kind])
        return cls(read(options.file), options.best)

    def describe(self, x: Solutions) -> list[dict[str, Any]]:
        """Return the variables that are not 0, with their values."""
        values = self.lowest + x
        return [{"variable": self.names[k], "value": int(values[k])} for k in np.flatnonzero(values)]


def _joined(arrays: list[Any]) -> Any:
    return np.concatenate([np.zeros(0), *arrays])
