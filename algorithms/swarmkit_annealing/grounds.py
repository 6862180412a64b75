"""What annealing walks on where a problem has tables: stages that change one by one, or a tour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from swarmkit import GRAIN, Pairwise, Tour
from swarmkit.compiled import (
    Annealed,
    Round,
    Walk,
    anneal,
    anneal_round,
    polish_round,
    recombine,
    reheat,
)
from swarmkit_annealing.cycles import Cycle, Floats, patience

Ints = NDArray[np.int64]

LONGER = 8
"""Reheats after a cycle take at most so many times the cycle's looks."""

PER_CITY = 10
"""Proposals for each city in a sweep over a tour."""


class Ground(Protocol):
    """What annealing needs to know of where it walks."""

    @property
    def sweep(self) -> int:
        """Proposals in a sweep."""

    @property
    def price(self) -> int:
        """Looks that a proposal costs, at most."""

    @property
    def found(self) -> tuple[Ints, float]:
        """The best solution and its score."""

    def anneal(self, falls: Floats, within: Ints, proposals: int, slight: float, until_frozen: bool) -> Annealed:
        """Make proposals, each sweep at its temperature; stages at random or, in cycles, in turn."""

    def end(self, slight: float) -> int:
        """Make the most of what a cycle has found, and stand where the best solution is; give the looks."""

    def rest(self, cycle: Cycle) -> tuple[int, int] | None:
        """Do a grain of what is done between two cycles; give looks and iterations, or None when there is no more."""


@dataclass
class Tables:
    """Stages that change one by one; after a cycle blocks of them are reheated, as long as that pays."""

    form: Pairwise
    walk: Walk
    block: int
    reheat: int

    @property
    def sweep(self) -> int:
        """As many proposals as there are moves."""
        return int((self.form.sizes - 1).sum())

    @property
    def price(self) -> int:
        """A swap looks at two candidates."""
        return 2 if self.form.distinct else 1

    @property
    def found(self) -> tuple[Ints, float]:
        """The best solution and its score."""
        return self.walk.best, float(self.walk.scores[1])

    def anneal(self, falls: Floats, within: Ints, proposals: int, slight: float, until_frozen: bool) -> Annealed:
        """Change stages; in turn, where it is not once until frozen: a third faster than at random, and as good."""
        arguments = (self.form, self.walk, falls, self.sweep, within, proposals)
        return anneal(*arguments, until_frozen=until_frozen, slight=slight, in_turn=not until_frozen)

    def end(self, slight: float) -> int:
        """Take over into the best solution, part by part, what is better in the cycle's last."""
        return recombine(self.form, self.walk, slight)

    def rest(self, cycle: Cycle) -> tuple[int, int] | None:
        """Reheat blocks of the best solution, not for much longer than the cycle took."""
        patient = 1 + int(patience(cycle) * len(self.form.sizes))
        most = LONGER * cycle.length * self.sweep
        if self.reheat == 0 or cycle.idle >= patient or cycle.rested >= most:
            return None
        before = float(self.walk.scores[1])
        how = {"smallest": self.block, "sweeps": self.reheat, "patience": patient}
        looks, rounds, cycle.idle = reheat(self.form, self.walk, cycle.hot, cycle.cold, cycle.idle, GRAIN, **how)
        cycle.rested += looks
        cycle.credit[1] += float(self.walk.scores[1]) - before
        return looks, rounds


@dataclass
class Tours:
    """A tour that 2-opt and Or-opt moves change; after a cycle the best is improved by local search."""

    tour: Tour
    trip: Round

    @property
    def sweep(self) -> int:
        """Some proposals for each city."""
        return PER_CITY * len(self.trip.tour)

    @property
    def price(self) -> int:
        """A proposal looks at two new edges."""
        return 2

    @property
    def found(self) -> tuple[Ints, float]:
        """The best solution and its score."""
        return self.tour.solutions(self.trip.best), self.tour.constant + float(self.trip.scores[1])

    def anneal(self, falls: Floats, within: Ints, proposals: int, slight: float, until_frozen: bool) -> Annealed:
        """Change the tour."""
        arguments = (self.tour, self.trip, falls, self.sweep, within, proposals)
        return anneal_round(*arguments, until_frozen=until_frozen, slight=slight)

    def end(self, slight: float) -> int:
        """Improve the best tour until no 3-opt move does."""
        return polish_round(self.tour, self.trip)

    def rest(self, cycle: Cycle) -> None:
        """Do nothing: reheats gain less on tours than the next cycle."""
