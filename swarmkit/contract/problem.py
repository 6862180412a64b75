"""The problem side of the contract: n stages, candidates at each, one score; everything else is optional.

A solution is a row of n candidate numbers; a batch of k solutions is a (k, n) array; -1 marks a stage that is still
open. Higher scores are better.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from swarmkit.contract.arrays import Floats, Ints, Solutions
from swarmkit.contract.constraints import Constraints, Rows
from swarmkit.contract.deprecated import view_by_members
from swarmkit.contract.instance import Instance, each_candidate
from swarmkit.contract.lists import Lists
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.settings import Settings
from swarmkit.contract.view import View


class Part(NamedTuple):
    """A part of a problem that is independent of the rest."""

    stages: Ints
    """The stages of the part, as numbers of the whole problem."""
    problem: Problem
    """These stages as a problem."""


class Problem(Instance, counts=False):
    """A combinatorial problem. `sizes`, and `score` or `score_one`, are required; all else has a correct default."""

    Options: ClassVar[type[Settings]] = Settings
    """The options that `-P key=value` sets; `build` passes them to the constructor."""

    sizes: Sequence[int] | Ints
    """The number of candidates at each stage (required: a class attribute, a property, or set in `__init__`)."""

    direction: Literal["maximise", "minimise"] = "maximise"
    """Whether `score` (and `pairwise`, `gains`, `optimum`) returns scores, higher is better, or costs, lower is better.

    Solvers, results and stores have one score to maximise: of a cost, its negative (see `contract/view.py`)."""

    cost_name: str = ""
    """What people call the cost, minus the score (length, makespan), which they see in place of the score.

    With `direction = "minimise"` it is "cost" by default. A problem whose score is a negated cost, never positive, may
    name the cost too."""

    distinct: bool = False
    """Whether stages must take different candidates (permutations); all stages then offer the same ones."""

    constraints: Constraints | Rows | None = None
    """Linear constraints: sums of coefficients of the chosen candidates, within bounds (`at_most`, `capacity`, …).

    `feasible` and `allowed` follow from them; where a problem has its own too, a solution has to satisfy both."""

    shape: Lists | None = None
    """What a solution is besides a row of candidates: items in ordered lists (`ListProblem`), or nothing."""

    groups: Sequence[int] | Ints | None = None
    """The group (sentence, district) of each stage; None is one group."""

    parts: Sequence[Part] = ()
    """Independent parts, which cover all stages: each is solved on its own, and the score is the sum of theirs."""

    optimum: float | None = None
    """The best possible score, if it is known beforehand (published, or planted); `--gap` measures from it."""

    @classmethod
    def build(cls, options: Any) -> Self:
        """Return the problem that some options (an instance of `Options`) describe."""
        return cls(**dict(options))

    @abstractmethod
    def score(self, X: Solutions) -> Any:
        """Return the score of each row: a finite number for all valid candidates, feasible or not.

        If batches bring nothing, `score_one(self, x)`, the score of one solution, may be written in its place.
        """

    def feasible(self, X: Solutions) -> Any:
        """Return whether each row is feasible; an infeasible solution is never recorded as the best.

        By default the linear constraints decide, and `allowed` where it is a problem's own: of every stage, beside all
        others, whether the candidate is allowed.
        """
        linear = self.structure.linear
        feasible = np.ones(len(X), bool) if linear is None else linear.feasible(X)
        if self.overrides("allowed"):
            for stage in range(X.shape[1]):
                rows = np.flatnonzero(feasible)
                Y = np.array(X[rows])
                Y[:, stage] = -1
                feasible[rows] = np.asarray(self.allowed(Y, stage), bool)[np.arange(len(rows)), X[rows, stage]]
        return feasible

    def allowed(self, X: Solutions, stage: int) -> Any:
        """Return, for each row, which candidates of a stage may still lead to a feasible solution.

        By default all of them, except those that another stage of a `distinct` problem has taken, and those that leave
        a linear constraint no way to be met; if every other stage is filled, those that `feasible` accepts. Override it
        if constraints of your own can be checked earlier.

        Args:
            X: solutions, one per row, with -1 at open stages.
            stage: the stage whose candidates are asked for.
        """
        m = int(self.sizes[stage])
        rest = np.delete(X, stage, axis=1)
        allowed = np.ones((len(X), m), bool)
        if self.distinct:
            rows, columns = np.nonzero(rest >= 0)
            allowed[rows, rest[rows, columns]] = False
        if self.structure.linear is not None:
            allowed &= self.structure.linear.allowed(X, stage)
        # Only where the stage is the last open one can feasible judge its candidates.
        full = np.flatnonzero((rest >= 0).all(axis=1))
        if len(full) and self.overrides("feasible"):
            allowed[full] &= self.feasible(each_candidate(X[full], stage, m)).reshape(len(full), m)
        return allowed

    def gains(self, x: Solutions, stage: int) -> Any:
        """Return the change of score if a stage took each of its candidates.

        In a `distinct` problem the stage that has the candidate takes this stage's in exchange.

        Args:
            x: a complete solution.
            stage: the stage that changes.
        """
        form = self.pairwise()
        if form is not None:
            return form.gains(x[None], stage)[0]
        scores = np.asarray(self.score(self.neighbours(x[None], stage)))
        return scores - scores[x[stage]]

    def heuristic_values(self, X: Solutions, stage: int, last: int) -> Any:
        """Return how attractive (>= 0) each candidate is to a constructive method: the heuristic value of the field.

        By default the marginal score beside the chosen candidates, shifted to be at least 0; without a pairwise form
        nothing is known, and all candidates are equal.

        Args:
            X: solutions under construction, one per row, with -1 at open stages.
            stage: the stage that is filled next.
            last: the stage that was filled before it; -1 for none.
        """
        form = self.structure.pairwise
        if form is None:
            return np.ones((len(X), int(self.sizes[stage])))
        value = form.marginals(X, stage)
        # Never negative, as probabilities in proportion to them need; differences stay as they are.
        return value - np.minimum(0.0, value.min(axis=1, keepdims=True))

    def relatedness(self, a: Ints, b: Ints) -> Any:
        """Return the similarity in [0, 1] of pairs of slots, whether the score links them or not; None if undefined.

        Args:
            a: slots (see `Pairwise`).
            b: as many slots, each paired with one of `a`.
        """
        return None

    def pairwise(self) -> Pairwise | None:
        """Return the problem as tables, the same object each time; None if it does not have that form."""
        return None

    def neighbourhood(self) -> Any:
        """Return moves of its own (a `swarmkit.search.Neighbourhood`) that solvers make; None for those of its kind."""
        return None

    def describe(self, x: Solutions) -> Sequence[Mapping[str, Any]]:
        """Return a solution as rows for people: what was chosen at each stage."""
        return [{"stage": stage, "candidate": int(candidate)} for stage, candidate in enumerate(x)]

    def metrics(self, x: Solutions) -> Mapping[str, float]:
        """Return what the field measures of a solution beside its score, by name."""
        return {}

    def view(self) -> View:
        """Return how people see the problem: a caption, a drawing of a solution, the scene of a moving picture."""
        return view_by_members(self)


class PairwiseProblem(Problem):
    """A problem that is defined by its tables alone."""

    def __init__(self, form: Pairwise) -> None:
        self.form = form
        self.sizes = form.sizes
        self.distinct = form.distinct

    def score(self, X: Solutions) -> Floats:
        """Return the scores of solutions, one per row, by the tables."""
        return self.form.score(X)

    def pairwise(self) -> Pairwise:
        """Return the tables."""
        return self.form


def descriptions_of(problem: Problem) -> tuple[Ints, Ints] | None:
    """Return what describes the candidates of a problem, such as the words of a definition; None if nothing does.

    A problem knows it if it has a method `descriptions()`, which returns the items of the descriptions as numbers from
    0, or None: the first array says where the numbers of each slot begin in the second, and after the last slot their
    count.
    """
    descriptions = getattr(problem, "descriptions", None)
    return None if descriptions is None else descriptions()
