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
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Found, Ints, Links, Pairwise, Problem, Solutions, evaluate
from swarmkit.search import GainTable, links_of, neighbourhood_of, warm_up
from swarmkit_bees.colony import ColonySolver, expect, within
from swarmkit_bees.parameters import Params
from swarmkit_bees.rules import Plan, Rules, stage_order
from swarmkit_bees.state import Colony, LargeNeighbourhood


class LargeNeighbourhoodSolver(ColonySolver):
    """A colony of the paper, or one whose iterations are a large neighbourhood search where the parameters say so."""

    params: Params

    @cached_property
    def rules(self) -> Rules:
        """The rules of the colony."""
        return self.params.rules()

    @abstractmethod
    def make_passes(self, problem: Problem, plan: Plan, colony: Colony, rng: Generator, kept: Solutions) -> int:
        """Make all passes by a plan on any problem, beside what is kept; return the looks."""

    def prepare(self, problem: Problem) -> None:
        """Compile the passes and climbs where the problem is tables."""
        super().prepare(problem)
        if self.params.extended and problem.structure.free_tables is not None:
            from swarmkit_bees import large_neighbourhood_kernel

            warm_up(problem, large_neighbourhood_kernel)

    def begin(self, problem: Problem, hive: int, rng: Generator) -> Colony:
        """Return the state before the first iteration from a given hive."""
        if not self.params.extended:
            return super().begin(problem, hive, rng)
        form, table = problem.structure.free_tables, None
        if form is not None:
            table = GainTable.at(form, np.zeros(len(form.sizes), np.int64), rng)
            table.scores[1] = -np.inf  # any solution has a gain table; this one has not been visited
        return replace(super().begin(problem, hive, rng), search=LargeNeighbourhood.start(table))

    def step(self, problem: Problem, state: Colony, rng: Generator) -> Found:
        """Make one iteration of the paper; with extensions, a piece of one."""
        if state.search is None:
            return super().step(problem, state, rng)
        return self.steps(problem, state, rng, 1)

    def steps(self, problem: Problem, state: Colony, rng: Generator, count: int) -> Found:
        """Make `count` steps, fewer if the search ends."""
        if state.search is None:
            return super().steps(problem, state, rng, count)
        kind = ScoreSearch if state.search.table is None else TableSearch
        return kind(self, problem, state, state.search).steps(rng, count)

    def inject(self, problem: Problem, state: Colony, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Rebuild segments of the best of the given solutions, if none is being rebuilt and it is the best known.

        A colony of the paper keeps no solution from one iteration to the next, and ignores them.
        """
        search, form, best = state.search, problem.structure.free_tables, int(np.argmax(scores))
        if search is None or len(search.order) or scores[best] <= state.best:
            return 0
        x = np.array(X[best], np.int64)
        state.best, search.first_best, search.best = float(scores[best]), x, x.copy()
        if form is not None:
            search.table = GainTable.at(form, x, rng)
        return len(x)


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

    @property
    @abstractmethod
    def best(self) -> Solutions:
        """The last of the best solutions, if there is one."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing is left to do for the segment."""

    @abstractmethod
    def candidates(self, order: Ints) -> Ints:
        """Return the candidates of a hive from which bees may leave."""

    @abstractmethod
    def rebuild(self, plan: Plan, rng: Generator) -> int:
        """Make all passes through a segment, and take the recruiters' paths; return the looks."""

    @abstractmethod
    def climb(self, rng: Generator, count: int) -> tuple[int, int]:
        """Make at most `count` pieces of the local search of the recruiters' paths; return looks and pieces."""

    def incumbent(self) -> tuple[Solutions, float]:
        """Return the solution to report, and its score."""
        return self.search.first_best, self.colony.best

    def steps(self, rng: Generator, count: int) -> Found:
        """Rebuild segments and improve the paths of their recruiters, `count` pieces; fewer if the search ends."""
        search, known, left = self.search, self.colony.best, count
        looks, iterations, done = 0, 0, False
        while left > 0 and not done:
            if len(search.order):
                more, pieces = self.climb(rng, left)
            else:
                more, pieces = self.rebuild(self.draw_segment(rng), rng), 1
            looks, left = looks + more, left - pieces
            if self.finished:
                done = search.quality <= self.rules.beta
                if self.end_segment():
                    iterations += 1
                    done |= self.ends()
        x, score = self.incumbent()
        if score <= known:
            return Found(None, None, looks, iterations, done, steps=count - left)
        return Found(np.array(x), score, looks, iterations, done, steps=count - left)

    def draw_segment(self, rng: Generator) -> Plan:
        """Draw the next segment, its hive and its bees; it is the whole path before there is a best one."""
        sizes, params, search = np.asarray(self.problem.sizes), self.params, self.search
        stages, hive = np.arange(len(sizes)), self.colony.hive
        if not search.visited:
            search.before = self.colony.best
        if np.isfinite(self.colony.best) and params.stretch is not None:
            stages = next_segment(search, len(sizes), params.stretch, rng)
            ambiguous = np.flatnonzero(sizes[stages] > 1)
            hive = int(rng.choice(ambiguous)) if len(ambiguous) else 0
        search.order = stages[stage_order(hive, len(stages), params.walk)]
        candidates = self.candidates(search.order)
        starts = candidates[np.arange(params.bees or len(candidates)) % len(candidates)]
        if params.most_bees is not None and len(starts) > params.most_bees:
            starts = rng.choice(starts, params.most_bees, replace=False)
        return Plan(search.order, starts, self.rules)

    def end_segment(self) -> bool:
        """End the segment, and return whether its iteration has ended, because all stages are visited."""
        search = self.search
        search.visited += len(search.order)
        search.order, search.paths, search.climb = search.order[:0], search.paths[:0], None
        if search.visited < len(self.problem.sizes):
            return False
        self.colony.iterations += 1
        search.visited = 0
        return True

    def ends(self) -> bool:
        """Return whether the iteration that has ended is the last: by its number, or by what it has improved."""
        best, before = self.colony.best, self.search.before
        settled = np.isfinite(best) and best - before <= self.rules.tolerance
        return bool(settled or self.colony.iterations >= self.params.iterations)


def next_segment(search: LargeNeighbourhood, n: int, longest: int, rng: Generator) -> Ints:
    """Return the stages of the next segment in their own order; the first of an iteration decides how it is cut.

    Args:
        search: the state of the search; there is a best solution to keep the rest of.
        n: the number of stages.
        longest: the most stages of a segment; an iteration draws the length of its segments.
        rng: the run's generator.
    """
    if search.visited == 0:
        most = min(n, longest)
        search.offset, search.length = int(rng.integers(n)), int(rng.integers(min(2, most), most, endpoint=True))
    end = min(n, search.visited + search.length)
    return np.asarray((search.offset + np.arange(search.visited, end)) % n)


class TableSearch(Search):
    """Large neighbourhood search on tables without constraints: compiled passes, and sweeps on the gain table."""

    def __init__(
        self, solver: LargeNeighbourhoodSolver, problem: Problem, colony: Colony, search: LargeNeighbourhood
    ) -> None:
        super().__init__(solver, problem, colony, search)
        form, table = problem.structure.pairwise, search.table
        assert form is not None and table is not None  # noqa: S101, PT018  (the caller's choice)
        self.form, self.table = form, table
        if LINKS.get(colony, (None,))[0] is not form:
            check_state(form, colony, search, table)
            LINKS[colony] = form, links_of(form)
        self.links = LINKS[colony][1]

    @property
    def best(self) -> Solutions:
        """The last of the best solutions, if there is one."""
        return self.table.best

    @property
    def finished(self) -> bool:
        """Whether all paths have climbed."""
        return len(self.search.paths) == int(self.search.at[0])

    def candidates(self, order: Ints) -> Ints:
        """Return the candidates of a hive: all are allowed."""
        return np.arange(self.form.sizes[order[0]])

    def rebuild(self, plan: Plan, rng: Generator) -> int:
        """Make all passes; beside what is kept of the best path, what that adds counts as unary values."""
        from swarmkit_bees.kernel import memory_of
        from swarmkit_bees.large_neighbourhood_kernel import new_climb, recruiters_paths, release

        search, colony, unary = self.search, self.colony, self.form.unary
        if len(plan.order) < len(self.form.sizes):
            unary = self.table.values.copy()
            release(self.links, self.table.x, plan.order, unary)
        memory = memory_of(self.form, colony)
        memory.follow(plan, unary, colony.guide, colony.passes)
        looks = memory.make_passes(colony.rng_state)
        colony.passes, search.quality = int(memory.workspace.passes[0]), float(memory.workspace.qualities.max())
        paths = np.empty((min(self.rules.recruiters, len(plan.starts)), len(plan.order)), np.int64)
        search.paths = paths[: recruiters_paths(memory.workspace, self.rules.moves, paths)]
        search.sweep, search.at = plan.order.copy(), new_climb()
        return looks

    def climb(self, rng: Generator, count: int) -> tuple[int, int]:
        """Sweep through the segment of the recruiters' paths, or only score them; a piece is one sweep, or one path."""
        from swarmkit_bees.large_neighbourhood_kernel import Climbing, climb

        search, table = self.search, self.table
        where = search.order, search.paths, search.sweep, search.at
        climbing = Climbing(*where, table.best, search.first_best, table.scores, table.values, table.x, table.holder)
        looks, pieces = climb(self.links, climbing, self.improve, table.rng_state, count)
        self.colony.best = float(table.scores[1])
        return looks, pieces


LINKS: WeakKeyDictionary[Colony, tuple[Pairwise, Links]] = WeakKeyDictionary()
"""The states of this process that were checked, each with its tables and how the kernels read them."""


class ScoreSearch(Search):
    """Large neighbourhood search on any problem: passes in numpy, climbs of whole solutions in its neighbourhood."""

    @property
    def best(self) -> Solutions:
        """The last of the best solutions, if there is one."""
        return self.search.best

    @property
    def finished(self) -> bool:
        """Whether the paths of the recruiters have climbed."""
        return self.search.climb is None or self.search.climb.finished

    def candidates(self, order: Ints) -> Ints:
        """Return the candidates of a hive that are allowed beside what is kept; all if none is."""
        allowed = np.flatnonzero(np.asarray(self.problem.allowed(self._kept(order)[None], int(order[0])), bool)[0])
        return allowed if len(allowed) else np.arange(self.problem.sizes[order[0]])  # the bees find that out

    def rebuild(self, plan: Plan, rng: Generator) -> int:
        """Make all passes, score the paths, and let those of the recruiters climb."""
        problem, colony = self.problem, self.colony
        looks = self.solver.make_passes(problem, plan, colony, rng, self._kept(plan.order))
        X = colony.paths
        self.search.quality = float(colony.qualities.max()) if len(colony.qualities) else np.inf
        if not len(X):
            return looks
        scores = evaluate(problem, X)
        leaders = np.argsort(-scores, kind="stable")[: self.rules.recruiters]
        self._keep(X[leaders[0]], float(scores[leaders[0]]))
        if self.improve:
            self.search.climb = neighbourhood_of(problem).climb(np.unique(X[leaders], axis=0), rng)
        return looks + X.size

    def climb(self, rng: Generator, count: int) -> tuple[int, int]:
        """Let the paths of the recruiters climb."""
        climb = self.search.climb
        assert climb is not None  # noqa: S101  (the segment would be finished)
        before = climb.pieces
        looks = climb.steps(self.problem, rng, count)
        best = climb.best(self.problem) if climb.finished else None
        if best is not None:
            self._keep(*best)
        return looks, climb.pieces - before

    def incumbent(self) -> tuple[Solutions, float]:
        """Return the best solution, that of a climb in progress included, and its score."""
        climb, best = self.search.climb, None
        if climb is not None:
            best = climb.best(self.problem)
        return best if best is not None and best[1] > self.colony.best else super().incumbent()

    def _kept(self, order: Ints) -> Solutions:
        """Return what is kept of the best solution: -1 at the stages of a segment."""
        kept = self.best.copy() if np.isfinite(self.colony.best) else np.full(len(self.problem.sizes), -1)
        kept[order] = -1
        return kept

    def _keep(self, x: Solutions, score: float) -> None:
        """Make a solution the best if it is no worse."""
        if score >= self.colony.best:
            self.search.best = np.array(x, np.int64)
            if score > self.colony.best:
                self.search.first_best, self.colony.best = self.search.best.copy(), score


def check_state(form: Pairwise, colony: Colony, search: LargeNeighbourhood, table: GainTable) -> None:
    """Raise UsageError if a state cannot be one of these tables: kernels would read any memory by its numbers."""
    n, sizes, order, at = len(form.sizes), form.sizes, search.order, search.at
    fits = (
        colony.rng_state.shape == table.rng_state.shape == (4,)
        and colony.guide.shape == table.x.shape == table.best.shape == search.first_best.shape == (n,)
        and table.values.shape == form.unary.shape
        and table.scores.shape == (2,)
        and table.holder.shape == (0,)
        and within(table.x, sizes)
        and within(table.best, sizes)
        and bool(np.isfinite(table.values).all() and np.isfinite(table.scores[0]) and not np.isnan(table.scores[1]))
        and 0 <= search.visited < n
        and 0 <= search.offset < n
        and (search.length > 0 or search.visited == 0)
    )
    if fits and len(order):
        fits = (
            within(order, n)
            and len(np.unique(order)) == len(order)
            and search.paths.shape[1:] == order.shape
            and within(search.paths, sizes[order])
            and np.array_equal(np.sort(search.sweep), np.sort(order))
            and at.shape == (3,)
            and 0 <= at[0] < len(search.paths)
        )
    expect(fits)
