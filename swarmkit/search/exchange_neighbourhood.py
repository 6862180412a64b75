"""The neighbourhood of constraints of which nothing is known but their answers, where no single change keeps them.

Sets of a fixed size, partitions with an exact balance: two stages exchange their candidates, or both change.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Ints, Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.structure import Structure
from swarmkit.search.construction import pick_any, random_solutions
from swarmkit.search.mixed_neighbourhood import MixedClimb, MixedNeighbourhood
from swarmkit.search.neighbourhood import Climb

CHANGE, EXCHANGE, PAIR = range(3)

SOLUTIONS, CHANGES = 4, 64
"""Feasible solutions whose single changes are judged, and how many of each."""

RARE = 0.02
"""Where fewer single changes than this share are feasible, they lead nowhere."""

_RIGID: WeakKeyDictionary[Structure, bool] = WeakKeyDictionary()


def is_rigid(problem: Problem) -> bool:
    """Return whether hardly any change of a single stage keeps a feasible solution feasible, by a fixed sample.

    Args:
        problem: a problem with `feasible` or `allowed` of its own, whose stages need not differ.
    """
    structure = problem.structure
    if not any(size > 1 for size in problem.sizes):
        return False
    if structure not in _RIGID:
        rng = np.random.Generator(np.random.PCG64(0))
        X = np.repeat(random_solutions(problem, SOLUTIONS, rng), CHANGES, axis=0)
        changed = ExchangeNeighbourhood(problem).draw(X, np.full(len(X), CHANGE), rng)
        _RIGID[structure] = len(X) > 0 and float(np.mean(problem.feasible(changed))) < RARE
    return _RIGID[structure]


class ExchangeNeighbourhood(MixedNeighbourhood):
    """Two stages exchange their candidates, one stage takes another candidate, or two do."""

    @property
    def kinds(self) -> int:
        """The number of kinds; two stages are needed for all but the first."""
        return 3 if len(self.problem.sizes) > 1 else 1

    def draw(self, X: Solutions, kinds: Ints, rng: Generator) -> Solutions:
        """Return each row after a random move of a kind.

        Args:
            X: complete solutions, one a row; they are not changed.
            kinds: CHANGE, EXCHANGE or PAIR for each row; where no other stage has another candidate that both may
                take, an exchange is a change.
            rng: the generator to draw from.
        """
        sizes, rows = np.asarray(self.problem.sizes, np.int64), np.arange(len(X))
        free = np.flatnonzero(sizes > 1)
        i = free[rng.integers(len(free), size=len(X))]
        present = X[rows, i][:, None]
        partners = (X != present) & (X < sizes[i][:, None]) & (present < sizes)
        exchanged = (kinds == EXCHANGE) & partners.any(axis=1)
        others = free[rng.integers(len(free), size=len(X))]
        j = np.where(exchanged, pick_any(partners | ~exchanged[:, None], rng), others)
        Y = X.copy()
        for stages, moved in ((i, ~exchanged), (j, kinds == PAIR)):
            candidates = rng.integers(sizes[stages] - 1)
            candidates += candidates >= X[rows, stages]
            Y[rows[moved], stages[moved]] = candidates[moved]
        Y[rows[exchanged], i[exchanged]] = X[rows, j][exchanged]
        Y[rows[exchanged], j[exchanged]] = X[rows, i][exchanged]
        return Y

    def climb(self, X: Solutions, rng: Generator) -> Climb:
        """Return climbs by random moves, which end when many in a row have not improved.

        Args:
            X: feasible solutions, one a row; they are not changed.
            rng: not used: the climbs draw their moves.
        """
        return ExchangeClimb.begin(self, X)


@dataclass
class ExchangeClimb(MixedClimb):
    """Solutions that climb side by side by exchanges."""

    def neighbourhood(self, problem: Problem) -> MixedNeighbourhood:
        """Return the neighbourhood of exchanges."""
        return ExchangeNeighbourhood(problem)
