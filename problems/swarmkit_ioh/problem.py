"""A function of IOHprofiler's suites of pseudo-Boolean and graph problems as a problem that is nothing but a score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import Floats, MissingError, Problem, Settings, UsageError, View, install_hint

CLASSES = {"pbo": "PBO", "graph": "GRAPH"}
"""The suites, and the names of their classes in the package `ioh`."""


SQUARES = (20, 21, 23)
"""Functions of a grid: torus, triangular lattice, N-Queens. The package takes a torus of 7 x 7 from 63 bits."""

TRAPS, TRAP = 24, 5
"""The function of concatenated traps, and the bits of a trap."""


class IohOptions(Settings):
    """A function of a suite; the default is OneMax on 64 bits."""

    suite: Literal["pbo", "graph"] = "pbo"
    """Pseudo-Boolean optimisation (functions 1 to 25), or graph problems (2000 and on), whose sizes are given."""
    function: Annotated[int, Field(ge=1, le=10_000)] = 1
    """The number of the function in its suite."""
    n: Annotated[int, Field(ge=4, le=20_000)] = 64
    """Number of bits of a function of the suite pbo; N-Queens, the torus and the triangular lattice need a square."""
    instance: Annotated[int, Field(ge=1, le=100)] = 1
    """The number of the instance: from 2 on bits are negated or permuted and values scaled, as IOHprofiler defines."""


class IohFunction(Problem):
    """Maximise or minimise a function of bits: stages are bits, candidates 0 and 1."""

    Options = IohOptions
    reference = (
        "C. Doerr, F. Ye, N. Horesh, H. Wang, O. M. Shir, T. Bäck (2020). Benchmarking discrete optimization "
        "heuristics with IOHprofiler. Applied Soft Computing 88."
    )

    def __init__(self, suite: str = "pbo", function: int = 1, n: int = 64, instance: int = 1) -> None:
        self.suite, self.function, self.n, self.instance = suite, function, n, instance
        functions = self._class.problems
        if function not in functions:
            raise UsageError(f"the suite '{suite}' has no function {function}; expected one of {_ranges(functions)}")
        self.name, side = str(functions[function]), math.isqrt(n)
        if suite == "pbo" and function in SQUARES and side**2 != n:
            near = f"{max(side, 2) ** 2} and {(side + 1) ** 2} are"
            raise UsageError(f"function {function} ({self.name}) needs a square number of bits; n={n} is none, {near}")
        if self._function.meta_data.instance != instance:
            raise UsageError(f"function {function} of the suite '{suite}' has no instance {instance}; expected 1")
        self.sizes = np.full(int(self._function.meta_data.n_variables), 2)
        if "MIN" in str(self._function.meta_data.optimization_type):
            self.direction = "minimise"
        self.optimum = self._known_optimum()

    def score(self, X: NDArray[Any]) -> Floats:
        """Return the value of each row."""
        if len(X) == 0:
            return np.empty(0)
        return np.array(self._function(np.asarray(X, np.int32).tolist()), np.float64)

    def view(self) -> View:
        """Return the caption."""
        return View(f"{self.name}, {len(self.sizes)} bits, instance {self.instance}")

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return the bits in groups of up to ten."""
        texts = ["".join(map(str, x[at : at + 10].tolist())) for at in range(0, len(x), 10)]
        return [{"bits from": 10 * at, "values": text} for at, text in enumerate(texts)]

    @cached_property
    def _class(self) -> Any:
        try:
            import ioh
        except ImportError as error:
            raise MissingError(f"the problem 'ioh' needs the package ioh: {install_hint('ioh')}") from error
        return getattr(ioh.ProblemClass, CLASSES[self.suite])

    @cached_property
    def _function(self) -> Any:
        import ioh

        try:
            return ioh.get_problem(self.function, self.instance, self.n if self.suite == "pbo" else 0, self._class)
        except (RuntimeError, ValueError, TypeError) as error:
            raise UsageError(f"function {self.function} of the suite '{self.suite}', n={self.n}: {error}") from error

    def _known_optimum(self) -> float | None:
        """Return the value of the optimum that the package states, if the solution it states with it has that value.

        Of concatenated traps it states all ones. Where bits are left over after the last whole trap, it counts the last
        bit of that trap with them, so that all ones are one too many, and worse than others.
        """
        if self.suite == "pbo" and self.function == TRAPS and self.n % TRAP:
            return None
        optimum = self._function.optimum
        x = np.asarray(optimum.x)
        if x.shape != np.shape(self.sizes) or not np.isin(x, (0, 1)).all() or not np.isfinite(optimum.y):
            return None
        return float(optimum.y) if self.score(x[None])[0] == optimum.y else None

    def __getstate__(self) -> dict[str, Any]:
        # The objects of the package cannot be pickled: another process makes them again when it needs them.
        return {name: value for name, value in vars(self).items() if name not in ("_class", "_function")}


def _ranges(numbers: Iterable[int]) -> str:
    """Return numbers as ranges in words.

    >>> _ranges([1, 2, 3, 7, 8])
    '1 to 3, 7 to 8'
    """
    members = set(numbers)
    firsts = sorted(number for number in members if number - 1 not in members)
    lasts = sorted(number for number in members if number + 1 not in members)
    return ", ".join(f"{first} to {last}" for first, last in zip(firsts, lasts, strict=True))
