"""What is run: problem, solver, seed and budget by name and value. Results and checkpoints carry it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from swarmkit.contract.budget import Budget


class Spec(BaseModel):
    """A run before it is run; together with the problem's content it determines the outcome."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    problem: str
    options: dict[str, Any] | None
    """The problem's options; None for a problem made in Python."""
    fingerprint: str
    solver: str
    params: dict[str, Any]
    seed: int
    budget: Budget
    polish: str = "none"
    """A local search on the answer, once, at the end."""
    versions: dict[str, str]
