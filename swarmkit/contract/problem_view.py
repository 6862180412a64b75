"""A problem as solvers see it: its score is maximised, and the stages that are fixed are left out.

This is the one place where the sign of costs changes. Solutions of the searched problem are *completed* to solutions of
the whole one, which are what a run records and returns.

Where stages are fixed, what they add to the others becomes part of these stages' own values. Tours of which some
consecutive cities are fixed (a start and an end, for instance) remain tours. One fixed position is no restriction,
because a round tour can be rotated. Several consecutive ones are a path that a symmetric tour has to contain, in either
direction: the edges of the path get a bonus that no other edges can outweigh, and what it amounts to is taken off the
score. Methods for tours then apply as they are. A tour without the whole path, which a search may report at its
beginning, is repaired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.constraints import Constraints
from swarmkit.contract.errors import UsageError
from swarmkit.contract.meter import Meter
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Part, Problem, descriptions_of
from swarmkit.contract.structure import Structure, Tour
from swarmkit.contract.view import View, draw_grid


def problem_view(problem: Problem, fixed: Mapping[int, int] | None = None) -> Problem:
    """Return a problem as solvers see it; itself, if its score is maximised and no stage is fixed.

    Args:
        problem: the problem as its author wrote it.
        fixed: the candidate of each fixed stage.
    """
    return ProblemView(problem, fixed or {}) if fixed or problem.direction == "minimise" else problem


def complete(view: Problem, X: Solutions) -> Solutions:
    """Return solutions of a searched problem as solutions of the whole one, fixed stages included."""
    return view.complete(X) if isinstance(view, ProblemView) else X


def lift(view: Problem, X: Solutions) -> Solutions:
    """Return rows of a searched problem with the fixed candidates put in; open stages stay open."""
    return view.lift(X) if isinstance(view, ProblemView) else X


def whole_stage(view: Problem, stage: int) -> int:
    """Return the number that a stage of a searched problem has in the whole one."""
    return int(view.stages[stage]) if isinstance(view, ProblemView) else stage


def whole_slots(view: Problem, values: Floats) -> Floats:
    """Return values of the slots of a searched problem as values of all slots, 0 where none is known."""
    return view.whole_slots(values) if isinstance(view, ProblemView) else values


def restrict(view: Problem, X: Solutions) -> Solutions:
    """Return solutions of the whole problem as solutions of the searched one; fixed stages overrule what X has there.

    Where candidates are distinct, the stage that has a fixed one takes what the fixed stage had.
    """
    return view.restrict(X) if isinstance(view, ProblemView) else X


class ProblemView(Problem, counts=False):
    """A view of a problem: scores are maximised, fixed stages left out; `whole.score` counts the evaluations.

    Where the fixed stages are consecutive cities of a tour, it remains a tour (`FixedPath`).

    Args:
        whole: the problem as its author wrote it.
        fixed: the candidate of each fixed stage.
        tours: whether a tour may remain one; not as a part of a problem, whose fixed stages are left out.
    """

    def __init__(self, whole: Problem, fixed: Mapping[int, int], tours: bool = True) -> None:
        sizes = np.asarray(whole.sizes, np.int64)
        self.whole = whole
        self.distinct, self.versions = whole.distinct, whole.versions
        self.reformulations, self.origin = whole.reformulations, whole.origin
        # Parts are searched one by one, so a path through several of them could not be forced.
        self._path = fixed_path(whole.structure.tour, fixed) if tours and fixed and not whole.parts else None
        self._fixed = dict(fixed)
        candidate_of = {} if self._path is not None else self._fixed
        self._fixed_stages = np.array(sorted(candidate_of), np.int64)
        self._fixed_candidates = np.array([candidate_of[stage] for stage in sorted(candidate_of)], np.int64)
        self.stages: Ints = np.setdiff1d(np.arange(len(sizes)), self._fixed_stages)
        """The stages that are left, as numbers of the whole problem."""
        self._candidates: Ints | None = None
        """The candidates that are left at every stage of a `distinct` problem; None if all are."""
        if whole.distinct and len(candidate_of):
            self._candidates = np.setdiff1d(np.arange(sizes[0]), self._fixed_candidates)
        self.sizes = (
            sizes[self.stages] if self._candidates is None else np.full(len(self.stages), len(self._candidates))
        )
        self.groups = None if whole.groups is None else np.asarray(whole.groups)[self.stages]
        self.tie_ranks = None if whole.tie_ranks is None else whole.tie_ranks[self._slots]
        # With fixed stages the best possible score may be lower than the known one; one city of a tour is no loss.
        if whole.optimum is not None and len(fixed) == (1 if self._path else 0):
            self.optimum = 0.0 - whole.optimum if whole.direction == "minimise" else whole.optimum
        self.parts = self._parts()

    def _parts(self) -> Sequence[Part]:
        parts = []
        for part in self.whole.parts:
            fixed = {k: self._fixed[int(stage)] for k, stage in enumerate(part.stages) if int(stage) in self._fixed}
            # Numbers of the stages that are left, in this view instead of in the whole.
            stages = np.searchsorted(self.stages, np.delete(np.asarray(part.stages, np.int64), list(fixed)))
            parts.append(Part(stages, ProblemView(part.problem, fixed, tours=False)))
        return tuple(parts)

    @property
    def meter(self) -> Meter:
        """The count of the whole problem, in whose terms rows and scores are kept."""
        return self.whole.meter

    @property
    def evaluation_seconds(self) -> float | None:  # type: ignore[override]  # timed with the whole's fingerprint
        """Seconds of an evaluation of the whole problem."""
        return self.whole.evaluation_seconds

    def with_own_meter(self) -> Self:
        """Return the same view of a copy of the whole problem that counts from 0."""
        return type(self)(self.whole.with_own_meter(), self._fixed)

    def overrides(self, member: str) -> bool:  # type: ignore[override]  # an answer for the whole problem's class
        """Return whether the whole problem defines an optional member itself."""
        return self.whole.overrides(member)

    @cached_property
    def structure(self) -> Structure:
        """The structure of the whole problem, or what is left of it."""
        structure = self.whole.structure
        if len(self._fixed_stages) == 0 and (self._path is None or len(self._path.cities) == 1):
            return structure
        form = structure.pairwise
        if form is not None:
            form = (
                fixed_tables(form, self._fixed_stages, self._fixed_candidates)
                if self._path is None
                else self._path.with_bonus(form)
            )
        linear = structure.linear
        if linear is not None:
            linear = linear.restrict(
                self._fixed_stages, self._fixed_candidates, self._slots, np.asarray(self.sizes, np.int64)
            )
        return replace(structure, pairwise=form, linear=linear, lists=None)

    @property
    def constraints(self) -> Constraints | None:  # type: ignore[override]  # read-only: they are the whole problem's
        """The linear constraints on the stages that are left."""
        return self.structure.linear

    @property
    def fingerprint(self) -> str:
        """The hash of the whole problem."""
        return self.whole.fingerprint

    def lift(self, X: Solutions) -> Solutions:
        """Return rows with the fixed candidates put in; open stages stay open."""
        if len(self._fixed_stages) == 0:
            return X
        Y = np.empty((len(X), len(self.whole.sizes)), np.int64)
        Y[:, self._fixed_stages] = self._fixed_candidates
        # Candidates are numbered without the fixed ones where stages must differ.
        Y[:, self.stages] = X if self._candidates is None else np.where(X < 0, -1, self._candidates[X])
        return Y

    def whole_slots(self, values: Floats) -> Floats:
        """Return values of the slots that are left as values of all slots, 0 for the others."""
        whole = np.zeros(int(np.sum(self.whole.sizes)), values.dtype)
        whole[self._slots] = values
        return whole

    def complete(self, X: Solutions) -> Solutions:
        """Return complete solutions of the whole problem."""
        return self.lift(X) if self._path is None else self._path.complete(X)

    def true_score(self, x: Solutions, score: float) -> float:
        """Return the score of the completed solution, given that of a solution of this problem.

        It is another one only for a tour without the fixed path, which is repaired.
        """
        if self._path is None or self._path.missing(x[None])[0] == 0:
            return score
        form = self.whole.structure.pairwise
        return score if form is None else float(form.score(self.complete(x[None]))[0])

    def restrict(self, X: Solutions) -> Solutions:
        """Return solutions of the whole problem as solutions of this one."""
        if len(self._fixed_stages) == 0:
            return X
        if self._candidates is None:
            return np.ascontiguousarray(X[:, self.stages])
        X = X.copy()
        for stage, candidate in zip(self._fixed_stages, self._fixed_candidates, strict=True):
            # The stage that has the fixed candidate takes what the fixed stage had: the row stays a permutation.
            rows, holders = np.nonzero(X == candidate)
            X[rows, holders] = X[rows, stage]
            X[:, stage] = candidate
        return np.searchsorted(self._candidates, X[:, self.stages])

    def score(self, X: Solutions) -> Any:
        """Return the scores of the completed rows, to be maximised."""
        values = self.whole.score(self.lift(X))
        # 0.0 - x, not -x: a cost of 0 is the score 0, not -0.
        scores = 0.0 - np.asarray(values) if self.whole.direction == "minimise" else values
        return scores if self._path is None else scores - self._path.penalties(X)

    def feasible(self, X: Solutions) -> Bools:
        """Judge the completed rows."""
        return np.asarray(self.whole.feasible(self.lift(X)), bool)

    def allowed(self, X: Solutions, stage: int) -> Bools:
        """Return what the whole problem allows beside the fixed candidates."""
        if not self.overrides("allowed"):
            return np.asarray(super().allowed(X, stage))
        return np.asarray(self._left(self.whole.allowed(self.lift(X), int(self.stages[stage]))), bool)

    def gains(self, x: Solutions, stage: int) -> Floats:
        """Return the changes of the maximised score."""
        if not self.overrides("gains"):
            return np.asarray(super().gains(x, stage))
        values = np.asarray(self.whole.gains(self.lift(x[None])[0], int(self.stages[stage])))
        gains: Floats = self._left(values[None])[0]
        return 0.0 - gains if self.whole.direction == "minimise" else gains

    def heuristic_values(self, X: Solutions, stage: int, last: int) -> Floats:
        """Return the whole problem's heuristic values beside the fixed candidates, or the default one."""
        if not self.overrides("heuristic_values"):
            return np.asarray(super().heuristic_values(X, stage, last))
        before = int(self.stages[last]) if last >= 0 else -1
        return np.asarray(self._left(self.whole.heuristic_values(self.lift(X), int(self.stages[stage]), before)))

    def _left(self, values: Any) -> Any:
        """Return the columns of the candidates that are left."""
        return np.asarray(values) if self._candidates is None else np.asarray(values)[:, self._candidates]

    def relatedness(self, a: Ints, b: Ints) -> Any:
        """Return the relatedness of slots of the whole problem."""
        return self.whole.relatedness(self._slots[a], self._slots[b])

    def descriptions(self) -> tuple[Ints, Ints] | None:
        """Return the descriptions of the candidates that are left."""
        of_whole = descriptions_of(self.whole)
        if of_whole is None:
            return None
        starts, items = of_whole
        lengths = np.diff(starts)[self._slots]
        # The items of the slots that are left, gathered without a loop: where each begins, and its numbers from there.
        ends = np.cumsum(lengths)
        at = np.arange(int(lengths.sum())) + np.repeat(starts[self._slots] - ends + lengths, lengths)
        return np.concatenate([[0], ends]), items[at]

    @cached_property
    def _slots(self) -> Ints:
        """The number of each slot in the whole problem."""
        return open_slots(
            np.asarray(self.whole.sizes, np.int64), self._fixed_stages, self._fixed_candidates, self.distinct
        )

    def pairwise(self) -> Pairwise | None:
        """Return the tables of the maximised score, the fixed stages folded into the others."""
        return self.structure.pairwise

    def describe(self, x: Solutions) -> Sequence[Mapping[str, Any]]:
        """Describe the completed solution."""
        return self.whole.describe(self.complete(x[None])[0])

    def metrics(self, x: Solutions) -> Mapping[str, float]:
        """Measure the completed solution."""
        return self.whole.metrics(self.complete(x[None])[0])

    def view(self) -> View:
        """Return the view of the whole problem, which draws the completed solution."""
        view = self.whole.view()
        draw = view.draw or partial(draw_grid, self.whole.sizes)
        return View(view.caption, draw=lambda x, axes: draw(self.complete(x[None])[0], axes), scene=lambda: view.scene)


def check_fixed(problem: Problem, fixed: Mapping[int, int]) -> None:
    """Refuse fixed candidates that do not exist or exclude each other.

    Raises:
        UsageError: with the stage and the reason.
    """
    n = len(problem.sizes)
    for stage, candidate in fixed.items():
        if not 0 <= stage < n:
            raise UsageError(f"fixed: there is no stage {stage}; stages are 0 to {n - 1}")
        if not 0 <= candidate < problem.sizes[stage]:
            last = int(problem.sizes[stage]) - 1
            raise UsageError(f"fixed: stage {stage} has no candidate {candidate}; its candidates are 0 to {last}")
    x = np.full((1, n), -1)
    for stage, candidate in fixed.items():
        if not np.asarray(problem.allowed(x, stage))[0, candidate]:
            place = " beside the other fixed ones" if (x >= 0).any() else ""
            raise UsageError(f"fixed: candidate {candidate} at stage {stage} is not allowed{place}")
        x[0, stage] = candidate


def fixed_tables(form: Pairwise, stages: Ints, candidates: Ints) -> Pairwise:
    """Return the tables of the stages that are left, with the same scores as the whole.

    Where candidates are distinct, those that are chosen are left out. What the fixed stages add by themselves is added
    to every candidate of the first stage that is left.

    >>> form = Pairwise.of([2, 2], [(0, 1, [[1.0, 2.0], [3.0, 4.0]])], unary=[10.0, 20.0, 0.0, 0.0])
    >>> fixed_tables(form, np.array([0]), np.array([1])).unary.tolist()
    [23.0, 24.0]

    Args:
        form: the tables of the whole problem.
        stages: the fixed stages, in increasing order.
        candidates: the candidate of each.
    """
    candidate = np.full(len(form.sizes), -1)
    candidate[stages] = candidates
    left, slots = np.flatnonzero(candidate < 0), open_slots(form.sizes, stages, candidates, form.distinct)
    unary, constant = _fold(form, candidate)
    inside = (candidate[form.edges] < 0).all(axis=1)
    sizes, starts, flat = form.sizes[left], form.starts[inside], form.flat
    if form.distinct and len(left):
        sizes = sizes - len(candidates)
        starts, flat = _smaller_tables(form, starts, np.setdiff1d(np.arange(form.sizes[0]), candidates))
    values = unary[slots]
    # Exactly one candidate of the first stage is in every solution, so the constant is counted once.
    values[: sizes[:1].sum()] += constant  # nowhere, if no stage is left
    edges = np.searchsorted(left, form.edges[inside])
    return Pairwise(sizes, values, edges, starts, form.weights[inside], flat, form.distinct)


def open_slots(sizes: Ints, stages: Ints, candidates: Ints, distinct: bool) -> Ints:
    """Return the slots of the stages that are not fixed, without the fixed candidates where they must differ.

    >>> open_slots(np.array([3, 3]), np.array([0]), np.array([1]), distinct=True)
    array([3, 5])

    Args:
        sizes: the number of candidates at each stage.
        stages: the fixed stages.
        candidates: the candidate of each.
        distinct: whether stages must take different candidates.
    """
    stage = np.repeat(np.arange(len(sizes)), sizes)
    left = ~np.isin(stage, stages)
    if distinct:
        first = np.cumsum(sizes) - sizes
        left &= ~np.isin(np.arange(len(stage)) - first[stage], candidates)
    return np.flatnonzero(left)


def _fold(form: Pairwise, candidate: Ints) -> tuple[Floats, float]:
    """Return each slot's value beside the fixed candidates, and what these add among themselves."""
    unary = form.unary.copy()
    fixed = np.flatnonzero(candidate >= 0)
    constant = float(form.unary[form.offsets[fixed] + candidate[fixed]].sum())
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights.tolist(), strict=True):
        a, b, m, width = candidate[i], candidate[j], int(form.sizes[i]), int(form.sizes[j])
        if a < 0 and b < 0:
            continue
        table = form.flat[start : start + m * width].reshape(m, width)
        if a >= 0 and b >= 0:
            constant += weight * float(table[a, b])
        elif a >= 0:
            unary[form.offsets[j] : form.offsets[j + 1]] += weight * table[a]
        else:
            unary[form.offsets[i] : form.offsets[i + 1]] += weight * table[:, b]
    return unary, constant


def _smaller_tables(form: Pairwise, starts: Ints, candidates: Ints) -> tuple[Ints, Floats]:
    """Return square tables with the rows and columns of some candidates alone, and where each edge's begins."""
    m, size = int(form.sizes[0]), len(candidates) ** 2
    # A table that several edges share is made smaller once.
    different, numbers = np.unique(starts, return_inverse=True)
    flat = np.empty(len(different) * size)
    for k, start in enumerate(different):
        table = form.flat[start : start + m * m].reshape(m, m)
        flat[k * size : (k + 1) * size] = table[np.ix_(candidates, candidates)].ravel()
    return np.asarray(numbers * size, np.int64).ravel(), flat


@dataclass(frozen=True)
class FixedPath:
    """Cities at consecutive positions of a tour."""

    tour: Tour
    place: int
    """The position of the first city along the cycle."""
    cities: Ints
    """The cities of the path."""

    @property
    def bonus(self) -> float:
        """What an edge of the path is favoured by: more than any exchange of edges can save."""
        return 4.0 * float(np.ptp(self.tour.cost)) + 1.0

    def with_bonus(self, form: Pairwise) -> Pairwise:
        """Return the tables of a tour with the bonus on the edges of the path; scores of tours with it are the same."""
        if len(self.cities) == 1:
            return form
        n, a, b = len(form.sizes), self.cities[:-1], self.cities[1:]
        table = form.flat[form.starts[0] : form.starts[0] + n * n].reshape(n, n).copy()
        # In units of the weight, with which every entry is multiplied.
        table[a, b] += self.bonus / form.weights[0]
        table[b, a] = table[a, b]
        unary = form.unary.reshape(n, n).copy()
        unary[:, 0] -= self.bonus * len(a)  # every tour has city 0 once
        return replace(form, unary=unary.ravel(), starts=np.zeros(n, np.int64), flat=table.ravel())

    def missing(self, X: Solutions) -> Ints:
        """Return how many edges of the path each tour lacks."""
        tours = self.tour.as_tours(X)
        where = np.argsort(tours, axis=1)[:, self.cities]
        # Neighbours on the tour, also where it closes.
        steps = np.abs(np.diff(where, axis=1))
        return np.asarray(((steps != 1) & (steps != tours.shape[1] - 1)).sum(axis=1))

    def penalties(self, X: Solutions) -> Floats:
        """Return what the forced tables take off the score of each tour."""
        return np.asarray(self.bonus * self.missing(X), np.float64)

    def complete(self, X: Solutions) -> Solutions:
        """Return tours rotated, and reversed where needed, so that the path is at its positions, or repaired."""
        return self.tour.solutions(np.array([self._rotate(tour) for tour in self.tour.tours(X)]).reshape(X.shape))

    def _rotate(self, tour: Ints) -> Ints:
        rest = np.roll(tour, -int(np.flatnonzero(tour == self.cities[0])[0]))
        if len(self.cities) > 1 and rest[-1] == self.cities[1]:  # the path runs backwards
            rest = np.concatenate([rest[:1], rest[:0:-1]])
        rest = np.concatenate([self.cities, rest[~np.isin(rest, self.cities)]])
        return np.roll(rest, self.place)


def fixed_path(tour: Tour | None, fixed: Mapping[int, int]) -> FixedPath | None:
    """Return the fixed stages as a path of a tour; None if there is no tour, or they are not consecutive on it.

    >>> tour = Tour(np.arange(5), np.ones((5, 5)))
    >>> fixed_path(tour, {4: 2, 0: 3}).cities.tolist()
    [2, 3]
    >>> fixed_path(tour, {0: 3, 2: 2}) is None
    True

    Args:
        tour: the problem as a tour.
        fixed: the candidate (city) of each fixed stage.
    """
    if tour is None or not fixed or not (len(fixed) == 1 or (tour.symmetric and len(fixed) <= len(tour.order) - 2)):
        return None
    n = len(tour.order)
    mask = np.zeros(n, bool)
    mask[[int(np.flatnonzero(tour.order == stage)[0]) for stage in fixed]] = True
    begins = np.flatnonzero(mask & ~np.roll(mask, 1))
    if len(begins) != 1:
        return None
    place = int(begins[0])
    stages = tour.order[(place + np.arange(len(fixed))) % n]
    return FixedPath(tour, place, np.array([fixed[int(stage)] for stage in stages], np.int64))
