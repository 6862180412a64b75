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

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, Solver, StepResult, Suitability
from swarmkit.search import start_climb, warm_up
from swarmkit_ants import colony as colonies
from swarmkit_ants.colony import Colony, Trail

STAGNATION = 250
"""Iterations without a better solution, with the pheromone converged, after which a colony is restarted [SH]."""

MOST_SLOTS = 4096
"""The most candidates with trail=pairs: pheromone of all their pairs takes 128 MiB."""


class TspAco(Solver[Colony]):
    """Ants build solutions by pheromone and heuristic values; good ones deposit pheromone, and pheromone evaporates.

    On a travelling salesman problem the pheromone lies between cities. Elsewhere an ant's tour visits every stage once
    and picks a candidate there. [NO] deposit it on pairs of senses, and their ants choose which word comes next
    (trail=pairs). Ours by default lies on single candidates, which needs the square root of the memory: the value of a
    pair is in the heuristic, the heuristic value beside all that is chosen.
    """

    reference = (
        "Nguyen & Ock 2011, Word sense disambiguation as a traveling salesman problem, Artif. Intell. Rev. 40(4)"
    )

    Params = colonies.Params
    params: colonies.Params

    def steps(self, problem: Problem, state: Colony, rng: Generator, count: int) -> StepResult:
        """Let all ants build solutions, or improve these by a piece of local search, `count` times.

        The first piece belongs to the step in which the ants build; the update of the pheromone ends an iteration.
        """
        trail, before, looks = trail_of(problem, self.params), state.iteration, 0
        while count > 0:
            if state.climb is None:
                looks += self.construct(problem, trail, state, rng)
            pieces, more = improve(problem, trail, state, rng, count)
            count, looks = count - pieces, looks + more
            if state.climb is None and not state.attempts:  # after dead ends, ants begin again in the next step
                self.end_iteration(trail, state)
        return StepResult(*best_of(problem, trail, state), looks, state.iteration - before)

    def construct(self, problem: Problem, trail: Trail, colony: Colony, rng: Generator) -> int:
        """Let every ant build a solution, choosing with probability ∝ τ^alpha·η^beta, and return the looks."""
        looks = trail.construct(problem, colony, rng)
        if len(colony.scores) == 0 or colony.attempts:
            return looks
        colony.note(*colony.iteration_best)  # a run that ends before the climbs do has an answer
        if self.params.local_search != "none" and not trail.improves:
            colony.climb = start_climb(problem, trail.solutions(colony.routes), self.params.local_search, rng)
        return looks

    def end_iteration(self, trail: Trail, colony: Colony) -> None:
        """Record the best solution, update the pheromone, and restart after stagnation."""
        colony.iteration += 1
        if len(colony.scores) == 0:  # all ants ended in dead ends
            return
        colony.record(*colony.iteration_best)
        self.update(trail, colony)
        if self.params.variant == "mmas" and colony.wait > STAGNATION and trail.needs_restart(colony):
            colony.forget()
            trail.restart(colony)

    def update(self, trail: Trail, colony: Colony) -> None:
        """Let pheromone evaporate, and deposit on the solutions of those that may."""
        rho, wear = trail.rho, self.params.wear
        if self.params.variant == "mmas":  # [SH]: one solution deposits, and pheromone has limits
            route, score = colony.depositor(trail.period if self.params.local_search == "none" else None)
            trail.update(colony, route[None], rho * trail.deposits(colony, np.array([score])), 1.0 - rho)
        elif self.params.variant == "acs":  # [DG] Eq. (4): only along the best solution does pheromone change
            for route in colony.routes if trail.wears else ():  # Eq. (5)
                trail.reinforce(colony, route, 1.0 - wear, wear / len(route))
            amount = rho * trail.deposits(colony, np.array([colony.best_score]))
            trail.reinforce(colony, colony.best, 1.0 - rho, float(amount[0]))
            trail.keep_limits(colony)
        else:  # [DM] Eqs. (1) to (3): every ant deposits
            amounts = rho / self.params.ants * trail.deposits(colony, colony.scores)
            trail.update(colony, colony.routes, amounts, 1.0 - rho)

    def start(self, problem: Problem, rng: Generator) -> Colony:
        """Return a colony with equal pheromone everywhere."""
        return trail_of(problem, self.params).start(rng)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels, and lay out the tables that ants read."""
        warm_up(problem)
        trail_of(problem, self.params)

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Deposit pheromone on the best of the given solutions if it is the best known."""
        trail, best = trail_of(problem, self.params), int(np.argmax(scores))
        route = trail.routes(np.array(X[best], np.int64))
        score = trail.score_of(route, float(scores[best]))  # as the ants sum it: equal tours have equal scores
        if score > state.best_score:
            state.record(route, score)
            trail.warm(state, route)
        return len(problem.sizes)

    def snapshot(self, state: Colony) -> dict[str, Any]:
        """Return the pheromone of edges or slots, and the best route since the restart; of pairs only its score."""
        pairs = state.pheromone.ndim == 2 and not len(state.source)
        if not np.isfinite(state.restart_score):
            return {} if pairs else {"trail": state.pheromone}
        if pairs:
            return {"best since the restart": state.restart_score}
        return {"trail": state.pheromone, "current": state.restart_best}

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit symmetric tours, with local search; elsewhere others are faster."""
        if problem.structure.symmetric_tour() is None:
            return None
        return Suitability(0.4, "it is a symmetric tour", nanoseconds=6.0, params={"local_search": "2opt"})

    def refuses(self, problem: Problem) -> str | None:
        """Refuse 2-opt without a symmetric tour, and what the problem or the other parameters rule out."""
        params, structure = self.params, problem.structure
        if params.local_search == "2opt" and structure.symmetric_tour() is None:
            return "local_search=2opt is for tours with equal costs both ways; 'icm' and 'none' do any problem"
        if structure.tour is not None:
            return params.cannot_build(params.construction, structure.tour)
        if params.trail != "pairs":
            return None
        if structure.distinct or structure.constrained:
            return "trail=pairs is for problems in which every combination of candidates is a solution"
        if params.variant != "mmas" or params.local_search != "none":
            return "trail=pairs goes with variant=mmas and local_search=none"
        slots = int(np.sum(problem.sizes))
        if slots > MOST_SLOTS:
            return (
                f"trail=pairs keeps pheromone for each pair of its {slots:,} candidates, and at most {MOST_SLOTS:,} "
                "candidates are expected: trail=candidates needs less (for words, sentences as units too: "
                "-P unit=sentence)"
            )
        return None


def improve(problem: Problem, trail: Trail, colony: Colony, rng: Generator, count: int) -> tuple[int, int]:
    """Improve the solutions of the iteration by up to `count` pieces of local search; return the pieces and looks.

    Without local search, that the ants have built them is the one piece.
    """
    climb = colony.climb
    if climb is None:
        return 1, 0
    before = climb.pieces
    looks = climb.steps(problem, rng, count)
    if climb.finished:
        colony.routes, colony.scores, colony.climb = trail.routes(climb.X), climb.scores - trail.constant, None
    return climb.pieces - before, looks


def best_of(problem: Problem, trail: Trail, colony: Colony) -> tuple[Solutions | None, float | None]:
    """Return the best solution so far, one under local search included, and its score."""
    score = trail.constant + colony.best_score
    climbing = None if colony.climb is None else colony.climb.best(problem)
    if climbing is not None and climbing[1] > score:
        return climbing
    return (None, None) if score == -np.inf else (trail.solutions(colony.best), score)


_TRAILS: WeakKeyDictionary[Problem, dict[colonies.Params, Trail]] = WeakKeyDictionary()
"""Laid out once for each problem: a step takes less time."""


def trail_of(problem: Problem, params: colonies.Params) -> Trail:
    """Return where pheromone lies on a problem; the only place where its kind makes a difference."""
    trails = _TRAILS.setdefault(problem, {})
    if params not in trails:
        trails[params] = lay_trail(problem, params)
    return trails[params]


def lay_trail(problem: Problem, params: colonies.Params) -> Trail:
    """Return pheromone on edges of tours, on pairs of candidates, or on single candidates."""
    structure = problem.structure
    if structure.tour is not None:
        from swarmkit_ants.tours import TourTrail

        return TourTrail(structure.tour, params)
    from swarmkit_ants.stages import AskingTrail, PairTrail, TableTrail

    if params.trail == "pairs":
        return PairTrail(problem, params)
    return (AskingTrail if structure.constrained or structure.has_heuristic else TableTrail)(problem, params)
