"""What a solver that chooses among others has chosen, why, and how it has spent the run. Part of a result."""

from __future__ import annotations

from collections import Counter
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
    sentences = Counter(part.choice for part in explanations)
    [(usual, times)] = sentences.most_common(1)
    scope = f"each of {len(explanations)}" if len(sentences) == 1 else f"{times} of {len(explanations)}"
    entries = [entry for part in explanations for entry in part.solvers]
    looks, improvements = Counter[str](), Counter[str]()
    for entry in entries:
        looks[entry.solver] += entry.looks
        improvements[entry.solver] += entry.improvements
    last = {entry.solver: entry for entry in entries}
    # Parts that have one solution are not searched: there may be no looks at all.
    total = max(1, looks.total())
    return Explanation(
        choice=f"For {scope} parts: {usual}",
        solvers=[
            entry.model_copy(
                update={"looks": looks[name], "improvements": improvements[name], "share": looks[name] / total}
            )
            for name, entry in last.items()
        ],
        shares=[],
    )
