"""The solver side of the contract: `start` makes a state, `step` makes one iteration of the method on it.

A solver sees neither clock nor budget: `swarmkit.running` stops, observes, resumes and replays runs. A state is plain
data: numpy arrays, JSON scalars, and dataclasses, lists and dicts of these.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.deprecated import WHOLE_STEP, OldSteps, takes_left
from swarmkit.contract.errors import SolverError
from swarmkit.contract.explanation import Explanation
from swarmkit.contract.problem import Problem
from swarmkit.contract.settings import Settings, make_settings, refuse_old_names

State = TypeVar("State")

GRAIN = 100_000
"""The looks that a step should take, roughly: enough to make its overhead small, few enough to stop in time."""


NO_LIMIT = sys.maxsize


class StepResult(NamedTuple):
    """What one step has found, and what it cost.

    A *look* is the value of one candidate at one stage, read by the algorithm; scoring a whole solution takes n looks.
    """

    solution: Solutions | None
    """The best solution of the step; None if it met no feasible one."""
    score: float | None
    """The score of that solution."""
    looks: int
    """The looks of this step."""
    iterations: int = 1
    """The iterations of the algorithm in this step."""
    done: bool = False
    """Whether the solver has nothing more to do."""
    bound: float | None = None
    """A proved upper bound on the score of every solution of the problem."""
    steps: int = 0
    """The steps that were made, where `steps` makes fewer than it was asked for because the solver is done."""

    def plus(self, later: StepResult) -> StepResult:
        """Return the sum of this result and that of later steps: costs added, the first of the best solutions.

        A solution is copied: a solver may return the array that its next step changes.
        """
        solution, score = self.solution, self.score
        if later.solution is not None and later.score is not None and (score is None or later.score > score):
            solution, score = np.array(later.solution), later.score
        looks, iterations = self.looks + later.looks, self.iterations + later.iterations
        # Every bound holds for all solutions, so the lowest is the sharpest.
        bounds = [bound for bound in (self.bound, later.bound) if bound is not None]
        steps = self.steps + later.steps
        return StepResult(solution, score, looks, iterations, later.done, min(bounds, default=None), steps)


NO_STEP = StepResult(None, None, 0, iterations=0)
"""The result of no step, to which others are added."""


class Suitability(NamedTuple):
    """How well a solver fits the structure of a problem; `auto` makes its choice from these."""

    weight: float
    """The share of the time that it deserves beside others before anything has been tried: 1 for a method made for the
    structure, 0.5 for a good general one, 0.1 for one that merely works. The heaviest of those that prove is asked."""
    reason: str
    """What makes it suitable, as a clause about the problem: `it is a tour`."""
    nanoseconds: float = 20.0
    """The time of a look, as a constant of the solver, measured once: shares of time are counted in looks times this,
    never by the clock. For a solver that proves in attempts, the time of the first: it begins when the others have had
    this time divided by `weight`."""
    proves: bool = False
    """Whether it ends with a proved optimum after work that is small for this problem."""
    params: Mapping[str, Any] = MappingProxyType({})
    """The parameters to make it with, where the defaults are not the best for the structure."""
    shares: bool = True
    """Whether it gains from what others have found between its turns; a method that follows a schedule does not."""
    attempts: str = ""
    """For a solver that proves: the parameter that limits the work of an attempt. `auto` tries again with four times as
    much as long as nothing is proved. Empty: it is run first, to its end."""
    takes_turns: bool = False
    """For a solver that proves in one go: whether it has half of the time beside the others instead of all at first,
    because its work may exceed the budget of a run."""


class Method(OldSteps):
    """A method with parameters. The answers to the harness are those of a method that runs alone and proves nothing.

    A solver that runs others inherits from `Composite`, one that proves optima or bounds from `Prover`.
    """

    Params: ClassVar[type[Settings]] = Settings
    """What `-A key=value` sets, with ranges and meanings."""

    params: Any
    """The parameters of this solver, an object of `Params`."""

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Spellings of earlier versions, where version 0.2 had them; now in `Params` (see `Settings.renamed`)."""

    proof_rank: ClassVar[int | None] = None
    proof_params: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, **params: Any) -> None:
        self.params = self.make_params(params, type(self).__name__)

    @classmethod
    def make_params(cls, values: Mapping[str, Any], owner: str) -> Settings:
        """Return the parameters that some values stand for, defaults included.

        Args:
            values: names and values; a value may be the text of a command line.
            owner: how messages call the solver, for instance `solver 'icm'`.

        Raises:
            UsageError: a name or value is wrong; one of an earlier version comes with what to type instead.
        """
        refuse_old_names(cls.renamed, values, cls.Params, owner)
        return make_settings(cls.Params, values, owner)

    @property
    def inner(self) -> Sequence[Any]:
        """The solvers whose states are kept inside this solver's: a checkpoint may contain their dataclasses."""
        return ()

    @property
    def waits(self) -> bool:
        """Whether a step may end without a look, because a process outside is still at work: it has `finish`."""
        finish = next(base for base in type(self).__mro__ if "finish" in vars(base))
        return Method not in finish.__bases__  # Solver alone derives from it directly

    def stop(self) -> None:
        """End what works outside of this process; called when a run ends, whatever the reason."""

    def explain(self, problem: Any, state: Any) -> Explanation | None:
        """Return what this solver has chosen and why, if it chooses among others; results contain it.

        Args:
            problem: the problem of the run.
            state: the state at the end of the run.
        """
        return None

    def __repr__(self) -> str:
        fields = type(self.params).model_fields
        differences = [(name, v) for name, v in self.params if v != fields[name].get_default(call_default_factory=True)]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in differences)})"


class Solver(Method, ABC, Generic[State]):
    """A method for problems, with `Params`. The state's type is the one that `start` is annotated with.

    It has `start`, and `step` or `steps`: each of the two calls the other by default.
    """

    reference: ClassVar[str] = ""
    """Where the method was published."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Refuse a class that has neither of the two methods which call each other."""
        if lacks_steps(cls):
            raise SolverError(
                f"{cls.__name__} has neither step nor steps; a solver makes its iterations in one of them"
            )
        return super().__new__(cls)

    def refuses(self, problem: Problem) -> str | None:
        """Return the reason why this solver cannot solve a problem, as a clause about it (`it has ...`), or None."""
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Return how well this solver fits the structure and size of a problem, or None: `auto` leaves it out.

        Asked only where `refuses` returns None. It must be cheap: `problem.structure` answers most questions.
        """
        return None

    def prepare(self, problem: Problem) -> None:
        """Load and compile what the steps will need; its time counts as set-up, not as search."""

    @abstractmethod
    def start(self, problem: Problem, rng: Generator) -> State:
        """Return the state that the first step begins with.

        Args:
            problem: the problem to solve: a score to maximise, fixed stages left out.
            rng: the run's generator, the only source of random numbers.
        """

    def inject(self, problem: Problem, state: State, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Let the state take up given solutions, and return the looks that this took; by default they are ignored.

        Called after `start` (a warm start), and between steps by solvers that share what they find. The best of the
        solutions is the incumbent of the run already.

        Args:
            problem: the problem of the run.
            state: the state, which is changed in place.
            X: complete feasible solutions, one per row.
            scores: their scores.
            rng: the generator of the run.
        """
        return 0

    def step(self, problem: Problem, state: State, rng: Generator) -> StepResult:
        """Make one iteration of the method, or a bounded piece of it, and return the best solution and the cost.

        A piece scores at most one population, or makes one pass over the stages; what is left of the iteration (a
        climb, say) is kept in the state and goes on in the next step. Without tables the harness may end a step inside
        any call of `score`, and make it again later from a copy of the state: a step depends on its arguments alone.

        Args:
            problem: the problem of the run.
            state: the state that `start` returned and earlier steps have changed; changed in place.
            rng: the generator of the run; drawing from anything else would break replay.
        """
        return self.steps(problem, state, rng, 1)

    def steps(self, problem: Problem, state: State, rng: Generator, count: int) -> StepResult:
        """Make several steps, fewer if the solver is done, and return their sum; the same bits as calls of `step`.

        Override it where a kernel makes many short steps in one call: the harness chooses the number by the clock. A
        solver that does so needs no `step`.

        Args:
            problem: the problem of the run.
            state: the state, which is changed in place.
            rng: the generator of the run.
            count: the number of steps, at least 1.
        """
        # Solvers of version 0.2 pause by `left`: they get one without limits.
        old = (WHOLE_STEP,) if takes_left(type(self)) else ()
        total = NO_STEP
        for _ in range(count):
            result = check_result(self, problem, self.step(problem, state, rng, *old))
            if count == 1:
                return result
            total = total.plus(result._replace(steps=1))
            # No looks: it waits for a process outside, and would wait again.
            if result.done or result.looks == 0:
                break
        return total

    def finish(self, problem: Problem, state: State) -> None:
        """Ask a process outside to report; called 0.3 s before a limit of time, while steps wait for that process.

        Only a solver that waits for a process has it: its steps may return no looks, which are then no steps.
        """

    def snapshot(self, state: State) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        """Return what can be shown of a state: copies of small arrays and numbers by name; nothing by default.

        Where a step does several things that are worth seeing (passes of a colony), return a sequence of such moments,
        oldest first: each becomes a frame of the recording. The last one is the state as it is now. A snapshot is asked
        for only where a run is recorded: reconstruct here what it shows, rather than keep it in every step.

        A recording keeps them, and the viewer draws the names that it knows:

        - `solutions` (k, n): the solutions that are worked on, -1 at open stages; `current` (n,): the only one.
        - `qualities` (k,): how good each of them is; `followed` (k,): the number of the solution that each has just
          taken over, its own number if it was kept; `home`: the stage from which they are built.
        - `trail` (m,): what was learnt about the pairs of cities `trail_from` (m,) and `trail_to` (m,), or about slots.
        - any other number: shown as a value over the run, for instance `temperature`, `diversity` or `tenure`.
        """
        return {}


def lacks_steps(kind: type[Solver[Any]]) -> bool:
    """Return whether a class of solvers defines neither `step` nor `steps`: by default each calls the other."""
    return kind.step is Solver.step and kind.steps is Solver.steps


def moments_of(snapshot: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the moments of a snapshot, oldest first; there is at least one.

    >>> moments_of({"temperature": 2.5}), moments_of([])
    ([{'temperature': 2.5}], [{}])
    """
    return [snapshot] if isinstance(snapshot, Mapping) else list(snapshot) or [{}]


def take_steps(solver: Solver[Any], problem: Problem, state: Any, rng: Generator, count: int = 1) -> StepResult:
    """Let a solver make some steps, and return what it returns if that is what the contract says.

    Raises:
        SolverError: it is not.
    """
    result = solver.steps(problem, state, rng, count)
    # The default checks each of its steps itself.
    if type(solver).steps is not Solver.steps:
        result = check_result(solver, problem, result)
    return result if result.steps else result._replace(steps=count)


def check_result(solver: Solver[Any], problem: Problem, result: Any) -> StepResult:
    """Return what a step has returned, if it is what the contract says."""
    wrong = (
        validate_result(result, len(problem.sizes))
        if isinstance(result, StepResult)
        else f"{result!r}; expected a StepResult"
    )
    if wrong:
        raise SolverError(f"{type(solver).__name__}.step returned {wrong}")
    return result  # type: ignore[no-any-return]  # it is a StepResult


def validate_result(result: Any, stages: int) -> str | None:
    """Return what is wrong with the fields of a `StepResult`, as the end of `step returned…`; None if nothing is.

    Args:
        result: the fields that a step has returned.
        stages: the number of stages of the problem.
    """
    for name in ("looks", "iterations"):
        value = getattr(result, name)
        # The exact type first: it is nearly always int, and this runs after every step.
        if type(value) is not int and not isinstance(value, Integral):
            return f"{name}={value!r}; expected a whole number"
    for name in ("score", "bound"):
        value = getattr(result, name)
        if value is not None and not (isinstance(value, float | Real | np.bool_) and math.isfinite(value)):
            return f"{name}={value!r}; expected a finite number"
    if result.solution is not None:
        x = np.asarray(result.solution)
        if x.shape != (stages,) or x.dtype.kind not in "iub":
            return f"a solution of shape {x.shape} and type {x.dtype}; expected {stages} integers, one per stage"
    return None


class Composite(Solver[State]):
    """A solver whose state contains the states of others. It may `explain` what it has chosen among them."""

    @property
    @abstractmethod
    def inner(self) -> Sequence[Solver[Any]]:
        """The solvers whose states are kept inside this solver's: a checkpoint may contain their dataclasses."""

    @property
    def waits(self) -> bool:
        """Whether one of them may wait for a process outside."""
        return any(solver.waits for solver in self.inner)

    def stop(self) -> None:
        """End what they have started outside of this process."""
        for solver in self.inner:
            solver.stop()

    @staticmethod
    def add_values(snapshot: Mapping[str, Any] | Sequence[Mapping[str, Any]], **values: float) -> list[dict[str, Any]]:
        """Return the moments that one of them shows, each with values of this solver by name."""
        return [{**moment, **values} for moment in moments_of(snapshot)]


class Prover(Solver[State]):
    """A solver that returns a bound with its solutions: `--gap` asks it, and `auto` where its work is small."""

    proof_rank: ClassVar[int | None]
    """`--gap` asks solvers of low rank first: how costly a proof is beside those of other solvers. None: it is asked
    by its name alone."""

    proof_params: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """The parameters with which `--gap` asks, for instance a limit on the size of the problem."""
