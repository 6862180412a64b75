"""The solver side of the contract: `start` makes a state, `step` advances it by about one grain of work.

A solver sees neither clock nor budget: `swarmkit.running` stops, observes, resumes and replays runs. A state is plain
data: numpy arrays, JSON scalars, and dataclasses, lists and dicts of these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from numpy.random import Generator

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.settings import Settings, make_settings

State = TypeVar("State")

GRAIN = 100_000
"""The looks that a step should take, roughly: enough to make its overhead small, few enough to stop in time."""


class Found(NamedTuple):
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


class Solver(ABC, Generic[State]):
    """A method for problems. The state's type is the one that `start` is annotated with."""

    Params: ClassVar[type[Settings]] = Settings
    """What `-A key=value` sets, with ranges and meanings."""

    reference: ClassVar[str] = ""
    """Where the method was published."""

    proof_rank: ClassVar[int | None] = None
    """Set by solvers that prove optima or bounds: `--gap` asks them, lowest rank (cheapest) first. None: heuristic."""

    proof_params: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """The parameters with which `--gap` asks, for instance a limit on the size of the problem."""

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Spellings of earlier versions, and what to type instead: a parameter (`preset`), or one value (`preset=auto`)."""

    params: Any

    def __init__(self, **params: Any) -> None:
        self.params = self.make_params(params, type(self).__name__)

    @classmethod
    def make_params(cls, given: Mapping[str, Any], owner: str) -> Settings:
        """Return the parameters that some given values stand for, defaults included.

        Args:
            given: names and values; a value may be the text of a command line.
            owner: how messages call the solver, for instance `solver 'icm'`.

        Raises:
            UsageError: a name or value is wrong; one of an earlier version comes with what to type instead.
        """
        for name, value in given.items():
            known = name in cls.Params.model_fields
            instead = cls.renamed.get(f"{name}={value}", None if known else cls.renamed.get(name))
            if instead is not None:
                old = f"takes no {name}={value}" if known else f"has no parameter '{name}'"
                raise UsageError(f"{owner} {old} any more. Type: {instead}")
        return make_settings(cls.Params, given, owner)

    def refuses(self, problem: Problem) -> str | None:
        """Return the reason why this solver cannot solve a problem, as a clause about it (`it has ...`), or None."""
        return None

    def prepare(self, problem: Problem) -> None:
        """Load and compile what the steps will need; its time counts as set-up, not as search."""

    @abstractmethod
    def start(self, problem: Problem, rng: Generator) -> State:
        """Return the state that the first step begins with."""

    @abstractmethod
    def step(self, problem: Problem, state: State, rng: Generator) -> Found:
        """Search for about one grain of looks, changing the state in place, and return what was found.

        Args:
            problem: the problem of the run.
            state: the state that `start` returned and earlier steps have changed.
            rng: the generator of the run; drawing from anything else would break replay.
        """

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.params if value != _default(self, name))
        return f"{type(self).__name__}({given})"


def _default(solver: Solver[Any], name: str) -> Any:
    return type(solver.params).model_fields[name].get_default(call_default_factory=True)
