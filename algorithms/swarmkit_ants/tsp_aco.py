"""Ant colony optimisation on tours of cities, and on stages as a tour of words: `tsp-aco`.

[NO] Nguyen, K.-H. and Ock, C.-Y. 2011. Word sense disambiguation as a traveling salesman problem. Artificial
     Intelligence Review 40(4).
[SH] Stützle, T. and Hoos, H. 2000. MAX-MIN ant system. Future Generation Computer Systems 16(8).
[DG] Dorigo, M. and Gambardella, L. 1997. Ant colony system. IEEE Transactions on Evolutionary Computation 1(1).
[DM] Dorigo, M., Maniezzo, V. and Colorni, A. 1996. Ant system. IEEE Transactions on SMC B 26(1).
[CH] Chitty, D. 2017. Applying ACO to large scale TSP instances. Advances in Computational Intelligence Systems (UKCI).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from numpy.random import Generator
from pydantic import Field

from swarmkit import Found, Problem, Settings, Solver
from swarmkit.compiled import prepare_kernels
from swarmkit_ants.stages import StageColony
from swarmkit_ants.stages import start as start_on_stages
from swarmkit_ants.stages import step as step_on_stages
from swarmkit_ants.tours import TourColony, tour_of
from swarmkit_ants.tours import start as start_on_tours
from swarmkit_ants.tours import step as step_on_tours


class TspAco(Solver[Any]):
    """Ants build solutions by trail and visibility; good ones lay trail, and trail evaporates.

    On a travelling salesman's problem the trail lies between cities. Elsewhere an ant's tour visits every stage once
    and picks a candidate there. [NO] lay the trail on pairs of senses; ours lies on single candidates, which needs
    the square root of the memory: what a pair is worth is in the visibility, the appeal beside all that is chosen.
    """

    reference = (
        "Nguyen & Ock 2011, Word sense disambiguation as a traveling salesman problem, Artif. Intell. Rev. 40(4)"
    )

    class Params(Settings):
        """How the colony lives. Defaults are ours where no paper is named."""

        variant: Literal["mmas", "acs", "as"] = "mmas"
        """MAX-MIN ant system [SH], ant colony system [DG] or ant system [DM]."""
        ants: Annotated[int, Field(ge=1, le=100_000)] = 25
        """Ants an iteration."""
        alpha: Annotated[float, Field(ge=0)] = 1.0
        """Weight of the trail τ."""
        beta: Annotated[float, Field(ge=0)] = 2.0
        """Weight of the visibility η: nearness of cities, appeal of candidates."""
        rho: Annotated[float, Field(gt=0, le=1)] | None = None
        """Share of the trail that evaporates with each update; [DG]: 0.1, [DM]: 0.5, and the default is 0.02 [SH]
        where ants renew parts of tours, 0.05 elsewhere."""
        candidates: Annotated[int, Field(ge=1)] = 12
        """On tours: how many nearest cities an ant chooses among, and where trail is laid."""
        local_search: Literal["none", "2opt", "icm"] = "none"
        """What improves the ants' solutions: nothing, 2opt (tours: 2-opt, 3-opt, Or-opt), or icm."""
        focus: Annotated[int, Field(ge=0)] | None = None
        """On tours: ants change the best tour in so many places instead of walking a whole one; 0 walks, and the
        default is 2 with 2opt (Skinderowicz 2022), 0 without."""
        part: Annotated[int, Field(ge=0)] | None = None
        """mmas without local search on tours with equal costs both ways: an ant walks at most so many cities, and keeps
        the order of the last iteration's best for all others [CH]; 0 walks whole tours, and the default is two
        fifths of the cities, 10 at least and 80 at most (0 where many ways are shorter over a third city)."""
        p_best: Annotated[float, Field(gt=0, lt=1)] = 0.05
        """mmas: the chance to build the best solution with all trails at their limits [SH]."""
        greed: Annotated[float, Field(ge=0, le=1)] = 0.9
        """acs: the chance to take the best way on instead of drawing one (q0 in [DG])."""
        wear: Annotated[float, Field(ge=0, le=1)] = 0.1
        """acs: share by which an ant wears the trail it crosses down to its first strength (ξ in [DG])."""

    def refuses(self, problem: Problem) -> str | None:
        """Refuse 2-opt where there is no tour to reverse."""
        tour = tour_of(problem)
        if self.params.local_search == "2opt" and (tour is None or not tour.symmetric):
            return "local_search=2opt is for tours with equal costs both ways; 'icm' and 'none' do any problem"
        return None

    def prepare(self, problem: Problem) -> None:
        """Compile the walks, and lay the tables out in rows where stages are walked."""
        on_tour, form = tour_of(problem), problem.pairwise()
        prepare_kernels(problem, "chance", "trails", *(["focus", "renewal", "walks"] if on_tour else []))
        _ = form.rows if form is not None and not on_tour else None

    def start(self, problem: Problem, rng: Generator) -> TourColony | StageColony:
        """Begin with all trails equal."""
        tour = tour_of(problem)
        return start_on_tours(tour, self.params, rng) if tour else start_on_stages(problem, self.params, rng)

    def step(self, problem: Problem, state: TourColony | StageColony, rng: Generator) -> Found:
        """Make as many iterations as one grain is worth."""
        if isinstance(state, TourColony):
            return step_on_tours(problem, self.params, state, rng)
        return step_on_stages(problem, self.params, state, rng)
