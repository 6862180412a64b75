"""What is run: problem, solver, seed and budget by name and value. Results and checkpoints contain it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import UsageError


class Spec(BaseModel):
    """The specification of a run; together with the problem's content it determines the outcome."""

    model_config = ConfigDict(frozen=True)

    format: Literal[2] = 2
    """1: written by version 0.1. Solvers that were several methods have been split since."""
    problem: str
    """The name of the problem, or of its class if it was made in Python."""
    options: dict[str, Any] | None
    """The problem's options; None for a problem made in Python."""
    fingerprint: str
    """A hash of the problem's content."""
    solver: str
    """The name of the solver, or of its class if it was made in Python."""
    params: dict[str, Any]
    """The solver's parameters, defaults included."""
    seed: Annotated[int, Field(ge=0)]
    """The seed of the run."""
    budget: Budget
    """The limits of the run."""
    polish: str = "none"
    """The local search that improves the answer once, at the end."""
    fixed: dict[int, int] = Field(default_factory=dict)
    """The candidates of the stages that the run may not change."""
    start: list[list[int]] = Field(default_factory=list)
    """The solutions that the run began with (a warm start)."""
    versions: dict[str, str]
    """The versions of Python, of the packages and of the data that the run depends on."""


def refuse_format(number: object, source: str, use: str) -> None:
    """Refuse a file that version 0.1 wrote: names and states of its solvers mean something else now.

    Args:
        number: the format that the file has.
        source: the file, for the message.
        use: what cannot be done with it: resumed, replayed.
    """
    if number == 1:
        raise UsageError(
            f"{source}: written by version 0.1, some of whose solvers are several solvers now, so it cannot be {use} "
            "by this version: start a new run, or use version 0.1"
        )
