"""Large neighbourhood search by bees: what `dbees` adds to the paper.

The first iteration builds whole paths, as in the paper. In each later one the stages are cut into segments. The bees of
a segment, which leave a hive of their own, rebuild it beside what is kept of the best path; the paths of the recruiters
are improved by local search, and the best of them replaces the segment if it is no worse. At most `most_bees` bees
leave a hive. A step is the passes of one segment, or a piece of the local search: one sweep through it.

Shaw, P. 1998. Using constraint programming and local search methods to solve vehicle routing problems. In CP98, Lecture
Notes in Computer Science 1520. Bees that improve complete solutions are those of Davidović, T., Ramljak, D., Šelmić, M.
and Teodorović, D. 2011. Bee colony optimization for the p-center problem. Computers & Operations Research 38(10).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Ints, Problem, Solutions, StepResult, evaluate, random_solutions
from swarmkit.kernels.constants import BEGIN
from swarmkit.search import GainTable, neighbourhood_of, routes_of, warm_up
from swarmkit_bees.colony import ColonySolver
from swarmkit_bees.parameters import Params
from swarmkit_bees.route_bees import RouteBees
from swarmkit_bees.rules import Plan, Rules, stage_order
from swarmkit_bees.state import Colony, LargeNeighbourhood


class Flight(NamedTuple):
    """What the bees have built in all passes of a plan."""

    paths: Solutions
    """The feasible paths."""
    quality: float
    """The best quality of a bee, whether or not its path is feasible; infinite where all bees met dead ends."""
    looks: int


class LargeNeighbourhoodSolver(ColonySolver):
    """A colony of the paper, or one whose iterations are a large neighbourhood search where the parameters say so."""

    params: Params

    @cached_property
    def rules(self) -> Rules:
        """The rules of the colony."""
        return self.params.rules()

    @abstractmethod
    def make_passes(self, problem: Problem, plan: Plan, colony: Colony, rng: Generator, base: Solutions) -> Flight:
        """Make all passes by a plan on any problem, beside the stages of `base` that are not visited."""

    @abstractmethod
    def leaders(self, qualities: Floats, passes: int, rng: Generator) -> Ints:
        """Return the bee whose path each bee has after a backward pass."""

    def rebuilds_routes(self, problem: Problem) -> bool:
        """Whether bees rebuild parts of routes, and not of rows of stages."""
        return self.params.segment is not None and routes_of(problem) is not None

    def prepare(self, problem: Problem) -> None:
        """Compile the passes and climbs where the problem is tables or routes."""
        super().prepare(problem)
        if self.rebuilds_routes(problem):
            from swarmkit.kernels import routes

            warm_up(problem, routes)
        if self.params.beyond_paper and problem.structure.free_tables is not None:
            from swarmkit_bees import large_neighbourhood_kernel

            warm_up(problem, large_neighbourhood_kernel)

    def begin(self, problem: Problem, hive: int, rng: Generator) -> Colony:
        """Return the state before the first iteration from a given hive."""
        if not self.params.beyond_paper:
            return super().begin(problem, hive, rng)
        form, search = problem.structure.free_tables, LargeNeighbourhood()
        if form is not None:
            search.table = GainTable.at(form, np.zeros(len(form.sizes), np.int64), rng)
            search.table.scores[1] = -np.inf  # any solution has a gain table; this one has not been visited
        colony = replace(super().begin(problem, hive, rng), search=search)
        if self.rebuilds_routes(problem):
            bees = self.params.bees or int(problem.sizes[hive])
            RouteBees(self, problem, colony, search).begin(min(bees, self.params.most_bees or bees), rng)
        return colony

    def steps(self, problem: Problem, state: Colony, rng: Generator, count: int) -> StepResult:
        """Make `count` iterations of the paper, or pieces of large neighbourhood search; fewer if the search ends."""
        if state.search is None:
            return super().steps(problem, state, rng, count)
        if state.search.bees:
            return RouteBees(self, problem, state, state.search).steps(rng, count)
        if state.search.table is None:
            return ScoreSearch(self, problem, state, state.search).steps(rng, count)
        return TableSearch(self, problem, state, state.search).steps(rng, count)

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Rebuild segments of the best of the given solutions, if none is being rebuilt and it is the best known.

        A colony of the paper keeps no solution from one iteration to the next, and ignores them.
        """
        search, form, best = state.search, problem.structure.free_tables, int(np.argmax(scores))
        if search is None or len(search.order) or scores[best] <= state.best:
            return 0
        state.best, search.best = float(scores[best]), np.array(X[best], np.int64)
        if search.bees:
            RouteBees(self, problem, state, search).go_on_from(search.best)
        if form is not None:
            search.table = GainTable.at(form, search.best, rng)
        return len(search.best)


class Search(ABC):
    """The steps of large neighbourhood search on one kind of problem; it changes the colony, and keeps nothing.

    Args:
        solver: the solver, whose bees make the passes.
        problem: the problem.
        colony: the state.
        search: the part of the state that is the search.
    """

    def __init__(
        self, solver: LargeNeighbourhoodSolver, problem: Problem, colony: Colony, search: LargeNeighbourhood
    ) -> None:
        self.solver, self.problem, self.colony, self.search = solver, problem, colony, search
        self.params, self.rules = solver.params, solver.rules
        self.improve = self.params.local_search != "none"
        # The first of the best solutions is reported, where these steps improve; the search goes on from the last.
        self.first_best = np.empty(len(problem.sizes), np.int64)

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing is left to do for the segment."""

    @abstractmethod
    def rebuild(self, plan: Plan, rng: Generator) -> int:
        """Make all passes through a segment, and take the recruiters' paths; return the looks."""

    @abstractmethod
    def climb(self, rng: Generator, count: int) -> tuple[int, int]:
        """Make at most `count` pieces of the local search of the recruiters' paths; return looks and pieces."""

    def candidates(self, order: Ints) -> Ints:
        """Return the candidates of a hive from which bees may leave: all."""
        return np.arange(self.problem.sizes[order[0]])

    def steps(self, rng: Generator, count: int) -> StepResult:
        """Rebuild segments and improve the paths of their recruiters, `count` pieces; fewer if the search ends."""
        colony, best, iterations = self.colony, self.colony.best, self.colony.iterations
        looks, left, done = 0, count, False
        while left > 0 and not done:
            if len(self.search.order):
                piece_looks, pieces = self.climb(rng, left)
            else:
                piece_looks, pieces = self.rebuild(self.draw_segment(rng), rng), 1
            looks, left = looks + piece_looks, left - pieces
            if self.finished:
                done = self.end_segment()
        result = StepResult(None, None, looks, colony.iterations - iterations, done, steps=count - left)
        return result._replace(solution=self.first_best, score=colony.best) if colony.best > best else result

    def draw_segment(self, rng: Generator) -> Plan:
        """Draw the next segment, its hive and its bees; it is the whole path before there is a best one."""
        sizes, params, search = np.asarray(self.problem.sizes), self.params, self.search
        stages, hive = np.arange(len(sizes)), self.colony.hive
        if not search.visited:
            search.before = self.colony.best
        if np.isfinite(self.colony.best) and params.segment is not None:
            stages = next_segment(search, len(sizes), params.segment, rng)
            ambiguous = np.flatnonzero(sizes[stages] > 1)  # a hive of one candidate would send out one bee
            hive = int(rng.choice(ambiguous)) if len(ambiguous) else 0
        search.order = stages[stage_order(hive, len(stages), params.walk)]
        candidates = self.candidates(search.order)
        starts = candidates[np.arange(params.bees or len(candidates)) % len(candidates)]
        if params.most_bees is not None and len(starts) > params.most_bees:
            starts = rng.choice(starts, params.most_bees, replace=False)
        return Plan(search.order, starts, self.rules)

    def end_segment(self) -> bool:
        """End the segment, and its iteration if all stages are visited; return whether that ends the search."""
        search, colony = self.search, self.colony
        done = search.quality <= self.rules.beta
        search.visited += len(search.order)
        search.order, search.paths, search.climb = search.order[:0], search.paths[:0], None
        if search.visited >= len(self.problem.sizes):
            colony.iterations += 1
            search.visited = 0
            stagnates = np.isfinite(colony.best) and colony.best - search.before <= self.rules.tolerance
            done = done or stagnates or colony.iterations >= self.params.iterations
        return bool(done)


def next_segment(search: LargeNeighbourhood, n: int, longest: int, rng: Generator) -> Ints:
    """Return the stages of the next segment in their own order; the first of an iteration decides how it is cut.

    Args:
        search: the state of the search; there is a best solution to keep the rest of.
        n: the number of stages.
        longest: the most stages of a segment; an iteration draws the length of its segments.
        rng: the run's generator.
    """
    if search.visited == 0:
        longest = min(n, longest)
        search.offset, search.length = int(rng.integers(n)), int(rng.integers(min(2, longest), longest, endpoint=True))
    end = min(n, search.visited + search.length)  # the last segment may be shorter; segments go round the last stage
    return np.asarray((search.offset + np.arange(search.visited, end)) % n)


class TableSearch(Search):
    """Large neighbourhood search on tables without constraints."""

    def __init__(
        self, solver: LargeNeighbourhoodSolver, problem: Problem, colony: Colony, search: LargeNeighbourhood
    ) -> None:
        from swarmkit_bees.kernel import memory_of

        super().__init__(solver, problem, colony, search)
        form, table = problem.structure.pairwise, search.table
        assert form is not None and table is not None  # noqa: S101, PT018  (the caller's choice)
        self.form, self.table, self.memory = form, table, memory_of(form, colony)

    @property
    def finished(self) -> bool:
        """Whether all paths have climbed."""
        return len(self.search.paths) == int(self.search.at[0])

    def rebuild(self, plan: Plan, rng: Generator) -> int:
        """Make all passes; beside what is kept of the best path, what that adds counts as unary values."""
        from swarmkit_bees.large_neighbourhood_kernel import recruiters_paths, release

        search, colony, memory, unary = self.search, self.colony, self.memory, self.form.unary
        if len(plan.order) < len(self.form.sizes):  # what is kept counts as assigned
            unary = self.table.values.copy()
            release(memory.links, self.table.x, plan.order, unary)
        memory.follow(plan, unary, colony.guide, colony.passes)
        looks = memory.make_passes(colony.rng_state)
        colony.passes, search.quality = int(memory.workspace.passes[0]), float(memory.workspace.qualities.max())
        paths = np.empty((min(self.rules.recruiters, len(plan.starts)), len(plan.order)), np.int64)
        recruiters_paths(memory.workspace, self.rules.moves, paths)
        search.paths = np.array(list({path.tobytes(): path for path in paths}.values()))  # each path once
        search.sweep, search.at = plan.order.copy(), np.array([0, BEGIN, 0])
        return looks

    def climb(self, rng: Generator, count: int) -> tuple[int, int]:
        """Sweep through the segment of the recruiters' paths, or only score them; a piece is one sweep, or one path."""
        from swarmkit.kernels.gain_table import Current
        from swarmkit_bees.large_neighbourhood_kernel import Climbing, climb

        search, table = self.search, self.table
        current = Current(table.values, table.x, table.holder)
        paths = search.order, search.paths, search.sweep, search.at
        climbing = Climbing(*paths, table.best, self.first_best, table.scores, current)
        looks, pieces = climb(self.memory.links, climbing, self.improve, table.rng_state, count)
        self.colony.best = float(table.scores[1])
        return looks, pieces


class ScoreSearch(Search):
    """Large neighbourhood search on any problem: passes in numpy, climbs of whole solutions in its neighbourhood."""

    @property
    def finished(self) -> bool:
        """Whether the paths of the recruiters have climbed."""
        return self.search.climb is None or self.search.climb.finished

    def candidates(self, order: Ints) -> Ints:
        """Return the candidates of a hive that are allowed beside what is kept; all if none is."""
        allowed = np.flatnonzero(np.asarray(self.problem.allowed(self._base(order)[None], int(order[0])), bool)[0])
        return allowed if len(allowed) else super().candidates(order)  # the bees find that out

    def rebuild(self, plan: Plan, rng: Generator) -> int:
        """Make all passes, score the paths, and let those of the recruiters climb."""
        problem, search = self.problem, self.search
        X, search.quality, looks = self.solver.make_passes(problem, plan, self.colony, rng, self._base(plan.order))
        if not len(X) and not np.isfinite(self.colony.best):  # constraints that paths built stage by stage do not meet
            X = random_solutions(problem, self.rules.recruiters, rng)
        if not len(X):
            return looks
        scores = evaluate(problem, X)
        # Ranked by score: on problems without tables a bee's quality is a sum of heuristic values.
        leaders = np.argsort(-scores, kind="stable")[: self.rules.recruiters]
        self._keep(X[leaders[0]], float(scores[leaders[0]]))
        if self.improve:
            search.climb = neighbourhood_of(problem).climb(np.unique(X[leaders], axis=0), rng)
        return looks + X.size

    def climb(self, rng: Generator, count: int) -> tuple[int, int]:
        """Let the paths of the recruiters climb; the best of them so far is the best solution if it is no worse."""
        climb = self.search.climb
        assert climb is not None  # noqa: S101  (the segment would be finished)
        before = climb.pieces
        looks = climb.steps(self.problem, rng, count)
        best = climb.best(self.problem)
        if best is not None:
            self._keep(*best)
        return looks, climb.pieces - before

    def _base(self, order: Ints) -> Solutions:
        """Return what is kept of the best solution: -1 at the stages of a segment."""
        base = self.search.best.copy() if np.isfinite(self.colony.best) else np.full(len(self.problem.sizes), -1)
        base[order] = -1
        return base

    def _keep(self, x: Solutions, score: float) -> None:
        """Make a solution the best if it is no worse."""
        if score > self.colony.best:
            self.first_best[:] = x
        if score >= self.colony.best:  # equal scores are accepted: the search drifts over plateaus
            self.search.best, self.colony.best = np.array(x, np.int64), score
