"""The solver side of the contract: `start` makes a state, `step` takes it one grain further.

A solver sees neither clock nor budget; stopping, watching, resuming and replaying are the harness's work. A state is
plain data: numpy arrays, JSON scalars, and dataclasses, lists and dicts of these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from numpy.random import Generator

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.problem import Problem
from swarmkit.contract.settings import Settings, make_settings

State = TypeVar("State")

GRAIN = 100_000
"""About how many looks a step is worth: long enough to make its overhead small, short enough to stop in good time."""


class Found(NamedTuple):
    """What one step gives: its best solution (None if it met none), and what it cost.

    A *look* is the value of one candidate at one stage, read by the algorithm; a whole score is n of them. A `bound` is
    proved: no solution of the problem scores more.
    """

    solution: Solutions | None
    score: float | None
    looks: int
    iterations: int = 1
    done: bool = False
    bound: float | None = None


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

    params: Any

    def __init__(self, **params: Any) -> None:
        self.params = make_settings(self.Params, params, type(self).__name__)

    def refuses(self, problem: Problem) -> str | None:
        """Say in words why this problem cannot be done, or None."""
        return None

    def prepare(self, problem: Problem) -> None:
        """Load and compile what the steps will need; counted as set-up, not as search."""

    @abstractmethod
    def start(self, problem: Problem, rng: Generator) -> State:
        """Make the state that the first step begins with."""

    @abstractmethod
    def step(self, problem: Problem, state: State, rng: Generator) -> Found:
        """Go one grain further, changing the state in place."""

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.params if value != _default(self, name))
        return f"{type(self).__name__}({given})"


def _default(solver: Solver[Any], name: str) -> Any:
    return type(solver.params).model_fields[name].get_default(call_default_factory=True)
