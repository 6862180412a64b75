"""What annealing walks on where a problem has tables: stages that change one by one, or a tour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.random import Generator

from swarmkit import Pairwise, Tour
from swarmkit.compiled import (
    Annealed,
    Round,
    Walk,
    anneal,
    anneal_round,
    block_around,
    cool,
    merge,
    polish_round,
)
from swarmkit_annealing.cycles import Cycle, Floats, Ints, patience, settle

LONGER = 8
"""Reheats after a cycle take at most so many times the cycle's looks."""

NEIGHBOURS, SMALLEST = 5, 12
"""A block has so many times the stages that a stage is linked to, and at least so many."""

LATEST = 0.5
"""A reheat begins anywhere in this first share of a cycle's time."""

COVERED = 3
"""Where the gains of late are shared equally, reheats that cover all stages so often in vain are enough."""

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

    def anneal(self, falls: Floats, within: Ints, proposals: int, slight: float) -> Annealed:
        """Make proposals, each sweep at its temperature, until it is frozen."""

    def looks(self, cycle: Cycle) -> int:
        """Count the looks of a sweep of a cycle, at most."""

    def cool(self, cycle: Cycle, falls: Floats, slight: float) -> Annealed:
        """Make whole sweeps of a cycle."""

    def end(self, cycle: Cycle, slight: float) -> int:
        """Make the most of what a fall has found, and stand where the best solution is; give the looks."""

    def reheats(self, cycle: Cycle, rng: Generator) -> bool:
        """Choose what is reheated next, or say that it is enough."""


@dataclass
class Tables:
    """Stages that change one by one; after a cycle blocks of the best solution are reheated, as long as that pays."""

    form: Pairwise
    walk: Walk
    block: int | None

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

    def anneal(self, falls: Floats, within: Ints, proposals: int, slight: float) -> Annealed:
        """Change stages at random."""
        return anneal(self.form, self.walk, falls, self.sweep, within, proposals, until_frozen=True, slight=slight)

    def looks(self, cycle: Cycle) -> int:
        """Count all candidates of the stages; where stages must differ, two for each swap."""
        return 2 * self.sweep if self.form.distinct else int(self.form.sizes[self._stages(cycle)].sum())

    def cool(self, cycle: Cycle, falls: Floats, slight: float) -> Annealed:
        """Let each stage in turn draw one of its candidates; where stages must differ, swap at random."""
        if not self.form.distinct:
            return cool(self.form, self.walk, falls, self._stages(cycle), slight)
        proposals, within = len(falls) * self.sweep, np.zeros(2, np.int64)
        return anneal(self.form, self.walk, np.append(falls, 1.0), self.sweep, within, proposals, slight=slight)

    def end(self, cycle: Cycle, slight: float) -> int:
        """Go to the best child that the best solution has with where the fall ended and with where it began."""
        here = self.walk.x.copy()
        looks = merge(self.form, self.walk, here, slight) + merge(self.form, self.walk, cycle.kept, slight)
        settle(cycle, *self.found, slight)
        return looks

    def reheats(self, cycle: Cycle, rng: Generator) -> bool:
        """Choose a block and where in the cycle's time its reheat begins."""
        free = np.flatnonzero(self.form.sizes > 1)
        block = self.block or max(SMALLEST, NEIGHBOURS * len(self.form.half_edges.neighbour) // len(self.form.sizes))
        patient = COVERED * patience(cycle) * len(free) / block
        if self.form.distinct or cycle.idle > patient or cycle.rested > LONGER * cycle.length * self.sweep:
            return False
        size = round(block * 2.0 ** rng.uniform(-2, 1))
        cycle.stages = block_around(self.form, int(rng.choice(free)), max(1, size))
        cycle.done = int(rng.uniform(0, LATEST) * cycle.length)
        cycle.rested += (cycle.length - cycle.done) * self.looks(cycle)
        return True

    def _stages(self, cycle: Cycle) -> Ints:
        return cycle.stages if len(cycle.stages) else np.flatnonzero(self.form.sizes > 1)


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

    def anneal(self, falls: Floats, within: Ints, proposals: int, slight: float) -> Annealed:
        """Change the tour."""
        return anneal_round(
            self.tour, self.trip, falls, self.sweep, within, proposals, until_frozen=True, slight=slight
        )

    def looks(self, cycle: Cycle) -> int:
        """Count two for each proposal."""
        return 2 * self.sweep

    def cool(self, cycle: Cycle, falls: Floats, slight: float) -> Annealed:
        """Change the tour."""
        proposals, within = len(falls) * self.sweep, np.zeros(2, np.int64)
        return anneal_round(self.tour, self.trip, np.append(falls, 1.0), self.sweep, within, proposals, slight=slight)

    def end(self, cycle: Cycle, slight: float) -> int:
        """Improve the best tour until no 3-opt move does."""
        return polish_round(self.tour, self.trip)

    def reheats(self, cycle: Cycle, rng: Generator) -> bool:
        """Say no: reheats gain less on tours than the next cycle."""
        return False
