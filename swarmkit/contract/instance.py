"""What the framework keeps about a problem, and what it derives from what the author wrote; `Problem` is the rest."""

from __future__ import annotations

import copy
import functools
import hashlib
import time
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from swarmkit.contract.arrays import Ints, Solutions
from swarmkit.contract.compiled import plain_function, score_compiled
from swarmkit.contract.deprecated import OldMembers, take_old_members
from swarmkit.contract.errors import ProblemError
from swarmkit.contract.meter import Meter, score_rows, through_meter
from swarmkit.contract.notebook import problem_html
from swarmkit.contract.structure import Structure, structure_of

TIMED_TWICE = 1e-3
"""Seconds of an evaluation from which it is timed a second time."""

SPELLINGS: Mapping[str, Literal["maximise", "minimise"]] = MappingProxyType(
    {"maximize": "maximise", "minimize": "minimise"}
)
"""American spellings of directions."""


class Origin(NamedTuple):
    """The registered name and the options of a problem, from which it can be made again."""

    name: str
    options: Mapping[str, Any]


class Instance(OldMembers, ABC):
    """Where a problem comes from, how its scores are counted, and what follows from its members.

    An author may set only `reference`, `versions`, `reformulations` and `tie_ranks`; the default of each is right.
    """

    sizes: Sequence[int] | Ints
    direction: Literal["maximise", "minimise"]
    cost_name: str
    distinct: bool
    parts: Sequence[Any]

    reference: ClassVar[str] = ""
    """Where the problem or its instances come from."""

    versions: Mapping[str, str] = MappingProxyType({})
    """Versions or hashes of the data that the problem is made from; results contain them."""

    reformulations: Mapping[str, str] = MappingProxyType({})
    """Options that would give the problem a structure which it has not ({"chain": "preset=paper"}): a way out that
    solvers name when they refuse it."""

    tie_ranks: Ints | None = None
    """For each slot a rank: of equally good candidates of a stage a deterministic solver takes the one of lowest rank.
    None is the order of the candidates. Stochastic solvers break ties by the run's generator."""

    compiled: ClassVar[bool] = False
    """Whether `score_one(x, data)` is a function of a solution and of `data` that numba compiles; `delta_one(x, y,
    stages, data)` too, if there is one."""

    data: Any = None
    """The second argument of a compiled `score_one`: an array or a number, or a tuple of these."""

    compiled_function: ClassVar[Callable[..., Any]]
    """That function as it was written."""

    compiled_delta: ClassVar[Callable[..., Any] | None] = None
    """`delta_one(x, y, stages, data)` as it was written: the score of y minus that of x, which differ at stages."""

    origin: Origin | None = None
    """How the problem was made by name; None for a problem made in Python."""

    evaluation_seconds: float | None = None
    """Seconds of an evaluation, timed once, with the fingerprint, where nothing but the score is known: a solver may
    choose its method by it. It is part of the result, and a replay uses it again."""

    def __init_subclass__(cls, counts: bool = True, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        take_old_members(cls)
        if vars(cls).get("direction") in SPELLINGS:
            cls.direction = SPELLINGS[cls.direction]
        if not counts:  # defaults, which call what is counted, or a view of another problem, which counts
            return
        for member in {"feasible", "allowed"} & vars(cls).keys():
            setattr(cls, member, beside_constraints(vars(cls)[member]))
        if cls.compiled and "score_one" in vars(cls):
            # A function of a solution and data: a method here, because other code scores one solution, too.
            cls.compiled_function = staticmethod(plain_function(vars(cls)["score_one"]))
            # One that is inherited belongs to another score.
            delta = vars(cls).get("delta_one")
            cls.compiled_delta = None if delta is None else staticmethod(plain_function(delta))
            cls.score_one = Instance.score_one  # type: ignore[method-assign]  # by the batch, which is compiled
            cls.score = through_meter(score_compiled)  # type: ignore[attr-defined]  # every row goes through the meter
        elif "score_one" in vars(cls) and "score" not in vars(cls):
            # One solution at a time: the batch is made of them, so that all rows go through the meter.
            cls.score = through_meter(score_rows)  # type: ignore[attr-defined]  # every row goes through the meter
        elif "score" in vars(cls):
            cls.score = through_meter(vars(cls)["score"])  # type: ignore[attr-defined]  # the same
        if "gains" in vars(cls):
            cls.gains = through_meter(vars(cls)["gains"], Meter.measure_gains)  # type: ignore[attr-defined]  # and its looks

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a direction in American spelling as the British one that all code compares with."""
        super().__setattr__(name, SPELLINGS.get(value, value) if name == "direction" else value)

    @classmethod
    def overrides(cls, member: str) -> bool:
        """Return whether a class defines an optional member (such as `gains`) itself."""
        # The class that defines it first, by the order in which Python would look for it.
        owner = next((base for base in cls.__mro__ if member in vars(base)), object)
        return not (issubclass(Instance, owner) or Instance in owner.__bases__)  # only Problem derives directly from it

    def score_one(self, x: Solutions) -> Any:
        """Return the score of one solution."""
        return self.score(x[None])[0]  # type: ignore[attr-defined]  # of Problem

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
            twin.__dict__["parts"] = tuple(part._replace(problem=part.problem.with_own_meter()) for part in self.parts)
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
        return structure_of(self)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of sizes, constraints and tables, or without tables of the scores of a few fixed solutions.

        A changed input is noticed by it when a run is resumed or replayed. Of a problem without tables, the seconds of
        an evaluation are measured with it.
        """
        sizes = np.asarray(self.sizes, np.int64)
        costs = ["minimise"] if self.direction == "minimise" else []
        # The name of the class and not its module: plugins may move their modules.
        digest = hashlib.sha256(repr((type(self).__qualname__, self.distinct, *costs)).encode())
        problem: Any = self  # with the members of Problem
        form = problem.pairwise()
        if form is not None:
            parts = [form.unary, form.edges, form.starts, form.weights, form.flat]
        else:
            # Scores of the same 16 solutions: what else could tell two black boxes apart?
            X = probes(sizes, self.distinct)
            before = X.copy()
            scores = np.asarray(_timed_scores(problem, X), np.float64)
            if not np.array_equal(X, before):
                reason = "writes into the solutions that it is given; expected a copy: X = X.copy()"
                raise ProblemError(f"{type(self).__name__}.score {reason}")
            parts = [scores, np.asarray(problem.feasible(X), bool)]
        rows = () if problem.structure.linear is None else problem.structure.linear.arrays
        for part in [sizes, *parts, *rows]:
            digest.update(np.ascontiguousarray(part).data)  # a buffer, not a copy: tables may take most of the memory
        return digest.hexdigest()

    @property
    def objective(self) -> str:
        """What people call the number that they want to see: `score`, or the name of the cost."""
        return self.cost_name or ("score" if self.direction == "maximise" else "cost")

    def neighbours(self, X: Solutions, stage: int) -> Solutions:
        """Return the solutions that `gains` compares: for each row, as many as the stage has candidates.

        Args:
            X: complete solutions, one per row.
            stage: the stage that takes each of its candidates.
        """
        m = int(self.sizes[stage])
        Y = each_candidate(X, stage, m)
        if self.distinct:
            rest = np.delete(np.arange(X.shape[1]), stage)
            # In row r·m + c, the stage that had c takes what this stage had.
            rows = m * np.arange(len(X))[:, None] + X[:, rest]
            Y[rows, rest] = X[:, stage, None]
        return Y

    def _repr_html_(self) -> str:
        """Return the problem for notebooks: its name, stages, candidates and structure."""
        return problem_html(self)


def beside_constraints(member: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `feasible` or `allowed` of a problem's own that accepts only what its linear constraints accept too."""

    @functools.wraps(member)
    def both(self: Any, X: Solutions, *stage: int) -> Any:
        answer = member(self, X, *stage)
        if self.constraints is None:
            return answer
        return np.asarray(answer, bool) & getattr(self.structure.linear, member.__name__)(X, *stage)

    return both


def each_candidate(X: Solutions, stage: int, m: int) -> Solutions:
    """Return every row m times, with each of the m candidates at the stage."""
    Y = np.repeat(X, m, axis=0)
    Y[:, stage] = np.tile(np.arange(m), len(X))
    return Y


def probes(sizes: Ints, distinct: bool) -> Solutions:
    """Return a few fixed pseudo-random solutions."""
    rng = np.random.Generator(np.random.PCG64(0))
    if distinct and len(sizes):
        return np.array([rng.permutation(sizes[0])[: len(sizes)] for _ in range(16)])
    return rng.integers(sizes, size=(16, len(sizes)))


def _timed_scores(problem: Any, X: Solutions) -> Any:
    """Return the scores of solutions, and set `evaluation_seconds`: what takes long is timed twice (compiling)."""
    start = time.perf_counter()
    scores = problem.score(X)
    seconds = (time.perf_counter() - start) / len(X)
    # The first call may have compiled or loaded something.
    if seconds >= TIMED_TWICE:
        start = time.perf_counter()
        problem.score(X[:1])
        seconds = min(seconds, time.perf_counter() - start)
    object.__setattr__(problem, "evaluation_seconds", seconds)  # not an assignment: it may be a frozen dataclass
    return scores
