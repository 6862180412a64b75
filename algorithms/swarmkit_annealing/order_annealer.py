"""What is annealed where tables join the stages of a sequence to the next ones: paths and directed tours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Problem, Solutions, Structure
from swarmkit.search import Credit, batch_scores, links_of, rng_state
from swarmkit_annealing import kernels
from swarmkit_annealing.order_state import LOOKS, OrderSearch
from swarmkit_annealing.schedule import Cycle, Schedule, Sweeps, record_gain

FEWEST = 4
"""Shorter sequences are left to swaps."""

PROPOSALS_PER_STAGE = 20
"""Proposals in a sweep: a fraction of the moves, of which most join places that are far from each other."""


def order_of(structure: Structure) -> Ints | None:
    """Return the stages along the path or directed tour that tables of distinct stages are, if it is long enough.

    Args:
        structure: the structure of a problem.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> path = Pairwise.of([4] * 4, [(i, (i + 1) % 4, np.eye(4)) for i in (0, 2, 3)], distinct=True)
    >>> order_of(PairwiseProblem(path).structure).tolist()
    [1, 0, 3, 2]
    """
    sequence = structure.sequence
    return sequence if sequence is not None and len(sequence) >= FEWEST else None


@dataclass
class OrderAnnealer:
    """A sequence that moves by swaps, insertions and reversals, by credit; and the incumbent."""

    search: OrderSearch
    credit: Credit

    @classmethod
    def start(cls, problem: Problem, x: Solutions, rng: Generator) -> OrderAnnealer:
        """Return an annealer that starts from solution x."""
        order, n, credit = order_of(problem.structure), len(x), Credit.even(3)
        assert order is not None  # noqa: S101  (others anneal the rest)
        z, score = np.array(x[order], np.int64), float(batch_scores(problem, np.asarray(x)[None])[0])
        search = OrderSearch(
            x=z,
            y=z.copy(),
            best=z.copy(),
            changed=np.zeros(n, np.int64),
            order=np.array(order, np.int64),
            place=np.argsort(order),
            scores=np.array([score, score]),
            shares=credit.shares,
            moves=credit.moves,
            improvements=credit.improvements,
            counters=np.zeros(1, np.int64),
            rng_state=rng_state(rng),
        )
        return cls(search, credit)

    @property
    def x(self) -> Solutions:
        """The current solution."""
        return np.asarray(self.search.x[self.search.place])

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score, which is computed again: the search adds up differences."""
        x = self.search.best[self.search.place]
        return x, float(batch_scores(problem, x[None])[0])

    def sweep(self, problem: Problem) -> int:
        """Return the proposals in a sweep."""
        return PROPOSALS_PER_STAGE * len(self.search.x)

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals: a worse one is accepted with probability exp(Δ / T).

        Args:
            problem: the problem.
            schedule: the sweeps.
            rng: not used: a kernel has random numbers of its own.
        """
        form, trace = problem.structure.tables, np.zeros((2, len(schedule.temperatures)))
        assert form is not None  # noqa: S101  (as above)
        before, count, done = int(self.search.counters[LOOKS]), 0, False
        while count < len(schedule.temperatures) and not done:  # what a sweep has taught is for the next one
            one, part = schedule._replace(temperatures=schedule.temperatures[count : count + 1]), np.zeros((2, 1))
            kernels.order_annealing.anneal(links_of(form), form.unary, self.search, one, part)
            trace[:, count], count = part[:, 0], count + 1
            done = schedule.stop_early and part[1, 0] == 0.0
            self._renew()
        looks = int(self.search.counters[LOOKS]) - before
        return Sweeps(looks, trace[0, :count], trace[1, :count], done)

    def cool(self, problem: Problem, schedule: Schedule, block: Ints, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals; a sequence has no blocks."""
        return self.anneal(problem, schedule, rng)

    def finish(self, problem: Problem, cycle: Cycle, negligible: float) -> int:
        """Go on from the best solution of the cycle, and return no looks."""
        record_gain(cycle, *self.incumbent(problem), negligible)
        return 0

    def choose_block(self, problem: Problem, cycle: Cycle, block: int | None, rng: Generator) -> bool:
        """Return False: a sequence is annealed as a whole."""
        return False

    def _renew(self) -> None:
        """Let the shares of the kinds follow what they have led to."""
        credit, search = self.credit, self.search
        credit.moves, credit.improvements = search.moves.copy(), search.improvements.copy()
        credit.renew()
        search.shares[:], search.moves[:], search.improvements[:] = credit.shares, credit.moves, credit.improvements
