"""Stages that change one by one, on the gain table; for problems with tables and without constraints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from swarmkit import GRAIN, Floats, Ints, Left, Pairwise, Solutions
from swarmkit.search import GainTable, links_of
from swarmkit_annealing.adaptive_schedule import Cycle, observe, patience, record_gain, temperatures
from swarmkit_annealing.neighbourhoods.proposals import cool_by_proposals
from swarmkit_annealing.neighbourhoods.protocol import Finished, Temperatures, no_progress, proposals_within
from swarmkit_annealing.schedule import Annealed, Schedule

HOT = 2.0
"""Start temperature, in standard deviations of the gains of random moves: a typical loss is accepted with probability
exp(-1/2) = 0.6, so that nothing of the start remains."""
COLD = 0.001
"""End temperature, in the same unit: only moves that change next to nothing are still accepted."""

SOLUTIONS = 4
"""Random solutions from whose gain tables the standard deviation is computed; each table has the gains of all moves."""

BLOCK_DEGREES, SMALLEST_BLOCK = 5, 12
"""A block has this many times the stages that a stage is linked to on average, and at least this many: large enough to
rearrange a neighbourhood, small enough to cool in a fraction of a sweep."""

LATEST = 0.5
"""A reheat enters the cycle at a random point of this first fraction of its sweeps."""

COVERAGE = 3
"""When reheats and full coolings have gained the same, reheats end once they have covered all stages about this often
(times `patience`) without an improvement."""

LONGEST_REHEATS = 8
"""The reheats of a cycle take at most this many times the looks of its full cooling."""


@dataclass
class Stages:
    """The neighbourhood of a solution: another candidate at one stage, by a swap where stages must differ.

    After each cooling of a cycle its outcome is crossed with the incumbent; then blocks of the incumbent are reheated.
    """

    form: Pairwise
    table: GainTable
    negligible: float
    block: int | None = None
    """The average number of stages in a block; None: by the number of links."""

    @property
    def found(self) -> tuple[Solutions, float]:
        """The best solution met, and its score."""
        return self.table.best, float(self.table.scores[1])

    @cached_property
    def sweep(self) -> int:
        """The proposals in a sweep: as many as there are moves."""
        return int((self.form.sizes - 1).sum())

    @property
    def proposal_looks(self) -> int:
        """The looks of a proposal: where stages must differ it is a swap, two looks."""
        return 2 if self.form.distinct else 1

    def anneal(self, temperatures: Temperatures, progress: Ints, left: Left, until_frozen: bool = True) -> Annealed:
        """Propose random candidates at random stages until the step pauses."""
        proposals = proposals_within(left, self.proposal_looks, self.sweep, progress)
        falls = temperatures(proposals // self.sweep + 2)
        schedule = Schedule(falls, self.sweep, proposals, until_frozen, self.negligible)
        return anneal(self.form, self.table, schedule, progress)

    def looks_per_sweep(self, cycle: Cycle) -> int:
        """Return the number of candidates of all stages that cool; where stages must differ, two for each swap."""
        return 2 * self.sweep if self.form.distinct else int(self.form.sizes[self._cooling(cycle)].sum())

    def cool(self, cycle: Cycle, progress: Ints, left: Left) -> Annealed:
        """Let each stage draw a candidate from the heat bath, sweep by sweep; where stages must differ, swap."""
        if self.form.distinct:
            return cool_by_proposals(self, cycle, progress, left)
        room = min(left.looks, GRAIN) // self.looks_per_sweep(cycle)
        falls = temperatures(cycle, max(1, min(room, left.iterations, cycle.length - cycle.done)))
        sweeps = cool(self.form, self.table, falls, self._cooling(cycle), self.negligible)
        observe(cycle, falls, sweeps)
        return sweeps

    def finish(self, cycle: Cycle, left: Left) -> Finished:
        """Cross the incumbent with the solution at the end of the cooling, then with the incumbent of its beginning.

        Each is one child, and one call.
        """
        other = cycle.previous_best if cycle.finishing else self.table.x.copy()
        looks = cross_over(self.form, self.table, other, self.negligible)
        cycle.finishing = not cycle.finishing
        if not cycle.finishing:
            record_gain(cycle, *self.found, self.negligible)
        return Finished(looks, not cycle.finishing)

    def choose_block(self, cycle: Cycle, rng: Generator) -> bool:
        """Choose stages near each other and the sweep at which they enter the cycle, unless reheats no longer pay."""
        free = np.flatnonzero(self.form.sizes > 1)
        degrees = BLOCK_DEGREES * len(self.form.half_edges.neighbour) // len(self.form.sizes)
        block = self.block or max(SMALLEST_BLOCK, degrees)
        enough = COVERAGE * patience(cycle) * len(free) / block
        spent = cycle.reheat_looks > LONGEST_REHEATS * cycle.length * self.sweep
        if self.form.distinct or cycle.fruitless > enough or spent:
            return False
        size = round(block * 2.0 ** rng.uniform(-2, 1))
        cycle.block = block_around(self.form, int(rng.choice(free)), max(1, size))
        cycle.done = int(rng.uniform(0, LATEST) * cycle.length)
        cycle.reheat_looks += (cycle.length - cycle.done) * self.looks_per_sweep(cycle)
        return True

    def _cooling(self, cycle: Cycle) -> Ints:
        return cycle.block if len(cycle.block) else np.flatnonzero(self.form.sizes > 1)


def anneal(form: Pairwise, table: GainTable, schedule: Schedule, progress: Ints) -> Annealed:
    """Propose random moves and accept a worse one with probability exp(Δ / T).

    Args:
        form: the tables.
        table: the current solution and the incumbent; updated.
        schedule: the proposals and their temperatures.
        progress: the proposals made in the sweep under way and how many changed the score; updated.
    """
    from swarmkit_annealing.kernels import metropolis
    from swarmkit_annealing.kernels.arguments import Incumbent, Trace

    free = np.flatnonzero(form.sizes > 1)
    scores, accepted = np.empty((2, schedule.proposals // schedule.sweep + 2))
    incumbent, trace = Incumbent(table.best, table.scores), Trace(progress, scores, accepted)
    looks, sweeps, frozen = metropolis.anneal(
        links_of(form), free, table.current, incumbent, table.rng_state, schedule, trace
    )
    return Annealed(looks, sweeps, frozen, scores[:sweeps], accepted[:sweeps])


def cool(form: Pairwise, table: GainTable, temperatures: Floats, stages: Ints, negligible: float = 0.0) -> Annealed:
    """Let each of the stages, once at each temperature, draw a candidate with probability ~ exp(value / T).

    Args:
        form: the tables; stages need not differ (for those that must see `anneal`).
        table: the current solution and the incumbent; updated.
        temperatures: one for each sweep.
        stages: the stages that draw, in this order.
        negligible: changes of the score up to this do not count.
    """
    from swarmkit_annealing.kernels import gibbs
    from swarmkit_annealing.kernels.arguments import Incumbent, Trace

    scores, accepted = np.empty((2, len(temperatures)))
    bath = gibbs.HeatBath(gibbs.gumbel_noise(int(form.sizes.max())), temperatures, negligible)
    incumbent, trace = Incumbent(table.best, table.scores), Trace(no_progress(), scores, accepted)
    gibbs.cool(links_of(form), stages, table.current, incumbent, table.rng_state, bath, trace)
    looks = len(temperatures) * int(form.sizes[stages].sum())
    return Annealed(looks, len(temperatures), 0, scores, accepted)


def cross_over(form: Pairwise, table: GainTable, other: Solutions, negligible: float = 0.0) -> int:
    """Replace the incumbent by its best child with another solution, make it current, and return the looks.

    The child has either parent's candidate at every stage. Where stages must differ there is no such child, and the
    incumbent stays.
    """
    from swarmkit_annealing.kernels import partition_crossover

    table.return_to_best(form)
    differing = int((table.x != other).sum())
    if form.distinct or differing == 0:
        return 0
    current, workspace = table.current, partition_crossover.new_workspace(len(table.x), differing)
    tables = links_of(form), form.half_edges.indptr, form.half_edges.neighbour
    looks, left_out, gained = 0, 1, 1.0
    while left_out and gained > 0:  # stages that were left out may fit when fewer differ
        gained, seen, left_out = partition_crossover.cross_over(*tables, current, other, workspace, negligible)
        table.scores[:] += gained
        looks += seen
    table.best[:] = table.x
    return looks


def block_around(form: Pairwise, stage: int, size: int) -> Ints:
    """Return a stage and those nearest to it by links, up to `size` stages that have more than one candidate.

    >>> block_around(Pairwise.of([2] * 5, [(i, i + 1, np.eye(2)) for i in range(4)]), 3, 3)
    array([2, 3, 4])
    """
    from swarmkit_annealing.kernels import gibbs

    block, seen = np.zeros((2, len(form.sizes)), np.int64)
    block[0] = stage
    count = gibbs.gather(form.offsets, form.half_edges.indptr, form.half_edges.neighbour, block, seen, size)
    return np.sort(block[:count])


def gain_deviation(form: Pairwise, X: Solutions) -> float:
    """Return the standard deviation of the gains of all changes of one stage, over solutions; 1 where it is 0.

    >>> gain_deviation(Pairwise.of([2], unary=[0.0, 3.0]), np.array([[0], [1]]))
    3.0
    """
    from swarmkit.kernels.gain_table import fill

    values, gains = np.empty(len(form.unary)), []
    for x in np.asarray(X, np.int64):
        fill(links_of(form), form.unary, x, values)
        held = form.offsets[:-1] + x
        gains.append(np.delete(values - np.repeat(values[held], form.sizes), held))
    return float(np.concatenate(gains).std()) or 1.0


def smallest_losses(form: Pairwise, x: Solutions) -> Floats:
    """Return, for each stage that no change improves, what its best change loses; none may be left.

    >>> smallest_losses(Pairwise.of([2, 3], unary=[0.0, 3.0, 5.0, 1.0, 2.0]), np.array([0, 0]))
    array([3.])
    """
    from swarmkit.kernels.gain_table import fill

    x, values = np.array(x, np.int64), np.empty(len(form.unary))
    fill(links_of(form), form.unary, x, values)
    held = form.offsets[:-1] + x
    gains = values - np.repeat(values[held], form.sizes)
    gains[held] = -np.inf
    best = np.maximum.reduceat(gains, form.offsets[:-1])
    return np.asarray(-best[np.isfinite(best) & (best < 0)])
