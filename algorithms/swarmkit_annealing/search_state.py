"""What `sa` and `annealing` share: where they start, from which temperature to which, and what they have reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, StepResult, random_solutions
from swarmkit.search import TableNeighbourhood, TourNeighbourhood, neighbourhood_of, warm_up
from swarmkit_annealing import kernels
from swarmkit_annealing.annealers import (
    COLD,
    HOT,
    TableAnnealer,
    TourAnnealer,
    smallest_losses,
    table_scale,
    tour_scale,
)
from swarmkit_annealing.chains import Chains
from swarmkit_annealing.schedule import Cycle

SAMPLE = 16
"""Random solutions drawn on tables: the gains of some of their moves calibrate the start temperature."""

CHAIN_STAGES, FEWEST_CHAINS = 16_384, 4
"""Chains have this many stages together on large problems, where many chains would never cool, but there are at least
as many of them as this: a call of `score` costs as much as several rows."""

WARM_SHARE = 0.1
"""Temperature around given solutions on tours, with swaps, and for chains, as a share of `hot`."""


@dataclass
class SearchState:
    """What is annealed, and how hot."""

    annealer: TableAnnealer | TourAnnealer | Chains
    """The current solution or chains, and the incumbent."""
    hot: float = 0.0
    """Start temperature; 0 before it is calibrated: chains have scored nothing then."""
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
        return {"acceptance": self.acceptance, **current} if self.hot else {}

    def score_start(self, problem: Problem, chains: Chains, factors: tuple[float, float], rng: Generator) -> StepResult:
        """Score the solutions from which chains start, and calibrate the temperatures; draw some where there are none.

        Args:
            problem: the problem.
            chains: the annealer.
            factors: start and end temperature in multiples of the neighbourhood's own.
            rng: the run's generator.
        """
        if not len(chains.X):
            chains.X = random_solutions(problem, chains.count, rng)
            return StepResult(None, None, looks=len(problem.sizes))
        deviation, looks = chains.score_start(problem, rng)
        hot, self.cold = temperature_range((HOT * deviation, COLD * deviation), factors)
        # Around given solutions it is colder, but never below the end of a cycle.
        self.hot = max(self.cold, chains.warmth * hot)
        return StepResult(*chains.incumbent(problem), looks, iterations=0)

    def warm_start(self, problem: Problem, X: Solutions, scores: Floats, chains: int, rng: Generator) -> bool:
        """Go on from given solutions: the best of them on tables and tours, all of them by chains.

        Args:
            problem: the problem.
            X: feasible solutions, one per row.
            scores: their scores.
            chains: the number of chains.
            rng: the run's generator.

        Returns:
            Whether a table or tour goes on from the best of them, because it is better than what the search has met.
        """
        annealer, best = self.annealer, int(np.argmax(scores))
        if scores[best] <= annealer.incumbent(problem)[1]:
            return False
        if isinstance(annealer, Chains):  # calibrated again around these solutions
            self.annealer, self.hot = Chains(np.array(X), chains, warmth=WARM_SHARE), 0.0
            return False
        self.annealer = annealer.start(problem, X[best], rng)
        return True

    def warm_temperature(self, problem: Problem, share: float) -> float:
        """Return the temperature at which the current solution is annealed if a user gave it: far below `hot`.

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
        warm_up(problem, kernels.tour_annealing)
    elif annealer is TableAnnealer:
        warm_up(problem, kernels.table_annealing, kernels.partition_crossover)


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
        chains = len(sample) or chains  # as many as there are feasible solutions, if these are hard to find
        return SearchState(Chains(X, chains, sample) if len(X) else Chains(sample, chains))
    sample = random_solutions(problem, SAMPLE, rng)
    on_tour = annealer is TourAnnealer
    scale = tour_scale(TourNeighbourhood(problem).tour) if on_tour else table_scale(problem, sample, rng)
    return SearchState(annealer.start(problem, [*X, *sample][0], rng), *temperature_range(scale, factors))


def temperature_range(scale: tuple[float, float], factors: tuple[float, float]) -> tuple[float, float]:
    """Return start and end temperature, in multiples of a neighbourhood's own; the end is never above the start.

    >>> temperature_range((2.0, 0.5), (0.5, 3.0))
    (1.0, 1.0)
    """
    hot = scale[0] * factors[0]
    return hot, min(hot, scale[1] * factors[1])
