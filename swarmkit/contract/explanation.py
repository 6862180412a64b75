"""What a solver that chooses among others has chosen, why, and how it has spent the run. Part of a result."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class ChosenSolver(BaseModel):
    """One of the solvers that were chosen, and its part in the run."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    solver: str
    params: dict[str, Any]
    """The parameters that differ from the defaults."""
    reason: str
    """What makes it suitable, as a clause about the problem."""
    looks: int
    """Its looks so far."""
    share: float | None
    """Its share of the time of those that take turns: looks times the solver's constant cost of a look."""
    improvements: int
    """Its turns that improved the incumbent."""


class SharesAt(BaseModel):
    """The shares of the solvers up to a point of the run."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    looks: int
    """The looks of the run at this point."""
    shares: dict[str, float]
    """The share of each solver in the work since the point before."""


class Explanation(BaseModel):
    """What was chosen, why, and the shares of the solvers over time."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    choice: str
    """What was chosen and why, as a sentence."""
    solvers: list[ChosenSolver]
    shares: list[SharesAt]


def combine(explanations: list[Explanation]) -> Explanation | None:
    """Return what was chosen for the parts of a problem as one explanation; None if there are none.

    The looks of a solver are added up over the parts, its share is that of all looks. Shares over time are those of a
    single part, and left out for several.

    Args:
        explanations: those of the parts that have been begun.
    """
    if len(explanations) < 2:
        return explanations[0] if explanations else None
    sentences: dict[str, int] = {}
    solvers: dict[str, ChosenSolver] = {}
    for part in explanations:
        sentences[part.choice] = sentences.get(part.choice, 0) + 1
        for own in part.solvers:
            sum_ = solvers.get(own.solver)
            more = {"looks": sum_.looks, "improvements": sum_.improvements} if sum_ else {}
            solvers[own.solver] = own.model_copy(
                update={name: getattr(own, name) + value for name, value in more.items()}
            )
    total = max(1, sum(solver.looks for solver in solvers.values()))
    usual = max(sentences, key=lambda sentence: sentences[sentence])
    which = f"each of {len(explanations)}" if len(sentences) == 1 else f"{sentences[usual]} of {len(explanations)}"
    return Explanation(
        choice=f"For {which} parts: {usual}",
        solvers=[solver.model_copy(update={"share": solver.looks / total}) for solver in solvers.values()],
        shares=[],
    )
