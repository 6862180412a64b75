"""What is annealed under linear constraints: one solution on the sums of its rows, guided by the linear relaxation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Problem, Solutions
from swarmkit.search import batch_scores, feasible_near, model_of, relaxation_of, rng_state
from swarmkit_annealing import kernels
from swarmkit_annealing.linear_state import LOOKS, VIOLATED, Guide, LinearSearch
from swarmkit_annealing.schedule import Schedule, Sweeps

HOT, COLD = 0.1, 0.002
"""Start and end temperature in typical changes of the score: violations are what is to be moved out of the way."""

HOT_GUIDED, COLD_GUIDED = 0.02, 0.001
"""The same where the linear relaxation says where to begin."""

PRICE = 2.0
"""The first weight of a row, in multiples of its price: more than that keeps solutions feasible."""

LEAST_WEIGHT = 0.01
"""The least first weight, in typical changes of the score for a violation by a mean coefficient."""


@dataclass
class LinearAnnealer:
    """A solution that moves by one change, or by two of which the second makes up for what the first violates."""

    search: LinearSearch
    guide: Guide
    guided: bool
    """Whether the linear relaxation is known."""
    first: Ints
    """The first slot of each stage."""

    @classmethod
    def start(cls, problem: Problem, x: Solutions, rng: Generator) -> LinearAnnealer:
        """Return an annealer that starts from a feasible solution, the incumbent, with its weights at the first ones.

        Args:
            problem: the problem.
            x: the solution.
            rng: the run's generator, from which the kernels' generator is seeded.
        """
        model, first = model_of(problem.structure), model_of(problem.structure).rows.offsets[:-1]
        guide, guided = guide_of(problem)
        search = LinearSearch(
            chosen=np.zeros(len(x), np.int64),
            sums=np.zeros(len(model.rows.lower)),
            values=np.zeros(len(model.unary)),
            weights=guide.weights.copy(),
            best=first + x,
            scores=np.zeros(2),
            counters=np.zeros(3, np.int64),
            rng_state=rng_state(rng),
        )
        annealer = cls(search, guide, guided, np.array(first))
        annealer.go_to(problem, x)
        return annealer

    @classmethod
    def first_solution(cls, problem: Problem, rng: Generator) -> Solutions:
        """Return a feasible solution near the optimum of the relaxation, or a random one; no row if none is built."""
        relaxation, model = relaxation_of(problem.structure), model_of(problem.structure)
        shares = model.unary if relaxation is None else relaxation.shares
        order = np.lexsort((rng.random(len(shares)), shares, model.rows.stage))
        x = order[model.rows.offsets[1:] - 1] - model.rows.offsets[:-1]
        X, good = feasible_near(problem.structure, x[None], rng_state(rng))
        return X[good]

    def go_to(self, problem: Problem, x: Solutions) -> None:
        """Make a feasible solution the current one, and the incumbent."""
        from swarmkit.kernels.gain_table import fill
        from swarmkit.kernels.linear import fill_sums

        model, search, form = model_of(problem.structure), self.search, problem.structure.pairwise
        assert form is not None  # noqa: S101  (chains anneal the rest)
        search.chosen[:] = search.best[:] = model.rows.offsets[:-1] + x
        fill_sums(model.rows, search.chosen, search.sums)
        fill(model.links, model.unary, np.array(x, np.int64), search.values)
        search.counters[VIOLATED], search.scores[:] = 0, form.score(x[None])[0]

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score, which is computed again: the search adds up differences."""
        x = self.search.best - self.first
        return x, float(batch_scores(problem, x[None])[0])

    def sweep(self, problem: Problem) -> int:
        """Return the proposals in a sweep: as many as there are changes of one stage."""
        return int(np.sum(problem.sizes)) - len(problem.sizes)

    def scale(self, problem: Problem) -> tuple[float, float]:
        """Return start and end temperature."""
        typical = 1.0 / (model_of(problem.structure).unit[0] or 1.0)
        return (HOT_GUIDED * typical, COLD_GUIDED * typical) if self.guided else (HOT * typical, COLD * typical)

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make sweeps of random proposals: a worse solution is accepted with probability exp(Δ / T).

        Args:
            problem: the problem.
            schedule: the sweeps.
            rng: not used: a kernel has random numbers of its own.
        """
        trace, before = np.zeros((2, len(schedule.temperatures))), int(self.search.counters[LOOKS])
        model = model_of(problem.structure)
        count = int(kernels.linear_annealing.anneal(model, self.search, self.guide, schedule, trace))
        looks, done = max(1, int(self.search.counters[LOOKS]) - before), count < len(schedule.temperatures)
        scores, accepted = trace[:, :count]
        return Sweeps(looks, scores, accepted, schedule.stop_early and (done or accepted[-1] == 0.0))


def guide_of(problem: Problem) -> tuple[Guide, bool]:
    """Return what is proposed, and the first weights, and whether they are of the linear relaxation.

    Args:
        problem: the problem.
    """
    model, relaxation = model_of(problem.structure), relaxation_of(problem.structure)
    sizes, slots = np.diff(model.rows.offsets), len(model.unary)
    excess = np.zeros(slots) if relaxation is None else np.maximum(relaxation.excess, 0.0)
    weights = model.rows.scale / (model.unit[0] or 1.0)
    if relaxation is not None:
        weights = np.maximum(LEAST_WEIGHT * weights, PRICE * np.abs(relaxation.prices))
    # Stages without a choice are never drawn.
    order = np.lexsort((excess, np.repeat(sizes, sizes) < 2))
    rank = np.empty(slots, np.int64)
    rank[order] = np.arange(slots)
    order = order[: int(sizes[sizes > 1].sum())]
    bound = np.array([np.inf if relaxation is None else relaxation.bound])
    return Guide(order, rank, excess[order], weights, bound), relaxation is not None
