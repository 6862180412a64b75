"""Robust tabu search for quadratic assignment problems: `robust-tabu`.

Taillard, É. 1991. Robust taboo search for the quadratic assignment problem. Parallel Computing 17(4-5).

Not in the paper: the distribution of tabu tenures, and the search in rounds, each from a kick of the best solution of
earlier ones; Taillard's search is one round.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    Floats,
    Problem,
    Settings,
    Solutions,
    Solver,
    StepResult,
    Suitability,
    random_solutions,
)
from swarmkit.search import TableNeighbourhood, rng_state, warm_up
from swarmkit_local import kernels
from swarmkit_local.tabu_state import RobustTabuState


class RobustTabu(Solver[RobustTabuState]):
    """Robust tabu search: the best swap of two stages that is not tabu, even if it is a worsening one."""

    reference = "Taillard 1991, Robust taboo search for the quadratic assignment problem, Parallel Computing 17(4-5)"

    class Params(Settings):
        """When a round ends, and how the next one starts; values ours."""

        patience: Annotated[int, Field(ge=1, le=10**6)] = 5
        """A round ends this many times n² swaps after its best solution."""
        kick: Annotated[int, Field(ge=1, le=1000)] = 10
        """A round starts with 2 to 1 + kick random swaps; kick counts as n / 4 at most."""

    params: Params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not a quadratic assignment."""
        if not problem.structure.is_assignment:
            return (
                "it is for quadratic assignments: as many candidates as stages, all different, one table for all pairs "
                "of stages, no constraints; 'ils' solves any problem"
            )
        return None

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit quadratic assignments; of tours it sees only the tables."""
        return Suitability(0.05 if problem.structure.tour else 1.0, "it is a quadratic assignment", nanoseconds=2.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        warm_up(problem, kernels.qap_tabu)

    def start(self, problem: Problem, rng: Generator) -> RobustTabuState:
        """Draw a solution; nothing is tabu."""
        x = np.array(random_solutions(problem, 1, rng)[0], np.int64)
        state = RobustTabuState(
            x=x,
            round_best=x.copy(),
            base=x.copy(),
            best=x.copy(),
            scores=np.zeros(4),
            values=np.empty((len(x), len(x))),
            tabu_until=np.zeros((len(x), len(x)), np.int64),
            clock=np.zeros(2, np.int64),
            rng_state=rng_state(rng),
        )
        self._begin(problem, state, x, float(TableNeighbourhood(problem).form.score(x[None])[0]))
        return state

    def snapshot(self, state: RobustTabuState) -> dict[str, Any]:
        """Return the current solution, and the share of pairs of stage and candidate that are tabu."""
        return {"current": state.x, "tabu share": float((state.tabu_until > state.clock[0]).mean())}

    def inject(self, problem: Problem, state: RobustTabuState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Begin a round at the best of the given solutions if it is the best known."""
        best = int(np.argmax(scores))
        if scores[best] > state.scores[3]:
            self._begin(problem, state, X[best], float(scores[best]))
        return len(state.x)

    def steps(self, problem: Problem, state: RobustTabuState, rng: Generator, count: int) -> StepResult:
        """Make the best admissible swap, `count` times; at the end of a round, begin another."""
        n = len(state.x)
        patience, strength = self.params.patience * n * n, max(1, min(self.params.kick, n // 4))
        looks = kernels.qap_tabu.iterate(_matrices(problem), state, patience, strength, count)
        return StepResult(state.best, float(state.scores[3]), int(looks), count)  # a swap is an iteration

    def _begin(self, problem: Problem, state: RobustTabuState, x: Solutions, score: float) -> None:
        """Begin a round at a solution, which becomes the incumbent; nothing is tabu."""
        from swarmkit.kernels.swap_gains import fill

        for row in (state.x, state.round_best, state.base, state.best):
            row[:] = x
        fill(_matrices(problem), state.values, state.x)
        state.scores[:], state.tabu_until[:], state.clock[1] = score, 0, state.clock[0]


def _matrices(problem: Problem) -> Any:
    """Return the assignment as kernels read it."""
    from swarmkit.kernels.swap_gains import matrices_of

    assignment = problem.structure.assignment
    assert assignment is not None  # noqa: S101  (refused otherwise)
    return matrices_of(TableNeighbourhood(problem).form, assignment)
