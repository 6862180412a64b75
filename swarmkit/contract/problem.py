"""The problem side of the contract: n stages, candidates at each, one score; all else is optional.

A solution is a row of n candidate numbers; batches of solutions are (k, n) arrays; -1 marks a stage that is still open.
Higher scores are better.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from swarmkit.contract.arrays import Floats, Ints, Solutions
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.settings import Settings
from swarmkit.contract.structure import Structure


class Origin(NamedTuple):
    """How the registry made a problem: what a checkpoint or a result needs to make it again."""

    name: str
    options: Mapping[str, Any]


class Part(NamedTuple):
    """A part of a problem that does not depend on the rest: some of its stages, as a problem of their own."""

    stages: Ints
    problem: Problem


class Problem(ABC):
    """A combinatorial problem. `sizes` and `score` are required; every other member has a correct default."""

    Options: ClassVar[type[Settings]] = Settings
    """What `-P key=value` sets; the fields become the constructor's arguments unless `build` says otherwise."""

    sizes: Sequence[int] | Ints
    """The number of candidates at each stage (required: a class attribute, a property, or set in `__init__`)."""

    reference: ClassVar[str] = ""
    """Where the problem or its instances come from."""

    distinct: bool = False
    """Whether stages must take different candidates (permutations); all stages then offer the same ones."""

    groups: Sequence[int] | Ints | None = None
    """The group (sentence, district) of each stage; None is one group."""

    parts: Sequence[Part] = ()
    """Independent parts that the problem falls into, if it does: solved each on its own, the score is their sum."""

    optimum: float | None = None
    """The best score there is, where it is known beforehand: published, or planted. `--gap` measures from it."""

    versions: Mapping[str, str] = MappingProxyType({})
    """Versions or hashes of data the problem is made from, for the result to carry."""

    origin: Origin | None = None
    """Set by the registry; None for a problem made in Python."""

    @classmethod
    def build(cls, options: Any) -> Self:
        """Make the problem that the options describe."""
        return cls(**dict(options))

    @abstractmethod
    def score(self, X: Solutions) -> Any:
        """Score complete solutions, one a row; finite for every row of valid candidates, feasible or not."""

    def feasible(self, X: Solutions) -> Any:
        """Judge complete solutions: an infeasible one is never recorded as the best."""
        return np.ones(len(X), bool)

    def allowed(self, X: Solutions, stage: int) -> Any:
        """Tell which candidates of a stage keep each unfinished row feasible, whatever else is still open.

        By default: what no other stage of a `distinct` problem has taken; and where every other stage is filled, what
        `feasible` says. A problem whose constraints can be told earlier overrides this.
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
        """Give the change of score if the stage took each candidate (`distinct`: by swapping with its holder)."""
        form = self.pairwise()
        if form is not None:
            return form.gains(x[None], stage)[0]
        scores = np.asarray(self.score(self.neighbours(x[None], stage)))
        return scores - scores[x[stage]]

    def neighbours(self, X: Solutions, stage: int) -> Solutions:
        """Give what `gains` is about, for each row: the stage takes each candidate, a holder takes the old one."""
        m = int(self.sizes[stage])
        Y = _each_candidate(X, stage, m)
        if self.distinct:
            others = np.delete(np.arange(X.shape[1]), stage)
            rows = m * np.arange(len(X))[:, None] + X[:, others]
            Y[rows, others] = X[:, stage, None]
        return Y

    def appeal(self, X: Solutions, stage: int, last: int) -> Any:
        """Say (>= 0) how much each candidate would add beside what each row has chosen; `last` is the stage before.

        By default the marginal score against the assigned neighbours, lifted to 0 where it is negative; without a
        pairwise form nothing is known and all are equally appealing.
        """
        form = self.pairwise()
        if form is None:
            return np.ones((len(X), int(self.sizes[stage])))
        value = form.marginals(X, stage)
        return value - np.minimum(0.0, value.min(axis=1, keepdims=True))

    def relatedness(self, a: Ints, b: Ints) -> Any:
        """Give the similarity in [0, 1] of any two slots, linked by the score or not; None where there is none."""
        return None

    def pairwise(self) -> Pairwise | None:
        """Give the problem as tables, when it has that form: the same object each time."""
        return None

    def describe(self, x: Solutions) -> Sequence[Mapping[str, Any]]:
        """Give rows for people: what was chosen at each stage."""
        return [{"stage": stage, "candidate": int(candidate)} for stage, candidate in enumerate(x)]

    def metrics(self, x: Solutions) -> Mapping[str, float]:
        """Give what the field measures of a solution, beside its score."""
        return {}

    def draw(self, x: Solutions, axes: Any) -> None:
        """Draw a solution into matplotlib's axes, which `--plot` shows beside its curve; by default nothing."""
        return

    @cached_property
    def structure(self) -> Structure:
        """What the problem is: black box, pairwise, binary, chain, tour, assignment, constrained. Solvers ask this."""
        return Structure(
            pairwise=self.pairwise(),
            distinct=self.distinct,
            constrained=self.overrides("allowed") or self.overrides("feasible"),
            own_appeal=self.overrides("appeal"),
        )

    @classmethod
    def overrides(cls, member: str) -> bool:
        """Tell whether a problem brings its own version of an optional member."""
        return getattr(cls, member) is not getattr(Problem, member)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the content, so that a changed input is noticed when a run is resumed or replayed.

        It covers sizes and tables, and without tables the scores of a few fixed solutions.
        """
        sizes = np.asarray(self.sizes, np.int64)
        digest = hashlib.sha256(repr((type(self).__qualname__, self.distinct)).encode())
        form = self.pairwise()
        if form is not None:
            parts = [form.unary, form.edges, form.starts, form.weights, form.flat]
        else:
            X = probes(sizes, self.distinct)
            parts = [np.asarray(self.score(X), np.float64), np.asarray(self.feasible(X), bool)]
        for part in [sizes, *parts]:
            digest.update(np.ascontiguousarray(part).data)  # not a copy: a table may be most of the memory
        return digest.hexdigest()


class PairwiseProblem(Problem):
    """A problem that *is* its tables: everything follows from one `Pairwise`."""

    def __init__(self, form: Pairwise) -> None:
        self.form = form
        self.sizes = form.sizes
        self.distinct = form.distinct

    def score(self, X: Solutions) -> Floats:
        """Score solutions by the tables."""
        return self.form.score(X)

    def pairwise(self) -> Pairwise:
        """Give the tables."""
        return self.form


def _each_candidate(X: Solutions, stage: int, m: int) -> Solutions:
    """Repeat every row m times, with each of the m candidates at the stage."""
    Y = np.repeat(X, m, axis=0)
    Y[:, stage] = np.tile(np.arange(m), len(X))
    return Y


def probes(sizes: Ints, distinct: bool) -> Solutions:
    """Give a few solutions that are the same wherever and whenever they are asked for."""
    rng = np.random.Generator(np.random.PCG64(0))
    if distinct and len(sizes):
        return np.array([rng.permutation(sizes[0])[: len(sizes)] for _ in range(16)])
    return rng.integers(sizes, size=(16, len(sizes)))
