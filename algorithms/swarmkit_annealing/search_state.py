"""What `sa` and `annealing` share: where they start, from which temperature to which, and what they have reached."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator

from swarmkit import Found, Ints, Problem, Solutions, Tour, evaluate, gain_deviation, random_solutions
from swarmkit.search import GainTable, TourState, warm_up
from swarmkit_annealing.neighbourhoods import stages
from swarmkit_annealing.neighbourhoods.chains import Chains, SideBySide
from swarmkit_annealing.neighbourhoods.protocol import Scale, no_progress
from swarmkit_annealing.neighbourhoods.stages import Stages
from swarmkit_annealing.neighbourhoods.tour import TourMoves, temperature_scale

SAMPLE = 16
"""Random solutions drawn on tables: the gains of some of their moves tell how hot is hot."""

NEGLIGIBLE = 1e-9
"""A change of the score up to this many start temperatures is none: equal candidates may alternate for ever."""


@dataclass
class SearchState:
    """One of three: a solution on its gain table, a tour, or chains side by side; none where no start was found."""

    hot: float
    """Start temperature."""
    cold: float
    """End temperature."""
    sweeps: int
    progress: Ints
    """Proposals made in the sweep under way, and how many of them changed the score."""
    start_looks: int
    """Looks taken before the first step, which reports them."""
    table: GainTable | None
    tour: TourState | None
    chains: Chains | None

    def with_start_looks(self, found: Found) -> Found:
        """Return what a step found with the looks of the start added, once."""
        looks, self.start_looks = found.looks + self.start_looks, 0
        return found._replace(looks=looks)

    def restart(self, fresh: SearchState) -> Found:
        """Take over another start, because no feasible solution was found for this one."""
        self.hot, self.cold, self.chains = fresh.hot, fresh.cold, fresh.chains
        return self.with_start_looks(Found(None, None, looks=fresh.start_looks))


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
    return random_solutions(problem, chains if problem.structure.tables is None else SAMPLE, rng)


def begin(
    problem: Problem, X: Solutions, drawn: Solutions, factors: tuple[float, float], rng: Generator
) -> SearchState:
    """Return the state of a search that has measured its temperatures and made no move yet.

    Args:
        problem: any problem.
        X: the solutions to start from, one for each chain; a search on tables or tours starts from the first.
        drawn: random solutions, from which the temperature scale is measured.
        factors: start and end temperature in multiples of the neighbourhood's own.
        rng: the run's generator.
    """
    form, tour = problem.structure.tables, tour_of(problem)
    scale = measure_scale(problem, drawn, rng)
    hot = scale.hot * factors[0]
    return SearchState(
        hot=hot,
        cold=min(hot, scale.cold * factors[1]),
        sweeps=0,
        progress=no_progress(),
        start_looks=scale.looks + drawn.size + X.size + len(problem.sizes),
        table=GainTable.at(form, X[0], rng) if form is not None and tour is None else None,
        tour=TourState.at(tour, X[0], rng) if tour is not None else None,
        chains=Chains.at(problem, X) if form is None and len(X) else None,
    )


def measure_scale(problem: Problem, drawn: Solutions, rng: Generator) -> Scale:
    """Return the neighbourhood's own temperatures: on tours by costs of edges, else by the gains of random moves."""
    form, tour = problem.structure.tables, tour_of(problem)
    if tour is not None:
        return temperature_scale(tour)
    if form is not None and not form.distinct:
        deviation, looks = stages.gain_deviation(form, drawn[: stages.SOLUTIONS]), stages.SOLUTIONS * len(form.unary)
    elif len(drawn):
        deviation, looks = gain_deviation(problem, drawn, evaluate(problem, drawn), rng)
    else:
        deviation, looks = 1.0, 0
    return Scale(deviation * stages.HOT, deviation * stages.COLD, looks)


def neighbourhood_of(
    problem: Problem, state: SearchState, rng: Generator, block: int | None = None
) -> Stages | TourMoves | SideBySide | None:
    """Return the neighbourhood in which a state is annealed, or None where no feasible start was found."""
    negligible, form, tour = NEGLIGIBLE * state.hot, problem.structure.tables, tour_of(problem)
    if state.tour is not None and tour is not None:
        return TourMoves(tour, state.tour, negligible)
    if state.table is not None and form is not None:
        return Stages(form, state.table, negligible, block)
    return None if state.chains is None else SideBySide(problem, state.chains, negligible, rng)
