"""The problem side of the contract: n stages, candidates at each, one score; everything else is optional.

A solution is a row of n candidate numbers; a batch of k solutions is a (k, n) array; -1 marks a stage that is still
open. Higher scores are better.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from swarmkit.contract.arrays import Floats, Ints, Solutions
from swarmkit.contract.fingerprint import fingerprint_of
from swarmkit.contract.meter import Meter, metered, metered_gains, one_by_one
from swarmkit.contract.notebook import problem_html
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.settings import Settings
from swarmkit.contract.structure import Structure


class Origin(NamedTuple):
    """The registered name and the options of a problem, from which it can be made again."""

    name: str
    options: Mapping[str, Any]


class Part(NamedTuple):
    """A part of a problem that is independent of the rest."""

    stages: Ints
    """The stages of the part, as numbers of the whole problem."""
    problem: Problem
    """These stages as a problem."""


class Problem(ABC):
    """A combinatorial problem. `sizes`, and `score` or `score_one`, are required; all else has a correct default."""

    Options: ClassVar[type[Settings]] = Settings
    """The options that `-P key=value` sets; `build` passes them to the constructor."""

    sizes: Sequence[int] | Ints
    """The number of candidates at each stage (required: a class attribute, a property, or set in `__init__`)."""

    reference: ClassVar[str] = ""
    """Where the problem or its instances come from."""

    direction: Literal["maximise", "minimise"] = "maximise"
    """Whether `score` (and `pairwise`, `gains`, `optimum`) returns scores, higher is better, or costs, lower is better.

    Solvers, results and stores have one score to maximise: of a cost, its negative (see `contract/searched.py`)."""

    cost_name: str = ""
    """What people call the cost, minus the score (length, makespan), which they see in place of the score.

    With `direction = "minimise"` it is "cost" by default. A problem whose score is a negated cost, never positive, may
    name the cost too."""

    distinct: bool = False
    """Whether stages must take different candidates (permutations); all stages then offer the same ones."""

    caption: str = ""
    """What the instance is, in a line or a few, for people: it is shown above the answer."""

    groups: Sequence[int] | Ints | None = None
    """The group (sentence, district) of each stage; None is one group."""

    tie_ranks: Ints | None = None
    """For each slot a rank: of equally good candidates of a stage a deterministic solver takes the one of lowest rank.
    None is the order of the candidates. Stochastic solvers break ties by the run's generator."""

    parts: Sequence[Part] = ()
    """Independent parts, which cover all stages: each is solved on its own, and the score is the sum of theirs."""

    optimum: float | None = None
    """The best possible score, if it is known beforehand (published, or planted); `--gap` measures from it."""

    versions: Mapping[str, str] = MappingProxyType({})
    """Versions or hashes of the data that the problem is made from; results contain them."""

    restructured: Mapping[str, str] = MappingProxyType({})
    """Options that would give the problem a structure which it has not ({"chain": "preset=paper"}): a way out that
    solvers name when they refuse it."""

    evaluation_seconds: float | None = None
    """Seconds of an evaluation, timed once, with the fingerprint, where nothing but the score is known: a solver may
    choose its method by it. It is part of the result, and a replay uses it again."""

    origin: Origin | None = None
    """How the problem was made by name; None for a problem made in Python."""

    def __init_subclass__(cls, view: bool = False, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if view:  # the problem that it shows is metered
            return
        if "score_one" in cls.__dict__ and "score" not in cls.__dict__:
            cls.score = metered(one_by_one)  # type: ignore[method-assign]  # every row goes through the meter
        elif "score" in cls.__dict__:
            cls.score = metered(cls.__dict__["score"])  # type: ignore[method-assign]  # the same
        if "gains" in cls.__dict__:
            cls.gains = metered_gains(cls.__dict__["gains"])  # type: ignore[method-assign]  # and its looks

    @classmethod
    def build(cls, options: Any) -> Self:
        """Return the problem that some options (an instance of `Options`) describe."""
        return cls(**dict(options))

    @abstractmethod
    def score(self, X: Solutions) -> Any:
        """Return the score of each row: a finite number for all valid candidates, feasible or not."""

    def score_one(self, x: Solutions) -> Any:
        """Return the score of one solution: what may be written in place of `score`, if batches bring nothing."""
        return self.score(x[None])[0]

    def feasible(self, X: Solutions) -> Any:
        """Return whether each row is feasible; an infeasible solution is never recorded as the best."""
        return np.ones(len(X), bool)

    def allowed(self, X: Solutions, stage: int) -> Any:
        """Return, for each row, which candidates of a stage may still lead to a feasible solution.

        By default all of them, except those that another stage of a `distinct` problem has taken; if every other stage
        is filled, those that `feasible` accepts. Override it if constraints can be checked earlier.

        Args:
            X: solutions, one per row, with -1 at open stages.
            stage: the stage whose candidates are asked for.
        """
        m = int(self.sizes[stage])
        others = np.delete(X, stage, axis=1)
        allowed = np.ones((len(X), m), bool)
        if self.distinct:
            rows, columns = np.nonzero(others >= 0)
            allowed[rows, others[rows, columns]] = False
        full = np.flatnonzero((others >= 0).all(axis=1))
        if len(full) and self.overrides("feasible"):
            allowed[full] &= self.feasible(_each_candidate(X[full], stage, m)).reshape(len(full), m)
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

    def neighbours(self, X: Solutions, stage: int) -> Solutions:
        """Return the solutions that `gains` compares: for each row, as many as the stage has candidates.

        Args:
            X: complete solutions, one per row.
            stage: the stage that takes each of its candidates.
        """
        m = int(self.sizes[stage])
        Y = _each_candidate(X, stage, m)
        if self.distinct:
            others = np.delete(np.arange(X.shape[1]), stage)
            rows = m * np.arange(len(X))[:, None] + X[:, others]
            Y[rows, others] = X[:, stage, None]
        return Y

    def appeal(self, X: Solutions, stage: int, last: int) -> Any:
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
        return value - np.minimum(0.0, value.min(axis=1, keepdims=True))

    def relatedness(self, a: Ints, b: Ints) -> Any:
        """Return the similarity in [0, 1] of pairs of slots, whether the score links them or not; None if undefined.

        Args:
            a: slots (see `Pairwise`).
            b: as many slots, each paired with one of `a`.
        """
        return None

    def descriptions(self) -> tuple[Ints, Ints] | None:
        """Return what describes the candidates, such as the words of a definition, as numbers from 0; None if nothing.

        The first array says where the numbers of each slot begin in the second, and after the last slot their count.
        """
        return None

    def pairwise(self) -> Pairwise | None:
        """Return the problem as tables, the same object each time; None if it does not have that form."""
        return None

    def describe(self, x: Solutions) -> Sequence[Mapping[str, Any]]:
        """Return a solution as rows for people: what was chosen at each stage."""
        return [{"stage": stage, "candidate": int(candidate)} for stage, candidate in enumerate(x)]

    def metrics(self, x: Solutions) -> Mapping[str, float]:
        """Return what the field measures of a solution beside its score, by name."""
        return {}

    def draw(self, x: Solutions, axes: Any) -> None:
        """Draw a solution into matplotlib's axes, which `--plot` shows beside the curve of the run.

        By default the chosen candidate of each stage, with the numbers of candidates shaded.

        Args:
            x: a complete solution.
            axes: matplotlib's axes.
        """
        sizes, stages = np.asarray(self.sizes), np.arange(len(self.sizes))
        if not len(sizes):
            return
        axes.bar(stages, sizes, width=1.0, bottom=-0.5, color="0.92", edgecolor="white" if len(sizes) <= 60 else "none")
        axes.scatter(stages, x, s=np.clip(6000 / len(sizes), 3, 60), marker="s", color="C0", zorder=3)
        axes.set(xlabel="stage", ylabel="candidate chosen (grey: all candidates)", title=f"{len(sizes):,} stages")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,.6g}" if float(value).is_integer() else "")

    def scene(self) -> Mapping[str, Any]:
        """Return the fixed part of a moving picture as JSON values and arrays; `kind` names the scene that draws it.

        Nothing by default: the viewer draws a grid of stages and candidates. With any scene, `stages` are the names of
        the stages and `candidates` those of the candidates, a list for each stage (or one list for all). The kinds:

        - `words`: `glosses`, a list for each stage, and `text`, the words of the text, [word, stage or -1] each.
        - `tour`: `points`, (n, 2) positions of the cities, and `closed`, whether the tour returns to its start; a
          candidate without a position is the dummy between the ends of an open tour.
        - `assignment`: `flows`, (n, n) between the stages, and `distances`, (n, n) between the candidates.
        - `flowshop`: `times`, (machines, jobs).
        - `graph`: `points` of the vertices, `edges`, [vertex, vertex] each, `show`, one of `cut`, `colours`, `set`.
        """
        return {}

    @cached_property
    def meter(self) -> Meter:
        """The count of rows passed to `score`, which independent parts share."""
        meter = Meter()
        for part in self.parts:
            part.problem.__dict__["meter"] = meter
        return meter

    def with_own_meter(self) -> Self:
        """Return a shallow copy that counts from 0: runs that share a problem, in threads perhaps, count apart."""
        twin = copy.copy(self)
        twin.__dict__.pop("meter", None)
        if self.parts:
            twin.__dict__["parts"] = tuple(Part(part.stages, part.problem.with_own_meter()) for part in self.parts)
        return twin

    @property
    def evaluations(self) -> int:
        """The rows passed to `score` so far, those of independent parts included."""
        return self.meter.rows

    @property
    def evaluation_looks(self) -> int:
        """What these rows cost in looks where nothing but the score is known: n for each."""
        return self.meter.looks

    @cached_property
    def structure(self) -> Structure:
        """What the problem is: black box, pairwise, binary, chain, tour, assignment, constrained. Solvers ask this.

        Its tables are those of the score to maximise.
        """
        form = self.pairwise()
        return Structure(
            pairwise=form.negated if form is not None and self.direction == "minimise" else form,
            distinct=self.distinct,
            constrained=self.overrides("allowed") or self.overrides("feasible"),
            own_appeal=self.overrides("appeal"),
        )

    def _repr_html_(self) -> str:
        """Return the problem for notebooks: its name, stages, candidates and structure."""
        return problem_html(self)

    @property
    def objective(self) -> str:
        """What people call the number that they want to see: `score`, or the name of the cost."""
        return self.cost_name or ("score" if self.direction == "maximise" else "cost")

    @classmethod
    def overrides(cls, member: str) -> bool:
        """Return whether a class defines an optional member (such as `gains`) itself."""
        return getattr(cls, member) is not getattr(Problem, member)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of sizes and tables, or without tables of the scores of a few fixed solutions.

        A changed input is noticed by it when a run is resumed or replayed.
        """
        return fingerprint_of(self)


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


def _each_candidate(X: Solutions, stage: int, m: int) -> Solutions:
    """Return every row m times, with each of the m candidates at the stage."""
    Y = np.repeat(X, m, axis=0)
    Y[:, stage] = np.tile(np.arange(m), len(X))
    return Y
