"""The trails on any problem: an ant visits every stage once and picks a candidate.

Pheromone lies on single candidates, which are chosen in proportion to τ^alpha·η^beta: on tables η is what a candidate
adds to the score; where nothing but the score is known, all are equal. Or it lies on pairs of them, as in [NO].
References as in `swarmkit_ants.tsp_aco`.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Pairwise, Problem, Solutions, evaluate, judge
from swarmkit.kernels.compiling import read_only
from swarmkit.search import roulette_wheel
from swarmkit_ants.colony import Colony, Params, Trail
from swarmkit_ants.kernels.stage_walk import FAINTEST, Batch, Tables, build_solutions, build_tours
from swarmkit_ants.world import terrain_of

WARM = 0.5
"""The share of pheromone that evaporates where a solution that was handed in has other candidates."""

ATTEMPTS = 20
"""How often ants that ended in a dead end begin again; a problem that needs more should define `allowed`."""


class StageTrail(Trail):
    """Pheromone on single candidates; routes are solutions.

    Args:
        problem: the problem.
        params: the parameters of the solver.
    """

    def __init__(self, problem: Problem, params: Params) -> None:
        self.offsets = np.concatenate([[0], np.cumsum(problem.sizes)])
        slots, n = int(self.offsets[-1]), len(problem.sizes)
        super().__init__(params, (slots,), n, slots / n)
        self.scoring = params.local_search == "none"
        """Whether solutions are scored; if not, the local search that follows does it."""

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
    """Compiled ants, for problems that have neither constraints nor heuristic values of their own."""

    def __init__(self, problem: Problem, params: Params) -> None:
        super().__init__(problem, params)
        self._tables = tables_of(problem.structure.pairwise or Pairwise.of(problem.sizes))
        most = max(problem.sizes)
        busy = np.empty((params.ants, most if problem.distinct else 0), np.bool_)
        self._scratch = busy, *np.empty((2, most))

    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let all ants build solutions; on tables their scores come with them."""
        strength, batch = colony.pheromone**self.params.alpha, Batch(colony.routes, colony.scores, *self._scratch)
        build_solutions(self._tables, strength, self.params.beta, batch, colony.rng_state)
        if problem.structure.pairwise is not None:
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
        alone = colony.attempts + colony.iteration == 0  # the first step of a run
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
        # Where nothing but the score is known, no candidate's value is read: a look is the choice itself.
        blind = problem.structure.black_box and not problem.structure.has_heuristic
        for stage in np.roll(np.arange(X.shape[1]), -colony.first).tolist():
            allowed = np.asarray(problem.allowed(X, stage), bool)
            looks += len(X) * (1 if blind else allowed.shape[1])
            possible = allowed.any(axis=1)
            X, allowed = X[possible], allowed[possible]
            tau = strength[self.offsets[stage] : self.offsets[stage + 1]]
            weights = tau * heuristic(problem, X, stage) ** self.params.beta * allowed
            X[:, stage] = roulette_wheel(weights, rng.random(len(X)))
        return X, looks


class PairTrail(Trail):
    """Pheromone on pairs of slots [NO]: ants visit the stages in an order of their choice; routes are tours of slots.

    From slot s an ant goes to slot s' of any stage that is not visited yet, with probability in proportion to
    τ(s,s')^alpha·η(s,s')^beta, η the relatedness of the two. Solutions are judged by the problem's score and not by the
    length of the tour, and the limits of the pheromone are those of MAX-MIN ant system [SH].

    Args:
        problem: a problem in which every combination of candidates is a solution.
        params: the parameters of the solver.
    """

    def __init__(self, problem: Problem, params: Params) -> None:
        sizes = np.asarray(problem.sizes, np.int64)
        self.stage_of, self.first = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
        slots = len(self.stage_of)
        super().__init__(params, (slots, slots), len(sizes), slots / 2)
        self.heuristic = np.maximum(relations(problem), FAINTEST) ** params.beta
        """η^beta of all pairs of slots."""

    def construct(self, problem: Problem, colony: Colony, rng: Generator) -> int:
        """Let all ants build tours, and score these."""
        weights = colony.pheromone**self.params.alpha * self.heuristic
        visited, open_weights = np.zeros(len(self.first), np.bool_), np.zeros(len(self.stage_of))
        looks = build_tours(weights, self.stage_of, colony.routes, visited, open_weights, colony.rng_state)
        colony.scores[:] = evaluate(problem, self.solutions(colony.routes))
        return int(looks)

    def solutions(self, routes: Ints) -> Solutions:
        """Return the candidates that tours of slots choose, by stage."""
        stages, X = self.stage_of[routes], np.empty_like(routes)
        np.put_along_axis(X, stages, routes - self.first[stages], axis=-1)
        return X

    def routes(self, X: Solutions) -> Ints:
        """Return tours that visit the slots of solutions in the order of the stages."""
        return self.first + X

    def reinforce(self, colony: Colony, route: Ints, keep: float, amount: float) -> None:
        """Let the pheromone τ between consecutive slots become keep·τ + amount, both ways."""
        after = np.roll(route, -1)
        for pair in ((route, after), (after, route)):
            colony.pheromone[pair] = keep * colony.pheromone[pair] + amount

    def warm(self, colony: Colony, route: Ints) -> None:
        """Let half of all pheromone evaporate, except between all slots of a route."""
        highest = float(colony.pheromone.max())  # before evaporation
        colony.pheromone *= 1.0 - WARM
        colony.pheromone[np.ix_(route, route)] = highest


def heuristic(problem: Problem, X: Solutions, stage: int) -> Floats:
    """Return η of the candidates of a stage for each unfinished solution.

    Where the problem defines heuristic values, η is in proportion to them; marginal scores have no natural zero.
    """
    values = np.asarray(problem.heuristic_values(X, stage, stage - 1 if stage else X.shape[1] - 1), np.float64)
    return visibility(values, 0.0 if problem.structure.has_heuristic else values.min(axis=1, keepdims=True))


def visibility(values: Floats, zero: Floats | float) -> Floats:
    """Return η of candidates, a row for each solution: `FAINTEST` to 1 for the row's most, 1 if none is above zero.

    >>> visibility(np.array([[4.0, 6.0, 8.0], [0.0, 0.0, 0.0]]), 0.0).tolist()
    [[0.5, 0.75, 1.0], [1.0, 1.0, 1.0]]
    >>> visibility(np.array([[4.0, 6.0, 8.0]]), np.array([[4.0]])).tolist()
    [[0.05, 0.5, 1.0]]

    Args:
        values: the heuristic values of the candidates.
        zero: the value of a candidate that is no use at all.
    """
    extent = values.max(axis=1, keepdims=True) - zero
    return np.where(extent > 0, np.maximum((values - zero) / np.where(extent > 0, extent, 1.0), FAINTEST), 1.0)


def tables_of(form: Pairwise) -> Tables:
    """Return a form's tables: contiguous rows, weights included, where the form has them."""
    half, flat, rows = form.half_edges, form.flat, form.rows
    if rows is not None:
        ones = np.ones(len(half.start), np.int64)
        sizes = np.repeat(form.sizes, np.diff(half.indptr))
        half = half._replace(start=rows.start, stride=ones, far_stride=sizes, weight=ones.astype(np.float64))
        flat = rows.data
    return read_only(Tables(form.offsets, form.unary, read_only(half), flat))


def relations(problem: Problem) -> Floats:
    """Return the relatedness of all pairs of slots: that of the problem, of its tables, or 1 where nothing is known."""
    terrain, slots = terrain_of(problem), int(np.sum(problem.sizes))
    if len(terrain.dense):
        return terrain.dense
    dense = np.zeros((slots, slots)) if len(terrain.table_of) else np.ones((slots, slots))
    for i, j in np.argwhere(terrain.table_of >= 0):
        rows, columns = (slice(terrain.offsets[k], terrain.offsets[k] + terrain.sizes[k]) for k in (i, j))
        begin, shape = terrain.table_of[i, j], dense[rows, columns].shape
        dense[rows, columns] = terrain.flat[begin : begin + shape[0] * shape[1]].reshape(shape)
        dense[columns, rows] = dense[rows, columns].T
    return dense
