"""Iterated local search: `ils`.

Lourenço, H. R., Martin, O. C. and Stützle, T. 2003. Iterated local search. Handbook of Metaheuristics, chapter 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    WHOLE_STEP,
    Floats,
    Found,
    Ints,
    Left,
    Problem,
    Settings,
    Solutions,
    Solver,
    Suitability,
    random_solutions,
)
from swarmkit.search import GainTable, TourState, warm_up
from swarmkit_local.kicks import Round, best_solution, best_tour, kick_and_climb, kick_tour
from swarmkit_local.linkage import Linkage
from swarmkit_local.phases import DONE
from swarmkit_local.side_by_side import Optima

FEWEST = 8
"""Cities of the shortest tour that is searched by double bridges: below, the segments of a kick would overlap."""


@dataclass
class IlsState:
    """Where the search is: on a gain table, on a tour, or at several local optima of a problem without tables."""

    table: GainTable | None = None
    round: Round | None = None
    """The round in progress on the gain table."""
    tour: TourState | None = None
    base: Ints | None = None
    """The tour that rounds start from."""
    optima: Optima | None = None
    linkage: Linkage | None = None
    """Where nothing but a score is known: the search that comes before the optima, and finds out what interacts."""


class Ils(Solver[IlsState]):
    """Iterated local search: kick a local optimum, climb again, and stay there if that is no worse."""

    reference = "Lourenço, Martin & Stützle 2003, Iterated local search, Handbook of Metaheuristics"
    unit = "one stage of a climb; without tables, one stage's candidates of one solution"
    renamed: ClassVar[Mapping[str, str]] = {"patience": "-a robust-tabu -A patience=N"}

    class Params(Settings):
        """The kick; values ours."""

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
        cost = 17.0 if problem.structure.distinct else 40.0  # without permutations, which stages interact is learnt
        return Suitability(1.0, "nothing but its score is known", nanoseconds=cost)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        if problem.structure.symmetric_tour(cities=FEWEST) is not None:
            from swarmkit_local.kernels import tour_ils

            warm_up(problem, tour_ils)
        else:
            from swarmkit_local.kernels import ils

            warm_up(problem, ils)

    def start(self, problem: Problem, rng: Generator) -> IlsState:
        """Draw solutions; the first steps improve them to local optima."""
        form, tour = problem.structure.tables, problem.structure.symmetric_tour(cities=FEWEST)
        if tour is not None:
            state = TourState.at(tour, random_solutions(problem, 1, rng)[0], rng)
            state.begin_improving()
            return IlsState(tour=state, base=state.tour.copy())
        if form is not None:
            table = GainTable.at(form, random_solutions(problem, 1, rng)[0], rng)
            return IlsState(table=table, round=Round.none(len(form.sizes), self._strength(problem)))
        optima, alone = Optima.draw(problem, self.params.optima, rng), problem.structure.free_black_box
        alone = alone and not problem.overrides("gains")
        return IlsState(optima=optima, linkage=Linkage.start(problem, rng) if alone else None)

    def inject(self, problem: Problem, state: IlsState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Go on from the best of the given solutions, after a climb of all its stages, if it is the best known."""
        form, tour = problem.structure.tables, problem.structure.symmetric_tour(cities=FEWEST)
        best = int(np.argmax(scores))
        if state.tour is not None and tour is not None:
            if scores[best] > best_tour(tour, state.tour)[1]:
                state.tour = TourState.at(tour, X[best], rng)
                state.tour.begin_improving()
                state.base = state.tour.tour.copy()
        elif state.table is not None and state.round is not None and form is not None:
            if scores[best] > best_solution(state.table, state.round)[1]:
                state.table = GainTable.at(form, X[best], rng)
                state.round = Round.climb(len(form.sizes), self._strength(problem), float(state.table.scores[0]))
        elif state.optima is not None:
            if state.linkage is not None:
                state.linkage.take_up(X, scores)
            state.optima.take_up(X, scores)
            return 0
        return len(problem.sizes)

    def snapshot(self, state: IlsState) -> dict[str, Any]:
        """Return the solution or tour that is kicked and climbs, or the local optima side by side."""
        if state.table is not None:
            return {"current": state.table.x}
        if state.tour is not None:
            return {"current": state.tour.tour}
        optima = state.optima
        if optima is None:
            return {}
        shown = {"solutions": optima.X}
        return {**shown, "qualities": optima.scores} if np.isfinite(optima.scores).all() else shown

    def step(self, problem: Problem, state: IlsState, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Kick and climb; one kick is one iteration. Solutions on the way up are reported, too."""
        form, tour = problem.structure.tables, problem.structure.symmetric_tour(cities=FEWEST)
        if state.tour is not None and state.base is not None and tour is not None:
            looks, rounds = kick_tour(tour, state.tour, state.base, left)
            return Found(*best_tour(tour, state.tour), looks, rounds)
        if state.table is not None and state.round is not None and form is not None:
            looks, rounds = kick_and_climb(form, state.table, state.round, self._strength(problem), left)
            return Found(*best_solution(state.table, state.round), looks, rounds)
        assert state.optima is not None  # noqa: S101  (start makes one of the three)
        if state.linkage is not None and state.linkage.phase != DONE:
            looks = state.linkage.step(problem, self._strength(problem), rng, left)
            if state.linkage.phase == DONE:
                x, score = state.linkage.found
                state.optima.take_up(x[None], np.array([score]))
            if looks:  # else its last phase had nothing to score: the step goes on below
                best, known = state.linkage.best_score, len(state.linkage.best) > 0
                return Found(state.linkage.best if known else None, best if known else None, looks, iterations=0)
        if len(state.optima.X) == 0:  # no feasible solution has been found: draw again
            state.optima = Optima.draw(problem, self.params.optima, rng)
            return Found(None, None, looks=self.params.optima * len(problem.sizes))
        return state.optima.step(problem, self._strength(problem), rng, left)

    def _strength(self, problem: Problem) -> int:
        return min(self.params.strength, len(problem.sizes))
