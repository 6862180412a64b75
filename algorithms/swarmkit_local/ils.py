"""Iterated local search: `ils`.

Lourenço, H. R., Martin, O. C. and Stützle, T. 2003. Iterated local search. Handbook of Metaheuristics, chapter 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from numpy.random import Generator
from pydantic import Field

from swarmkit import Floats, Found, Problem, Settings, Solutions, Solver, Suitability, random_solutions
from swarmkit.search import ScoreNeighbourhood, TableNeighbourhood, TourNeighbourhood, neighbourhood_of, warm_up
from swarmkit_local import kernels
from swarmkit_local.linkage import Linkage
from swarmkit_local.optima import Optima
from swarmkit_local.rounds import TableRounds, TourRounds

FEWEST = 8
"""Cities of the shortest tour that is searched by double bridges: below, the segments of a kick would overlap."""

IlsState = TableRounds | TourRounds | Optima
"""Where the search is: on a gain table, on a tour, or at several local optima of any other neighbourhood."""


class Ils(Solver[IlsState]):
    """Iterated local search: kick a local optimum, climb again, and stay there if that is no worse."""

    reference = "Lourenço, Martin & Stützle 2003, Iterated local search, Handbook of Metaheuristics"

    class Params(Settings):
        """The kick; values ours."""

        renamed: ClassVar[Mapping[str, str]] = {"patience": "-a robust-tabu -A patience=N"}

        strength: Annotated[int, Field(ge=1, le=1000)] = 40
        """The most stages that a kick changes; each kick draws its number. On tables they lie near each other."""
        optima: Annotated[int, Field(ge=1, le=100_000)] = 128
        """The most local optima kept side by side without tables, or with constraints; fewer on large problems."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tours most, and any other problem well."""
        if problem.structure.symmetric_tour(cities=FEWEST) is not None:
            return Suitability(1.0, "it is a symmetric tour", nanoseconds=3.5)
        if problem.structure.tables is not None:
            return Suitability(0.4, "local search takes any problem", nanoseconds=20.0)
        if not problem.structure.distinct and max(problem.sizes) <= 2:  # a stage's candidates are no batch
            return Suitability(0.5, "nothing but its score is known", nanoseconds=35.0)
        # without permutations, which stages interact is learnt
        return Suitability(1.0, "nothing but its score is known", 17.0 if problem.structure.distinct else 40.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        on_tour = problem.structure.symmetric_tour(cities=FEWEST) is not None
        warm_up(problem, kernels.tour_ils if on_tour else kernels.ils)

    def start(self, problem: Problem, rng: Generator) -> IlsState:
        """Draw solutions; the first steps improve them to local optima."""
        near = neighbourhood_of(problem)
        if isinstance(near, TourNeighbourhood) and len(problem.sizes) >= FEWEST:
            return TourRounds.start(problem, random_solutions(problem, 1, rng)[0], rng)
        if isinstance(near, TableNeighbourhood | TourNeighbourhood):
            return TableRounds.start(problem, random_solutions(problem, 1, rng)[0], self._strength(problem), rng)
        optima = Optima.draw(problem, self.params.optima, rng)
        if isinstance(near, ScoreNeighbourhood) and near.scored and problem.structure.free_black_box:
            optima.linkage = Linkage.start(problem, rng)
        return optima

    def inject(self, problem: Problem, state: IlsState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions, after a climb of all its stages, if it is the best known."""
        return state.inject(problem, X, scores, rng)

    def snapshot(self, state: IlsState) -> dict[str, Any]:
        """Return the solution or tour that is kicked and climbs, or the local optima side by side."""
        return state.snapshot()

    def step(self, problem: Problem, state: IlsState, rng: Generator) -> Found:
        """Kick and climb, and stay there if that is no worse; a long climb goes on in the next step."""
        return self.steps(problem, state, rng, 1)

    def steps(self, problem: Problem, state: IlsState, rng: Generator, count: int) -> Found:
        """Make `count` steps: on tables and tours by one call of a kernel."""
        return state.steps(problem, self._strength(problem), rng, count)

    def _strength(self, problem: Problem) -> int:
        return min(self.params.strength, len(problem.sizes))
