"""What `sa` and `annealing` share: where they start, from which temperature to which, and what they have reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Ints, Problem, Solutions, Tour, gain_deviation, random_solutions
from swarmkit.search import GainTable, StepBudget, TourState, warm_up
from swarmkit_annealing.neighbourhoods import stages
from swarmkit_annealing.neighbourhoods.chains import Chains, SideBySide
from swarmkit_annealing.neighbourhoods.measurement import Measurement
from swarmkit_annealing.neighbourhoods.protocol import Neighbourhood, Scale, no_progress
from swarmkit_annealing.neighbourhoods.stages import Stages
from swarmkit_annealing.neighbourhoods.tour import TourMoves, temperature_scale

SAMPLE = 16
"""Random solutions drawn on tables: the gains of some of their moves tell how hot is hot."""

CHAIN_STAGES, FEWEST_CHAINS = 16_384, 4
"""Chains have this many stages together on large problems, where many chains would never cool, but there are at least
as many of them as this: a call of `score` costs as much as several rows."""

WARM_SHARE = 0.1
"""Temperature at which given solutions are taken up on tours, with swaps, and by chains, as a share of `hot`."""

NEGLIGIBLE = 1e-9
"""A change of the score up to this many start temperatures is none: equal candidates may alternate for ever."""


@dataclass
class SearchState:
    """One of three: a solution on its gain table, a tour, or chains side by side; none where no start was found."""

    hot: float
    """Start temperature; 0 before it has been measured."""
    cold: float
    """End temperature, likewise."""
    sweeps: int
    progress: Ints
    """Proposals made in the sweep under way, and how many of them changed the score."""
    start_looks: int
    """Looks of the start that no step has reported yet."""
    table: GainTable | None = None
    tour: TourState | None = None
    measurement: Measurement | None = None
    """What comes before the chains."""
    chains: Chains | None = None
    warmth: float = 1.0
    """The share of the measured start temperature at which chains begin: less than 1 around given solutions."""

    @property
    def empty(self) -> bool:
        """Whether no feasible start was found."""
        return all(part is None for part in (self.table, self.tour, self.measurement, self.chains))

    @property
    def shown(self) -> dict[str, Any]:
        """The current solution, or the chains, and the fraction of proposals in this sweep that changed the score."""
        proposals, changed = (int(count) for count in self.progress[:2])
        shown: dict[str, Any] = {"acceptance": changed / proposals} if proposals else {}
        if self.table is not None:
            shown["current"] = self.table.x
        elif self.tour is not None:
            shown["current"] = self.tour.tour
        elif self.chains is not None:
            shown |= {"solutions": self.chains.X, "qualities": self.chains.scores}
        return shown

    def restart(self, fresh: SearchState) -> Found:
        """Take over another start, because no feasible solution was found for this one."""
        self.measurement, looks = fresh.measurement, self.start_looks + fresh.start_looks
        self.start_looks = 0
        return Found(None, None, looks)

    def finish_start(self, problem: Problem, factors: tuple[float, float], rng: Generator, budget: StepBudget) -> None:
        """Report looks of the start, and make chains when the temperatures have been measured, as far as a step may.

        Args:
            problem: the problem.
            factors: start and end temperature in multiples of the neighbourhood's own.
            rng: the run's generator.
            budget: where the step pauses; looks and evaluations are added.
        """
        paid = min(self.start_looks, budget.left.looks)
        self.start_looks -= paid
        budget.spend(paid)
        measurement = self.measurement
        if measurement is not None:
            measurement.go_on(problem, rng, budget)
            if measurement.complete:
                self.hot, self.cold = temperatures(scale_of(measurement.deviation, 0), factors)
                self.hot = max(self.cold, self.warmth * self.hot)
                self.chains, self.measurement = measurement.chains(), None

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
        form, tour, best = problem.structure.tables, tour_of(problem), int(np.argmax(scores))
        neighbourhood = neighbourhood_of(problem, self, rng)
        if neighbourhood is not None and scores[best] <= neighbourhood.found[1]:
            return False
        if self.tour is not None and tour is not None:
            self.tour = TourState.at(tour, X[best], rng)
        elif self.table is not None and form is not None:
            self.table = GainTable.at(form, X[best], rng)
        else:
            self.measurement, self.chains = Measurement.of(np.array(X), -(-chains // len(X)), None), None
            self.warmth = WARM_SHARE
        return True

    def warm_temperature(self, problem: Problem, losses_taken: float) -> float:
        """Return the temperature at which the current solution is annealed if it was given: far below `hot`.

        Args:
            problem: the problem.
            losses_taken: on tables, the temperature in mean smallest losses of the stages.
        """
        form = problem.structure.free_tables
        losses = np.empty(0) if self.table is None or form is None else stages.smallest_losses(form, self.table.x)
        measured = losses_taken * float(losses.mean()) if len(losses) else WARM_SHARE * self.hot
        return float(np.clip(measured, self.cold, self.hot))


def tour_of(problem: Problem) -> Tour | None:
    """Return the problem as a tour that random 2-opt and Or-opt moves can change, or None."""
    return problem.structure.symmetric_tour(cities=TourState.SMALLEST)


def compile_kernels(problem: Problem) -> None:
    """Compile the kernels that a problem needs."""
    from swarmkit_annealing.kernels import gibbs, metropolis, partition_crossover, tour_annealing

    on_tour = tour_of(problem) is not None
    warm_up(problem, *([tour_annealing] if on_tour else [metropolis, gibbs, partition_crossover]))


def draw(problem: Problem, chains: int, rng: Generator) -> Solutions:
    """Return random feasible solutions: a sample on tables, else a start for each chain."""
    few = max(FEWEST_CHAINS, CHAIN_STAGES // max(1, len(problem.sizes)))
    return random_solutions(problem, min(chains, few) if problem.structure.tables is None else SAMPLE, rng)


def begin(
    problem: Problem, X: Solutions, drawn: Solutions, factors: tuple[float, float], rng: Generator
) -> SearchState:
    """Return the state of a search on tables or tours that has measured its temperatures and made no move yet.

    Args:
        problem: a problem with tables and without constraints.
        X: the solution to start from, one row.
        drawn: random solutions, from which the temperature scale is measured.
        factors: start and end temperature in multiples of the neighbourhood's own.
        rng: the run's generator.
    """
    form, tour = problem.structure.tables, tour_of(problem)
    scale = measure_scale(problem, drawn, rng)
    hot, cold = temperatures(scale, factors)
    state = SearchState(hot, cold, sweeps=0, progress=no_progress(), start_looks=scale.looks + X.size)
    if tour is not None:
        state.tour = TourState.at(tour, X[0], rng)
    elif form is not None:
        state.table = GainTable.at(form, X[0], rng)
    return state


def begin_chains(X: Solutions, copies: int, drawn: Solutions | None) -> SearchState:
    """Return the state of a search without tables, or with constraints, that has scored nothing yet.

    Args:
        X: the solutions to start from; none where no feasible one was found.
        copies: the chains that start from each of them.
        drawn: random solutions, from which the temperature scale is measured; None where X are random themselves.
    """
    state = SearchState(0.0, 0.0, sweeps=0, progress=no_progress(), start_looks=0 if len(X) else X.shape[1])
    state.measurement = Measurement.of(X, copies, drawn) if len(X) else None
    return state


def measure_scale(problem: Problem, drawn: Solutions, rng: Generator) -> Scale:
    """Return the neighbourhood's own temperatures: on tours by costs of edges, on other tables by gains of moves."""
    form, tour = problem.structure.tables, tour_of(problem)
    if tour is not None:
        return temperature_scale(tour)
    if form is not None and not form.distinct:
        used = drawn[: stages.SOLUTIONS]
        return scale_of(stages.gain_deviation(form, used), len(used) * len(form.unary))
    return scale_of(*gain_deviation(problem, drawn, np.zeros(len(drawn)), rng))  # by tables: scores are not used


def scale_of(deviation: float, looks: int) -> Scale:
    """Return the temperatures that suit a standard deviation of the gains of random moves."""
    return Scale(deviation * stages.HOT, deviation * stages.COLD, looks)


def temperatures(scale: Scale, factors: tuple[float, float]) -> tuple[float, float]:
    """Return start and end temperature, in multiples of a scale's; the end is never above the start.

    >>> temperatures(Scale(2.0, 0.5, looks=0), (0.5, 3.0))
    (1.0, 1.0)
    """
    hot = scale.hot * factors[0]
    return hot, min(hot, scale.cold * factors[1])


def neighbourhood_of(
    problem: Problem, state: SearchState, rng: Generator, block: int | None = None
) -> Stages | TourMoves | SideBySide | None:
    """Return the neighbourhood in which a state is annealed, or None before there are chains."""
    negligible, form, tour = NEGLIGIBLE * state.hot, problem.structure.tables, tour_of(problem)
    if state.tour is not None and tour is not None:
        return TourMoves(tour, state.tour, negligible)
    if state.table is not None and form is not None:
        return Stages(form, state.table, negligible, block)
    return None if state.chains is None else SideBySide(problem, state.chains, negligible, rng)


def paused(neighbourhood: Neighbourhood | None, state: SearchState, looks: int) -> Found:
    """Return what a step has found that pauses before the first move: the best of the start, as far as it is scored."""
    if neighbourhood is not None:
        return Found(*neighbourhood.found, looks, iterations=0)
    x, score = (None, None) if state.measurement is None else state.measurement.best()
    return Found(x, score, looks, iterations=0)
