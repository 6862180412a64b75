"""Ant colony optimisation on tours of cities, and on stages as a tour of words: `tsp-aco`.

[NO] Nguyen, K.-H. and Ock, C.-Y. 2011. Word sense disambiguation as a traveling salesman problem. Artificial
     Intelligence Review 40(4).
[SH] Stützle, T. and Hoos, H. 2000. MAX-MIN ant system. Future Generation Computer Systems 16(8).
[DG] Dorigo, M. and Gambardella, L. 1997. Ant colony system. IEEE Transactions on Evolutionary Computation 1(1).
[DM] Dorigo, M., Maniezzo, V. and Colorni, A. 1996. Ant system. IEEE Transactions on SMC B 26(1).
[CH] Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
[SK] Skinderowicz, R. 2022. Improving ant colony optimization efficiency for solving large TSP instances. Applied Soft
     Computing 120.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import WHOLE_STEP, Floats, Found, Left, Problem, Settings, Solutions, Solver, Suitability
from swarmkit.search import Neighbours, warm_up
from swarmkit_ants import pairs, stages, tours
from swarmkit_ants.aca_world import similarities
from swarmkit_ants.construction.choice import cannot_build
from swarmkit_ants.pairs import PairColony
from swarmkit_ants.stages import StageColony
from swarmkit_ants.tours import TourColony


class TspAco(Solver[TourColony | StageColony | PairColony]):
    """Ants build solutions by pheromone and heuristic values; good ones deposit pheromone, and pheromone evaporates.

    On a travelling salesman problem the pheromone lies between cities. Elsewhere an ant's tour visits every stage once
    and picks a candidate there. [NO] deposit it on pairs of senses, and their ants choose which word comes next
    (trail=pairs). Ours by default lies on single candidates, which needs the square root of the memory: the value of a
    pair is in the heuristic, the appeal beside all that is chosen.
    """

    reference = (
        "Nguyen & Ock 2011, Word sense disambiguation as a traveling salesman problem, Artif. Intell. Rev. 40(4)"
    )

    unit = "one constructed solution"

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "focus": "-A construction=focused -A new_edges=N",
            "part": "-A construction=partial -A segment=N (part=0: -A construction=walk)",
        }
    )

    class Params(Settings):
        """The colony, and how ants build tours. Defaults are ours where no paper is named."""

        variant: Literal["mmas", "acs", "as"] = "mmas"
        """MAX-MIN ant system [SH], ant colony system [DG] or ant system [DM]."""
        ants: Annotated[int, Field(ge=1, le=100_000)] = 25
        """Ants per iteration."""
        alpha: Annotated[float, Field(ge=0)] = 1.0
        """Exponent of the pheromone τ."""
        beta: Annotated[float, Field(ge=0)] = 2.0
        """Exponent of the heuristic value η: 1 / distance on tours, the appeal of candidates elsewhere."""
        rho: Annotated[float, Field(gt=0, le=1)] | None = None
        """Share of the pheromone that evaporates with each update; [DG]: 0.1, [DM]: 0.5. Default: 0.02 [SH] with
        construction=partial, else 0.05."""
        candidates: Annotated[int, Field(ge=1)] = 12
        """On tours: number of nearest cities that an ant chooses among; only edges to these carry pheromone."""
        local_search: Literal["none", "2opt", "icm"] = "none"
        """What improves the ants' solutions: nothing, 2opt (tours: 2-opt, 3-opt, Or-opt), or icm."""
        construction: Literal["auto", "walk", "focused", "partial"] = "auto"
        """On tours: an ant walks a whole tour (walk), makes a few new edges in a good one (focused [SK]), or walks a
        segment of one (partial [CH]). auto: focused with local_search=2opt on symmetric tours; partial for mmas without
        local search on symmetric tours where at most 6 % of triples violate the triangle inequality; walk otherwise."""
        new_edges: Annotated[int, Field(ge=1)] = 2
        """focused: new edges along which an ant leaves the tour that it changes."""
        segment: Annotated[int, Field(ge=2)] | None = None
        """partial: the most cities that an ant walks. Default: two fifths of the cities, at least 10, at most 80."""
        trail: Literal["candidates", "pairs"] = "candidates"
        """Where pheromone lies on problems that are no tours: on single candidates, or as in [NO] on pairs of them, the
        ants choosing the next stage too, by relatedness (mmas without local search)."""
        p_best: Annotated[float, Field(gt=0, lt=1)] = 0.05
        """mmas: the probability of building the best solution with all pheromone at its limits [SH]."""
        greed: Annotated[float, Field(ge=0, le=1)] = 0.9
        """acs: the probability of taking the best edge instead of drawing one (q0 in [DG])."""
        wear: Annotated[float, Field(ge=0, le=1)] = 0.1
        """acs: share by which the pheromone of an edge that an ant crosses moves to its initial value (ξ in [DG])."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse 2-opt without a symmetric tour, and a construction that the tour or the other parameters rule out."""
        if self.params.local_search == "2opt" and problem.structure.symmetric_tour() is None:
            return "local_search=2opt is for tours with equal costs both ways; 'icm' and 'none' do any problem"
        tour = problem.structure.tour
        if tour is not None:
            return cannot_build(self.params.construction, tour, self.params)
        return pairs.cannot(problem, self.params) if self.params.trail == "pairs" else None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit symmetric tours, with local search; elsewhere others are faster."""
        if problem.structure.symmetric_tour() is None:
            return None
        params = {"local_search": "2opt"}
        return Suitability(0.4, "it is a symmetric tour", nanoseconds=6.0, params=params)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels of the colony on tours or on stages, and lay out the tables that it reads."""
        tour = problem.structure.tour
        if tour is not None:
            from swarmkit_ants.kernels import focused_aco, partial_aco, pheromone, tour_construction

            warm_up(problem, pheromone, tour_construction, focused_aco, partial_aco)
            for neighbours in (self.params.candidates, Neighbours.CONSTRUCTION, Neighbours.LOCAL_SEARCH):
                tour.nearest(neighbours)
            return
        if self.params.trail == "pairs":
            from swarmkit_ants.kernels import pair_construction

            warm_up(problem, pair_construction)
            similarities(problem)
            return
        from swarmkit_ants.compiled_batch import tables_of
        from swarmkit_ants.kernels import stage_construction

        warm_up(problem, stage_construction)
        if not (problem.structure.constrained or problem.structure.own_appeal):
            tables_of(problem)

    def snapshot(self, state: TourColony | StageColony | PairColony) -> dict[str, Any]:
        """Return the pheromone of edges or slots, and the best solution since the last restart."""
        if isinstance(state, PairColony):
            best = state.incumbents.restart_score
            return {"tours built": state.built, **({"best since the restart": best} if np.isfinite(best) else {})}
        incumbents = state.incumbents
        current = {"current": incumbents.restart_best} if np.isfinite(incumbents.restart_score) else {}
        return {"trail": state.pheromone, **current}

    def start(self, problem: Problem, rng: Generator) -> TourColony | StageColony | PairColony:
        """Return a colony with equal pheromone everywhere."""
        tour = problem.structure.tour
        if tour is None and self.params.trail == "pairs":
            return pairs.start(problem, self.params, rng)
        return stages.start(problem, self.params, rng) if tour is None else tours.start(tour, self.params, rng)

    def inject(
        self,
        problem: Problem,
        state: TourColony | StageColony | PairColony,
        X: Solutions,
        scores: Floats,
        rng: Generator,
    ) -> int:
        """Deposit pheromone on the best of the given solutions if it is the best known."""
        best = int(np.argmax(scores))
        if isinstance(state, TourColony):
            tours.take_up(problem, self.params, state, X[best])
        elif isinstance(state, StageColony):
            stages.take_up(problem, state, X[best], float(scores[best]))
        else:
            pairs.take_up(problem, state, X[best], float(scores[best]))
        return len(problem.sizes)

    def step(
        self,
        problem: Problem,
        state: TourColony | StageColony | PairColony,
        rng: Generator,
        left: Left = WHOLE_STEP,
    ) -> Found:
        """Let ants go until a limit is reached; the pheromone is updated when all ants of an iteration are back."""
        if isinstance(state, PairColony):
            return pairs.step(problem, self.params, state, left)
        if isinstance(state, TourColony):
            return tours.step(problem, self.params, state, rng, left)
        return stages.step(problem, self.params, state, rng, left)
