"""The values that the code of a solver reads through swarmkit, counted in its process beside what it reports.

What it reads from the tables with code of its own is not seen here; see `audits.reads_what_it_counts`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from swarmkit.arena.conduct import Owned, file_of
from swarmkit.arena.mirror import MirroredTables
from swarmkit.contract import validation
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import Problem
from swarmkit.running import api
from swarmkit.search import local_search, score_neighbourhood
from swarmkit.search.neighbourhood import BatchClimb, Climb, Neighbourhood, RowClimb
from swarmkit.search.score_neighbourhood import ScoreNeighbourhood

CORE = str(Path(validation.__file__).resolve().parent.parent)
"""The folder of swarmkit."""

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


def _said(_: Any, done: Any) -> int:
    """Return the looks that a call says it has made: it returns their number, or something that has it."""
    return int(getattr(done, "looks", done))


CALLS: tuple[tuple[Any, str, Cost], ...] = (
    (validation, "evaluate", _whole),
    (MirroredTables, "score", _whole),
    (Pairwise, "score", _whole),
    (Pairwise, "gains", _rows),
    (Problem, "gains", _rows),
    (score_neighbourhood, "move_gains", _rows),
    (local_search, "propose", _said),
    (local_search, "local_search", _said),
    (Neighbourhood, "gains", _each),
    (ScoreNeighbourhood, "gains", _each),
    (ScoreNeighbourhood, "stage_gains", _rows),
    (Climb, "step", _said),
    (BatchClimb, "steps", _said),
    (RowClimb, "steps", _said),
    (api, "solve", _said),
)
"""The functions and methods that are counted, where they are, and what they cost."""


class Reads:
    """The count of the values that were read.

    Args:
        owned: whether a file is part of the solver.
    """

    def __init__(self, owned: Owned) -> None:
        self._owned, self._looks = owned, 0

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
        def counted(*args: Any, **named: Any) -> Any:
            result = call(*args, **named)
            if self._called_by_solver():
                self._looks += cost((*args, *named.values())[0], result)
            return result

        del counted.__wrapped__
        return counted

    def _called_by_solver(self) -> bool:
        """Whether the solver's code makes the call, and not a part of swarmkit that counts for itself."""
        frame = sys._getframe(2)
        while frame is not None and not file_of(frame).startswith(CORE):
            if self._owned(file_of(frame)):
                return True
            frame = frame.f_back  # type: ignore[assignment]  # the outermost has none
        return False
