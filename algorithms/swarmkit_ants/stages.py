"""The trail on any problem: an ant visits every stage once and picks a candidate, which carries the pheromone.

Routes are solutions. Candidates are chosen in proportion to τ^alpha·η^beta: on tables η is what a candidate adds to the
score; where nothing but the score is known, all are equal. References as in `swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, Problem, Solutions, evaluate, judge
from swarmkit.kernels.compiling import read_only
from swarmkit.search import roulette_wheel
from swarmkit_ants.colony import FAINTEST, Colony, Trail, lowest_pheromone
from swarmkit_ants.kernels.stage_walk import Batch, ChoiceRule, Tables, build_solutions

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco

WARM = 0.5
"""The share of pheromone that evaporates where a solution that was handed in has other candidates."""

ATTEMPTS = 20
"""How often ants that ended in a dead end begin again; a problem that needs more should define `allowed`."""


class StageTrail(Trail):
    """Pheromone on single candidates.

    Args:
        problem: the problem.
        params: the parameters of the solver.
    """

    wears = True
    """The ants of an iteration go at once."""

    def __init__(self, problem: Problem, params: TspAco.Params) -> None:
        sizes = np.asarray(problem.sizes, np.int64)
        self.params, self.rho, self.offsets = params, params.rho or Trail.rho, np.concatenate([[0], np.cumsum(sizes)])
        if params.variant == "mmas":
            self.limits = lowest_pheromone(len(sizes), float(sizes.mean()), params.p_best), 1.0
        self.scoring = params.local_search == "none"
        """Whether solutions are scored; if not, the local search that follows does it."""

    def start(self, rng: Generator) -> Colony:
        """Return a colony with equal pheromone everywhere."""
        n, ants = len(self.offsets) - 1, self.params.ants
        initial = 1.0 / n if self.params.variant == "acs" else 1.0
        return Colony.of(np.full(self.offsets[-1], initial), ants, n, rng)

    def reinforce(self, colony: Colony, route: Ints, keep: float, amount: float) -> None:
        """Let the pheromone τ of a solution's candidates become keep·τ + amount."""
        slots = self.offsets[:-1] + route
        colony.pheromone[slots] = keep * colony.pheromone[slots] + amount

    def warm(self, colony: Colony, route: Ints) -> None:
        """Let half of all pheromone evaporate, except on the candidates of a solution."""
        slots = self.offsets[:-1] + route
        before = colony.pheromone[slots]
        colony.pheromone *= 1.0 - WARM
        colony.pheromone[slots] = np.maximum(before, colony.pheromone.max())


class TableTrail(StageTrail):
    """Compiled ants, for problems that have neither constraints nor an appeal of their own."""

    def __init__(self, problem: Problem, params: TspAco.Params) -> None:
        super().__init__(problem, params)
        sizes, distinct = np.asarray(problem.sizes, np.int64), problem.distinct
        self._tables = tables_of(problem.structure.pairwise or Pairwise.of(sizes, distinct=distinct))
        taken = np.empty((params.ants, int(sizes.max()) if distinct else 0), np.bool_)
        self._scratch = taken, *np.empty((2, int(sizes.max())))

    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let all ants build solutions; on tables their scores come with them."""
        rule = ChoiceRule(colony.pheromone**self.params.alpha, self.params.beta, FAINTEST)
        build_solutions(self._tables, rule, Batch(colony.routes, colony.scores, *self._scratch), colony.rng_state)
        if not problem.structure.black_box:
            return len(colony.pheromone) * len(colony.routes)
        colony.scores[:] = evaluate(problem, colony.routes) if self.scoring else -np.inf
        return colony.routes.size if self.scoring else 0


class AskingTrail(StageTrail):
    """Ants that ask the problem what is allowed and how appealing it is, for any problem.

    They go side by side. Those that end in a dead end begin again in the next step. In the first step of a run one of
    them goes alone, so that a short run has a solution.
    """

    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let ants build solutions, and score these when enough of them are feasible; there may be fewer than ants."""
        n, ants = len(problem.sizes), self.params.ants
        if colony.attempts == 0:
            colony.routes, colony.first = colony.routes[:0], int(rng.integers(n))
        alone = colony.attempts + colony.incumbents.iteration == 0
        X, looks = self._walk(problem, colony, 1 if alone else ants - len(colony.routes), rng)
        colony.routes, colony.attempts = np.vstack([colony.routes, X[judge(problem, X)]]), colony.attempts + 1
        if len(colony.routes) < ants and colony.attempts < ATTEMPTS:
            return looks
        colony.attempts, X = 0, colony.routes
        colony.scores = evaluate(problem, X) if self.scoring and len(X) else np.full(len(X), -np.inf)
        return looks + (X.size if self.scoring else 0)

    def _walk(self, problem: Problem, colony: Colony, ants: int, rng: Generator) -> tuple[Solutions, int]:
        """Return the solutions of the ants that met no dead end, and the looks."""
        strength, X, looks = colony.pheromone**self.params.alpha, np.full((ants, len(problem.sizes)), -1, np.int64), 0
        blind = problem.structure.black_box and not problem.structure.own_appeal
        for stage in np.roll(np.arange(X.shape[1]), -colony.first).tolist():
            allowed = np.asarray(problem.allowed(X, stage), bool)
            looks += len(X) * (1 if blind else allowed.shape[1])
            possible = allowed.any(axis=1)
            X, allowed = X[possible], allowed[possible]
            tau = strength[self.offsets[stage] : self.offsets[stage + 1]]
            weights = tau * heuristic(problem, X, stage) ** self.params.beta * allowed
            X[:, stage] = roulette_wheel(weights, rng.random(len(X)))
        return X, looks


def heuristic(problem: Problem, X: Solutions, stage: int) -> Floats:
    """Return η of the candidates of a stage for each unfinished solution."""
    appeal = np.asarray(problem.appeal(X, stage, stage - 1 if stage else X.shape[1] - 1), np.float64)
    return proportional(appeal) if problem.structure.own_appeal else visibility(appeal)


def visibility(appeal: Floats) -> Floats:
    """Return η of marginal scores, which have no natural zero: from `FAINTEST` for the row's least to 1 for its most.

    >>> visibility(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.05, 0.5, 1.0], [1.0, 1.0, 1.0]]
    """
    least = appeal.min(axis=1, keepdims=True, initial=np.inf)
    extent = appeal.max(axis=1, keepdims=True, initial=-np.inf) - least
    return np.where(extent > 0, np.maximum((appeal - least) / np.where(extent > 0, extent, 1.0), FAINTEST), 1.0)


def proportional(appeal: Floats) -> Floats:
    """Return η where the problem defines how appealing candidates are: in proportion, at least `FAINTEST`.

    >>> proportional(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.5, 0.75, 1.0], [1.0, 1.0, 1.0]]
    """
    most = appeal.max(axis=1, keepdims=True, initial=0.0)
    return np.where(most > 0, np.maximum(appeal / np.where(most > 0, most, 1.0), FAINTEST), 1.0)


def tables_of(form: Pairwise) -> Tables:
    """Return a form's tables: contiguous rows, weights included, where the form has them."""
    half, flat, rows = form.half_edges, form.flat, form.rows
    if rows is not None:
        ones = np.ones(len(half.start), np.int64)
        sizes = np.repeat(form.sizes, np.diff(half.indptr))
        half = half._replace(start=rows.start, own=ones, other=sizes, weight=ones.astype(np.float64))
        flat = rows.data
    return read_only(Tables(form.offsets, form.unary, read_only(half), flat, form.distinct))
