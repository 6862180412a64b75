"""The operators of a genetic algorithm as kernels read them: codes and rates."""

from __future__ import annotations

from typing import NamedTuple

ONE_POINT, UNIFORM, ORDER, PMX = range(4)
CROSSOVERS = {"one-point": ONE_POINT, "uniform": UNIFORM, "order": ORDER, "pmx": PMX}
"""`order` and `pmx` are for permutations (stages that must differ), the others for stages that need not differ."""

CHANGE, SWAP, INVERSION = range(3)
MUTATIONS = {"change": CHANGE, "swap": SWAP, "inversion": INVERSION}
"""`swap` and `inversion` are for permutations; `change` takes another candidate."""


class Operators(NamedTuple):
    """How a child is made of two parents."""

    crossover: int
    """A code of CROSSOVERS."""
    crossover_rate: float
    """The probability of crossover; otherwise the child starts as a copy of its first parent."""
    mutation: int
    """A code of MUTATIONS."""
    mutation_rate: float
    """The probability that a stage mutates."""


class Rates(NamedTuple):
    """The rates of the tour GA, whose operators are fixed."""

    crossover: float
    """The probability of crossover; otherwise the child starts as a copy of its first parent."""
    mutation: float
    """The probability that a position mutates."""
