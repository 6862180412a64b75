"""The operators of the genetic algorithms as kernels read them: codes, rates and pairs of parents."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import Floats, Ints, Solutions

ONE_POINT, UNIFORM, ORDER, PMX = range(4)
CROSSOVERS = {"one-point": ONE_POINT, "uniform": UNIFORM, "order": ORDER, "pmx": PMX}
"""`order` and `pmx` are for permutations (stages that must differ), the others for stages that need not differ."""

CHANGE, SWAP, INVERSION = range(3)
MUTATIONS = {"change": CHANGE, "swap": SWAP, "inversion": INVERSION}
"""`swap` and `inversion` are for permutations; `change` takes another candidate."""


class Parents(NamedTuple):
    """A population with its scores, and the two parents of each child (rows of X)."""

    X: Solutions
    scores: Floats
    pairs: Ints


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
