"""What `sa` and `annealing` share: where they start, from which temperature to which, and what they have reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, StepResult, random_solutions
from swarmkit.search import TableNeighbourhood, TourNeighbourhood, neighbourhood_of, warm_up
from swarmkit_annealing.adaptive_schedule import Cycle
from swarmkit_annealing.chains import Chains, ChainStart
from swarmkit_annealing.tables import COLD, HOT, TableAnnealer, smallest_losses, table_scale
from swarmkit_annealing.tours import TourAnnealer, tour_scale

SAMPLE = 16
"""Random solutions drawn on tables: the gains of some of their moves tell how hot is hot."""

CHAIN_STAGES, FEWEST_CHAINS = 16_384, 4
"""Chains have this many stages together on large problems, where many chains would never cool, but there are at least
as many of them as this: a call of `score` costs as much as several rows."""

WARM_SHARE = 0.1
"""Temperature at which given solutions are taken up on tours, with swaps, and by chains, as a share of `hot`."""


@dataclass
class SearchState:
    """What is annealed, and how hot."""

    annealer: TableAnnealer | TourAnnealer | Chains | ChainStart
    """The current solution or chains, and the incumbent."""
    hot: float = 0.0
    """Start temperature; 0 before it has been measured."""
    cold: float = 0.0
    """End temperature, likewise."""
    sweeps: int = 0
    """Sweeps so far."""
    acceptance: float = 1.0
    """The fraction of proposals in the last sweep that changed the score."""
    cycle: Cycle | None = None
    """The current cycle of `annealing`, with what the cycles before have taught; None for chains, which learn nothing,
    and for `sa`."""

    def snapshot(self) -> dict[str, Any]:
        """Return the current solution, or the chains, and the fraction of proposals that changed the score."""
        match self.annealer:
            case TableAnnealer(x=x):
                current: dict[str, Any] = {"current": x}
            case TourAnnealer(tour=tour):
                current = {"current": tour}
            case Chains(X=X, scores=scores):
                current = {"solutions": X, "qualities": scores}
            case _:
                return {}
        return {"acceptance": self.acceptance, **current}

    def score_start(self, problem: Problem, factors: tuple[float, float], rng: Generator) -> StepResult:
        """Score the solutions from which chains start, and measure their temperatures; where there are none, draw some.

        Args:
            problem: the problem.
            factors: start and end temperature in multiples of the neighbourhood's own.
            rng: the run's generator.
        """
        start = self.annealer
        assert isinstance(start, ChainStart)  # noqa: S101  (solvers ask)
        if not len(start.X):
            start.X = random_solutions(problem, start.chains, rng)
            return StepResult(None, None, looks=len(problem.sizes))
        self.annealer, deviation, looks = start.score(problem, rng)
        self.hot, self.cold = temperatures((HOT * deviation, COLD * deviation), factors)
        self.hot = max(self.cold, start.warmth * self.hot)
        return StepResult(*self.annealer.incumbent(problem), looks, iterations=0)

    def take_up(self, problem: Problem, X: Solutions, scores: Floats, chains: int, rng: Generator) -> bool:
        """Go on from given solutions: the best of them on tables, all of them by chains.

        Args:
            problem: the problem.
            X: feasible solutions, one per row.
            scores: their scores.
            chains: the number of chains.
            rng: the run's generator.

        Returns:
            Whether the best of them is better than what the search has met.
        """
        annealer, best = self.annealer, int(np.argmax(scores))
        if not isinstance(annealer, ChainStart) and scores[best] <= annealer.incumbent(problem)[1]:
            return False
        if isinstance(annealer, TableAnnealer | TourAnnealer):
            self.annealer = annealer.start(problem, X[best], rng)
        else:
            self.annealer = ChainStart(np.array(X), chains, warmth=WARM_SHARE)
        return True

    def warm_temperature(self, problem: Problem, share: float) -> float:
        """Return the temperature at which the current solution is annealed if it was given: far below `hot`.

        Args:
            problem: the problem.
            share: on tables, the temperature in mean smallest losses of the stages.
        """
        form, annealer, warm = problem.structure.free_tables, self.annealer, WARM_SHARE * self.hot
        if isinstance(annealer, TableAnnealer) and form is not None:
            losses = smallest_losses(form, annealer.x)
            warm = share * float(losses.mean()) if len(losses) else warm
        return float(np.clip(warm, self.cold, self.hot))


def annealer_of(problem: Problem) -> type[TableAnnealer | TourAnnealer | Chains]:
    """Return what anneals a problem, by its neighbourhood: gain tables and tours have kernels, chains any moves."""
    near = neighbourhood_of(problem)
    if isinstance(near, TourNeighbourhood) and len(problem.sizes) >= TourAnnealer.SMALLEST:
        return TourAnnealer
    return TableAnnealer if isinstance(near, TableNeighbourhood) else Chains


def compile_kernels(problem: Problem) -> None:
    """Compile the kernels that a problem needs; chains need none."""
    annealer = annealer_of(problem)
    if annealer is TourAnnealer:
        from swarmkit_annealing.kernels import tour_annealing

        warm_up(problem, tour_annealing)
    elif annealer is TableAnnealer:
        from swarmkit_annealing.kernels import gibbs, metropolis, partition_crossover

        warm_up(problem, metropolis, gibbs, partition_crossover)


def begin(problem: Problem, X: Solutions, chains: int, factors: tuple[float, float], rng: Generator) -> SearchState:
    """Return the state of a search that has made no move yet; chains have not scored anything either.

    Args:
        problem: the problem.
        X: the solution to start from, one row; none: a random one, or one for each chain.
        chains: the number of chains; there are fewer on large problems.
        factors: start and end temperature in multiples of the neighbourhood's own.
        rng: the run's generator.
    """
    annealer = annealer_of(problem)
    if issubclass(annealer, Chains):
        chains = min(chains, max(FEWEST_CHAINS, CHAIN_STAGES // max(1, len(problem.sizes))))
        sample = random_solutions(problem, chains, rng)
        chains = len(sample) or chains
        return SearchState(ChainStart(X, chains, sample) if len(X) else ChainStart(sample, chains))
    sample = random_solutions(problem, SAMPLE, rng)
    on_tour = annealer is TourAnnealer
    scale = tour_scale(TourNeighbourhood(problem).tour) if on_tour else table_scale(problem, sample, rng)
    return SearchState(annealer.start(problem, [*X, *sample][0], rng), *temperatures(scale, factors))


def temperatures(scale: tuple[float, float], factors: tuple[float, float]) -> tuple[float, float]:
    """Return start and end temperature, in multiples of a neighbourhood's own; the end is never above the start.

    >>> temperatures((2.0, 0.5), (0.5, 3.0))
    (1.0, 1.0)
    """
    hot = scale[0] * factors[0]
    return hot, min(hot, scale[1] * factors[1])
