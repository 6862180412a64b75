"""The values that the code of a solver reads through swarmkit, counted in its process beside what it reports.

What it reads from the tables with code of its own is not seen here; see `audits.reads_what_it_counts`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import swarmkit
from swarmkit.search import Climb, Neighbourhood, ScoreNeighbourhood
from swarmkit_arena.audit_log import Ownership, file_of, outwards
from swarmkit_arena.mirror import MirroredTables

Cost = Callable[[Any, Any], int]
"""The least looks of a call, from its first argument and its result."""


def _whole(scored: Any, scores: Any) -> int:
    """Return n looks for each solution scored."""
    return len(scores) * len(scored.sizes)


def _rows(_: Any, gains: Any) -> int:
    """Return a look for each row: of the gains of all candidates one at least was wanted."""
    return len(gains) if gains.ndim == 2 else 1


def _each(_: Any, gains: Any) -> int:
    """Return a look for each gain."""
    return len(gains)


def _report_looks(_: Any, result: Any) -> int:
    """Return the looks that a call reports: it returns their number, or something that has it."""
    return int(getattr(result, "looks", result))


CALLS: tuple[tuple[Any, str, Cost], ...] = (
    (swarmkit, "evaluate", _whole),
    (swarmkit, "move_gains", _rows),
    (swarmkit, "propose", _report_looks),
    (swarmkit, "local_search", _report_looks),
    (swarmkit, "solve", _report_looks),
    (MirroredTables, "score", _whole),
    (swarmkit.Pairwise, "score", _whole),
    (swarmkit.Pairwise, "gains", _rows),
    (swarmkit.Problem, "gains", _rows),
    (Neighbourhood, "gains", _each),
    (ScoreNeighbourhood, "gains", _each),
    (ScoreNeighbourhood, "stage_gains", _rows),
    (Climb, "step", _report_looks),
    *((kind, "steps", _report_looks) for kind in Climb.__subclasses__()),
)
"""The functions and methods that are counted, where solvers find them, and what they cost."""


class Reads:
    """The count of the values that were read.

    Args:
        owned: whether a file is part of the solver.
    """

    def __init__(self, is_part: Ownership) -> None:
        self._is_part, self._looks = is_part, 0

    def watch(self) -> None:
        """Count from now on; before the solver is imported."""
        for owner, name, cost in CALLS:
            setattr(owner, name, self._counting(getattr(owner, name), cost))

    def take(self) -> int:
        """Return the looks since this was last asked for."""
        looks, self._looks = self._looks, 0
        return looks

    def _counting(self, call: Callable[..., Any], cost: Cost) -> Callable[..., Any]:
        @functools.wraps(call)
        def wrapper(*args: Any, **options: Any) -> Any:
            result = call(*args, **options)
            if self._called_by_solver():
                self._looks += cost((*args, *options.values())[0], result)
            return result

        del wrapper.__wrapped__  # by which a solver would call it uncounted
        return wrapper

    def _called_by_solver(self) -> bool:
        """Whether the solver's code makes the call, and not a part of swarmkit that counts for itself."""
        callers = (
            (self._is_part(file_of(frame)), str(frame.f_globals.get("__name__")))
            for frame in outwards(sys._getframe(2))  # past this method and the wrapper
        )
        return next((is_part for is_part, module in callers if is_part or module.startswith("swarmkit")), False)
