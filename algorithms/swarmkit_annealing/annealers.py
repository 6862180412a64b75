"""What compiled kernels anneal: a gain table, stage by stage, or a symmetric tour; and their units of temperature.

Both have the same methods, so a schedule cools either of them. At the end of a cooling a table crosses its outcome with
the incumbent, and a tour improves the incumbent by local search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, Problem, Solutions, Tour, gain_deviation
from swarmkit.search import GainTable, Neighbours, TableNeighbourhood, TourNeighbourhood, TourState, links_of
from swarmkit_annealing import kernels
from swarmkit_annealing.schedule import NO_BLOCK, Cycle, Schedule, Sweeps, patience, record_gain

if TYPE_CHECKING:
    from swarmkit_annealing.kernels.table_annealing import TableSearch

HOT, COLD = 2.0, 0.001
"""Start and end temperature, in standard deviations of the gains of random moves. Hot: a typical loss is accepted with
probability exp(-1/2) = 0.6, so that nothing of the start remains. Cold: only moves that change next to nothing are."""

HOT_TOUR, COLD_TOUR = 0.5, 0.01
"""The same of tours, in mean costs of an edge to a near neighbour. Hot: an edge to the next nearest city is accepted
often, a long one never, so that even hot tours stay local. Cold: almost only tours of the same length are."""

SOLUTIONS = 4
"""Random solutions from whose gain tables the standard deviation is computed; each table has the gains of all moves."""

PROPOSALS_PER_CITY = 10
"""Proposals in a sweep: about as many as a city has 2-opt and Or-opt moves with near neighbours that are worth it."""

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
        return cls.at(TableNeighbourhood(problem).form, x, rng)

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score."""
        return self.best, float(self.scores[1])

    def sweep(self, problem: Problem) -> int:
        """Return the proposals in a sweep: as many as there are moves."""
        return int(np.sum(problem.sizes)) - len(problem.sizes)

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals: a worse one is accepted with probability exp(Δ / T).

        Args:
            problem: the problem.
            schedule: the sweeps.
            rng: not used: a gain table has random numbers of its own.
        """
        search = self._search(problem, NO_BLOCK, np.empty(0))
        scores, accepted = make_sweeps(kernels.table_annealing.anneal, search, self, schedule)
        return Sweeps(int(search.move[2]), scores, accepted, schedule.stop_early and accepted[-1] == 0)

    def cool(self, problem: Problem, schedule: Schedule, block: Ints, rng: Generator) -> Sweeps:
        """Let each stage draw a candidate with probability ~ exp(value / T), sweep by sweep; with swaps, propose them.

        Args:
            problem: the problem.
            schedule: the sweeps.
            block: the stages that draw; none: all.
            rng: not used: a gain table has random numbers of its own.
        """
        form = TableNeighbourhood(problem).form
        if form.distinct:
            return self.anneal(problem, schedule, rng)
        search = self._search(problem, block, kernels.table_annealing.gumbel_noise(int(form.sizes.max())))
        sweeps = schedule._replace(sweep=len(search.stages))
        trace = make_sweeps(kernels.table_annealing.cool, search, self, sweeps)
        return Sweeps(len(schedule.temperatures) * int(form.sizes[search.stages].sum()), *trace)

    def _search(self, problem: Problem, block: Ints, noise: Floats) -> TableSearch:
        """Return the gain table as kernels read it, to move the stages of a block, or all where there is none."""
        form, move = problem.structure.tables, np.zeros(3, np.int64)
        assert form is not None  # noqa: S101  (chains anneal the rest)
        stages = block if len(block) else np.flatnonzero(form.sizes > 1)
        return kernels.table_annealing.TableSearch(links_of(form), stages, self.current, move, noise)

    def finish(self, problem: Problem, cycle: Cycle, negligible: float) -> int:
        """Cross the incumbent with the solution at the end of a cooling, then with the incumbent of its beginning.

        Each is one child and one call, which returns the looks; `cycle.finishing` is true between them.
        """
        partner = cycle.previous_best if cycle.finishing else self.x.copy()
        looks = self.cross_over(TableNeighbourhood(problem).form, partner, negligible)
        cycle.finishing = not cycle.finishing
        if not cycle.finishing:
            record_gain(cycle, *self.incumbent(problem), negligible)
        return looks

    def cross_over(self, form: Pairwise, partner: Solutions, negligible: float = 0.0) -> int:
        """Replace the incumbent by its best child with another solution, make it current, and return the looks.

        The child has either parent's candidate at every stage. Where stages must differ there is no such child, and the
        incumbent stays.
        """
        self.return_to_best(form)
        differing = int((self.x != partner).sum())
        if form.distinct or differing == 0:
            return 0
        workspace = kernels.partition_crossover.new_workspace(len(self.x), differing)
        tables = links_of(form), form.half_edges.indptr, form.half_edges.neighbour
        looks, left_out, gain = 0, 1, 1.0
        while left_out and gain > 0:  # stages that were left out may fit when fewer differ
            gain, cost, left_out = kernels.partition_crossover.cross_over(
                *tables, self.current, partner, workspace, negligible
            )
            self.scores[:] += gain
            looks += cost
        self.best[:] = self.x  # the scores of both were raised
        return looks

    def choose_block(self, problem: Problem, cycle: Cycle, block: int | None, rng: Generator) -> bool:
        """Choose stages near each other and the sweep at which they enter the cycle, unless reheats no longer pay.

        Args:
            problem: the problem.
            cycle: the cycle, whose block is set.
            block: the average number of stages in a block; None: by the number of links.
            rng: the run's generator.
        """
        form = TableNeighbourhood(problem).form
        free = np.flatnonzero(form.sizes > 1)
        # half-edges / stages is the average degree
        degrees = BLOCK_DEGREES * len(form.half_edges.neighbour) // len(form.sizes)
        block = block or max(SMALLEST_BLOCK, degrees)
        enough = COVERAGE * patience(cycle) * len(free) / block
        too_long = cycle.reheat_looks > LONGEST_REHEATS * cycle.length * self.sweep(problem)
        if form.distinct or cycle.fruitless > enough or too_long:
            return False
        size = round(block * 2.0 ** rng.uniform(-2, 1))  # a quarter to twice the average
        cycle.block = block_around(form, int(rng.choice(free)), max(1, size))
        cycle.done = int(rng.uniform(0, LATEST) * cycle.length)
        cycle.reheat_looks += (cycle.length - cycle.done) * int(form.sizes[cycle.block].sum())
        return True


@dataclass
class TourAnnealer(TourState):
    """A tour that moves by 2-opt and Or-opt moves, which join a city to one of its nearest neighbours; and the best.

    After each cooling of a cycle the incumbent is improved by local search.
    """

    @classmethod
    def start(cls, problem: Problem, x: Solutions, rng: Generator) -> TourAnnealer:
        """Return an annealer that starts from solution x."""
        return cls.at(TourNeighbourhood(problem).tour, x, rng)

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score."""
        return self.found(TourNeighbourhood(problem).tour)

    def sweep(self, problem: Problem) -> int:
        """Return the proposals in a sweep."""
        return PROPOSALS_PER_CITY * len(self.tour)

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals: a longer tour is accepted with probability exp(Δ / T).

        Args:
            problem: the problem.
            schedule: the sweeps.
            rng: not used: a tour has random numbers of its own.
        """
        tour = TourNeighbourhood(problem).tour
        search = kernels.tour_annealing.new_search(self.route, tour.cost, tour.nearest(Neighbours.RANDOM_MOVE))
        scores, accepted = make_sweeps(kernels.tour_annealing.anneal, search, self, schedule)
        looks = 2 * len(scores) * schedule.sweep  # a proposal evaluates two new edges
        return Sweeps(looks, scores, accepted, schedule.stop_early and accepted[-1] == 0)

    def cool(self, problem: Problem, schedule: Schedule, block: Ints, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals; a tour has no blocks."""
        return self.anneal(problem, schedule, rng)

    def finish(self, problem: Problem, cycle: Cycle, negligible: float) -> int:
        """Improve the best tour until no 3-opt or Or-opt move does, a pass in each call, which returns the looks."""
        if not cycle.finishing:
            self.begin_improving()
        looks = self.improve(TourNeighbourhood(problem).tour, 1)
        cycle.finishing = self.improving
        return looks

    def choose_block(self, problem: Problem, cycle: Cycle, block: int | None, rng: Generator) -> bool:
        """Return False: on tours the next cycle gains more than reheats of parts."""
        return False


def make_sweeps(kernel: Any, search: Any, annealer: TableAnnealer | TourAnnealer, schedule: Schedule) -> Floats:
    """Make sweeps by a kernel; return two rows: the score at the end of each sweep, and its fraction of changes."""
    trace = np.empty((2, len(schedule.temperatures)))
    incumbent = kernels.table_annealing.Incumbent(annealer.best, annealer.scores)
    count = kernel(search, incumbent, annealer.rng_state, schedule, trace)
    return trace[:, :count]


def table_scale(problem: Problem, sample: Solutions, rng: Generator) -> tuple[float, float]:
    """Return start and end temperature, from the standard deviation of the gains of moves from sampled solutions.

    Args:
        problem: the problem.
        sample: random solutions.
        rng: the run's generator: of swaps a few are drawn; of changes of one stage all are read.
    """
    form = TableNeighbourhood(problem).form
    if form.distinct:
        deviation, _ = gain_deviation(problem, sample, np.zeros(len(sample)), rng)  # by tables: no scores needed
    else:
        deviation = deviation_of_changes(form, sample[:SOLUTIONS])
    return HOT * deviation, COLD * deviation


def tour_scale(tour: Tour) -> tuple[float, float]:
    """Return start and end temperature; their unit is the mean cost of an edge to a near neighbour."""
    near = tour.nearest(Neighbours.RANDOM_MOVE)
    unit = float(np.abs(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1)).mean()) or 1.0
    return HOT_TOUR * unit, COLD_TOUR * unit


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
    gains[form.offsets[:-1] + x] = -np.inf  # to stay is no change
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
    crossover = kernels.partition_crossover
    block, rank = np.zeros(len(form.sizes), np.int64), np.where(form.sizes > 1, crossover.NO_RANK, crossover.OUTSIDE)
    count = crossover.collect(form.half_edges.indptr, form.half_edges.neighbour, block, rank, stage, size)
    return np.sort(block[:count])
