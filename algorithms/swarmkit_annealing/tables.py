"""Annealing on the gain table, stage by stage; for problems with tables and without constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, Problem, Solutions, gain_deviation
from swarmkit.search import GainTable, links_of
from swarmkit_annealing.adaptive_schedule import NO_BLOCK, Cycle, patience, record_gain
from swarmkit_annealing.schedule import Schedule, Sweeps

if TYPE_CHECKING:
    from swarmkit_annealing.kernels.metropolis import TableSearch

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
class TableAnnealer(GainTable):
    """A solution that moves to another candidate at one stage, by a swap where stages must differ; and the incumbent.

    After each cooling of a cycle its outcome is crossed with the incumbent; then blocks of the incumbent are reheated.
    """

    @classmethod
    def start(cls, problem: Problem, x: Solutions, rng: Generator) -> TableAnnealer:
        """Return an annealer that starts from solution x."""
        return cls(**vars(GainTable.at(tables_of(problem), x, rng)))

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score."""
        return self.best, float(self.scores[1])

    def sweep(self, problem: Problem) -> int:
        """Return the proposals in a sweep: as many as there are moves."""
        return int((tables_of(problem).sizes - 1).sum())

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals: a worse one is accepted with probability exp(Δ / T).

        Args:
            problem: the problem.
            schedule: the sweeps.
            rng: not used: a gain table has random numbers of its own.
        """
        from swarmkit_annealing.kernels.metropolis import Incumbent, anneal

        search, trace = self._search(problem), np.empty((2, len(schedule.temperatures)))
        sweeps = anneal(search, Incumbent(self.best, self.scores), self.rng_state, schedule, trace)
        scores, accepted = trace[:, :sweeps]
        return Sweeps(int(search.move[2]), scores, accepted, frozen=schedule.until_frozen and accepted[-1] == 0)

    def cool(self, problem: Problem, schedule: Schedule, block: Ints, rng: Generator) -> Sweeps:
        """Let each stage draw a candidate with probability ~ exp(value / T), sweep by sweep; with swaps, propose them.

        Args:
            problem: the problem.
            schedule: the sweeps.
            block: the stages that draw; none: all.
            rng: not used: a gain table has random numbers of its own.
        """
        from swarmkit_annealing.kernels.gibbs import HeatBath, cool, gumbel_noise
        from swarmkit_annealing.kernels.metropolis import Incumbent

        form, trace = tables_of(problem), np.empty((2, len(schedule.temperatures)))
        if form.distinct:
            return self.anneal(problem, schedule, rng)
        search = self._search(problem, block)
        bath = HeatBath(search, gumbel_noise(int(form.sizes.max())))
        sweeps = schedule._replace(sweep=len(search.stages))
        cool(bath, Incumbent(self.best, self.scores), self.rng_state, sweeps, trace)
        return Sweeps(len(schedule.temperatures) * int(form.sizes[search.stages].sum()), *trace)

    def _search(self, problem: Problem, block: Ints = NO_BLOCK) -> TableSearch:
        """Return the gain table as kernels read it, to move the stages of a block, or all where there is none."""
        from swarmkit_annealing.kernels.metropolis import TableSearch

        form = tables_of(problem)
        stages = block if len(block) else np.flatnonzero(form.sizes > 1)
        return TableSearch(links_of(form), stages, self.current, np.zeros(3, np.int64))

    def finish(self, problem: Problem, cycle: Cycle, negligible: float) -> int:
        """Cross the incumbent with the solution at the end of a cooling, then with the incumbent of its beginning.

        Each is one child and one call, which returns the looks; `cycle.finishing` is true between them.
        """
        other = cycle.previous_best if cycle.finishing else self.x.copy()
        looks = self.cross_over(tables_of(problem), other, negligible)
        cycle.finishing = not cycle.finishing
        if not cycle.finishing:
            record_gain(cycle, *self.incumbent(problem), negligible)
        return looks

    def cross_over(self, form: Pairwise, other: Solutions, negligible: float = 0.0) -> int:
        """Replace the incumbent by its best child with another solution, make it current, and return the looks.

        The child has either parent's candidate at every stage. Where stages must differ there is no such child, and the
        incumbent stays.
        """
        from swarmkit_annealing.kernels import partition_crossover

        self.return_to_best(form)
        differing = int((self.x != other).sum())
        if form.distinct or differing == 0:
            return 0
        workspace = partition_crossover.new_workspace(len(self.x), differing)
        tables = links_of(form), form.half_edges.indptr, form.half_edges.neighbour
        looks, left_out, gained = 0, 1, 1.0
        while left_out and gained > 0:  # stages that were left out may fit when fewer differ
            gained, seen, left_out = partition_crossover.cross_over(*tables, self.current, other, workspace, negligible)
            self.scores[:] += gained
            looks += seen
        self.best[:] = self.x
        return looks

    def choose_block(self, problem: Problem, cycle: Cycle, block: int | None, rng: Generator) -> bool:
        """Choose stages near each other and the sweep at which they enter the cycle, unless reheats no longer pay.

        Args:
            problem: the problem.
            cycle: the cycle, whose block is set.
            block: the average number of stages in a block; None: by the number of links.
            rng: the run's generator.
        """
        form = tables_of(problem)
        free = np.flatnonzero(form.sizes > 1)
        degrees = BLOCK_DEGREES * len(form.half_edges.neighbour) // len(form.sizes)
        block = block or max(SMALLEST_BLOCK, degrees)
        enough = COVERAGE * patience(cycle) * len(free) / block
        spent = cycle.reheat_looks > LONGEST_REHEATS * cycle.length * self.sweep(problem)
        if form.distinct or cycle.fruitless > enough or spent:
            return False
        size = round(block * 2.0 ** rng.uniform(-2, 1))
        cycle.block = block_around(form, int(rng.choice(free)), max(1, size))
        cycle.done = int(rng.uniform(0, LATEST) * cycle.length)
        cycle.reheat_looks += (cycle.length - cycle.done) * int(form.sizes[cycle.block].sum())
        return True


def tables_of(problem: Problem) -> Pairwise:
    """Return the tables of an unconstrained problem that has some."""
    form = problem.structure.tables
    assert form is not None  # noqa: S101  (this module is for problems with tables)
    return form


def table_scale(problem: Problem, sample: Solutions, rng: Generator) -> tuple[float, float]:
    """Return start and end temperature, from the standard deviation of the gains of moves from sampled solutions.

    Args:
        problem: the problem.
        sample: random solutions.
        rng: the run's generator: of swaps a few are drawn; of changes of one stage all are read.
    """
    form = tables_of(problem)
    if form.distinct:
        deviation, _ = gain_deviation(problem, sample, np.zeros(len(sample)), rng)  # by tables: no scores needed
    else:
        deviation = deviation_of_changes(form, sample[:SOLUTIONS])
    return HOT * deviation, COLD * deviation


def deviation_of_changes(form: Pairwise, X: Solutions) -> float:
    """Return the standard deviation of the gains of all changes of one stage, over solutions; 1 where it is 0.

    >>> deviation_of_changes(Pairwise.of([2], unary=[0.0, 3.0]), np.array([[0], [1]]))
    3.0
    """
    gains = [np.delete(gains_of_changes(form, x), form.offsets[:-1] + x) for x in X]
    return float(np.concatenate(gains).std()) or 1.0


def smallest_losses(form: Pairwise, x: Solutions) -> Floats:
    """Return, for each stage that no change improves, what its best change loses; none may be left.

    >>> smallest_losses(Pairwise.of([2, 3], unary=[0.0, 3.0, 5.0, 1.0, 2.0]), np.array([0, 0]))
    array([3.])
    """
    gains = gains_of_changes(form, x)
    gains[form.offsets[:-1] + x] = -np.inf
    best = np.maximum.reduceat(gains, form.offsets[:-1])
    return np.asarray(-best[np.isfinite(best) & (best < 0)])


def gains_of_changes(form: Pairwise, x: Solutions) -> Floats:
    """Return the gain of every candidate at its stage beside the rest of solution x; 0 for those that x has."""
    from swarmkit.kernels.gain_table import fill

    x, values = np.array(x, np.int64), np.empty(len(form.unary))
    fill(links_of(form), form.unary, x, values)
    return np.asarray(values - np.repeat(values[form.offsets[:-1] + x], form.sizes))


def block_around(form: Pairwise, stage: int, size: int) -> Ints:
    """Return a stage and those nearest to it by links, up to `size` stages that have more than one candidate.

    >>> block_around(Pairwise.of([2] * 5, [(i, i + 1, np.eye(2)) for i in range(4)]), 3, 3)
    array([2, 3, 4])
    """
    from swarmkit_annealing.kernels.partition_crossover import EXCLUDED, UNRANKED, collect

    block, rank = np.zeros(len(form.sizes), np.int64), np.where(form.sizes > 1, UNRANKED, EXCLUDED)
    count = collect(form.half_edges.indptr, form.half_edges.neighbour, block, rank, stage, size)
    return np.sort(block[:count])
