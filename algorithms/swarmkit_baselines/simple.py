"""Baselines that construct solutions without improving them: `first`, `random`, `greedy`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import (
    GRAIN,
    Problem,
    Settings,
    Solutions,
    Solver,
    StepResult,
    construct,
    evaluate,
    pick_best,
    random_solutions,
)


class First(Solver[None]):
    """Take the first candidate that is allowed at each stage: for words, the most frequent sense."""

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> StepResult:
        """Build the solution."""
        X = construct(problem, 1, lambda _, __, allowed: np.asarray(allowed.argmax(axis=1)))
        return best_found(problem, X, looks=len(problem.sizes), done=True)


@dataclass
class Drawing:
    """Where the drawing is."""

    drawn: int
    """The number of solutions drawn so far, this batch included."""
    batch: Solutions
    """The feasible solutions of this batch."""
    size: int
    """The number of solutions that the batch was meant to have."""
    at: int
    """The number of them that are done."""


ROWS, STAGES = 64, 2_000
"""Solutions that are scored in one step (a call of `score` costs as much as some dozen rows), and their stages."""

SHOWN = 8
"""The most drawn solutions that a snapshot shows."""


class Random(Solver[Drawing]):
    """Draw solutions at random and keep the best."""

    class Params(Settings):
        """The number of solutions."""

        draws: Annotated[int | None, Field(ge=1)] = None
        """Number of solutions to draw: 1 is the random baseline of the field. By default the budget ends the run."""

    params: Params

    def start(self, problem: Problem, rng: Generator) -> Drawing:
        """Return an empty batch."""
        return Drawing(0, np.zeros((0, len(problem.sizes)), np.int64), size=0, at=0)

    def snapshot(self, state: Drawing) -> dict[str, Any]:
        """Return the solutions drawn last, and the number of all."""
        return {
            "solutions": state.batch[max(0, state.at - SHOWN) : state.at],
            "drawn": state.drawn - state.size + state.at,
        }

    def step(self, problem: Problem, state: Drawing, rng: Generator) -> StepResult:
        """Score the next solutions of the batch, and draw another batch after its last."""
        if state.at == state.size:
            self._draw(problem, state, rng)
        begin, state.at = state.at, min(state.size, state.at + rows_at_once(problem))
        looks = (state.at - begin) * len(problem.sizes)
        done = state.at == state.size and state.drawn == self.params.draws
        return best_found(problem, state.batch[begin : state.at], looks, done=done)

    def _draw(self, problem: Problem, state: Drawing, rng: Generator) -> None:
        looks = GRAIN // 8 if problem.overrides("allowed") else GRAIN  # constraints are asked stage by stage: slow
        state.size, state.at = max(1, looks // len(problem.sizes)), 0
        if self.params.draws is not None:
            state.size = min(state.size, self.params.draws - state.drawn)
        state.drawn += state.size
        state.batch = random_solutions(problem, state.size, rng)


class Greedy(Solver[None]):
    """From the first stage to the last, take the candidate of highest heuristic value beside those chosen.

    Of equals it takes the one of lowest rank (`Problem.tie_ranks`); where the problem has no ranks, a random one.
    """

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> StepResult:
        """Build one solution."""
        ranks, offsets = problem.tie_ranks, np.concatenate([[0], np.cumsum(problem.sizes)])

        def choose(X: NDArray[Any], stage: int, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
            values = problem.heuristic_values(X, stage, stage - 1)
            if ranks is None:
                return pick_best(values, allowed, rng)
            return pick_ranked(values, allowed, ranks[offsets[stage] : offsets[stage + 1]])

        X = construct(problem, 1, choose)
        return best_found(problem, X, looks=int(np.sum(problem.sizes)), done=True)


def rows_at_once(problem: Problem) -> int:
    """Return the number of solutions that are scored in one step, at least 1."""
    return max(1, min(ROWS, STAGES // len(problem.sizes)))


def pick_ranked(values: NDArray[Any], allowed: NDArray[np.bool_], ranks: NDArray[Any]) -> NDArray[np.int64]:
    """Return the allowed candidate of highest value per row; of equals, the one of lowest rank.

    >>> pick_ranked(np.array([[3.0, 3.0, 2.0]]), np.ones((1, 3), bool), np.array([5, 4, 0])).tolist()
    [1]
    """
    open_values = np.where(allowed, values, -np.inf)
    equal = allowed & (open_values == open_values.max(axis=1, keepdims=True))
    return np.asarray(np.where(equal, ranks, np.iinfo(np.int64).max).argmin(axis=1))


def best_found(problem: Problem, X: NDArray[Any], looks: int, iterations: int = 1, done: bool = False) -> StepResult:
    """Return a step's report: the best of a batch of solutions, which may be empty."""
    if len(X) == 0:
        return StepResult(None, None, looks, iterations, done)
    scores = evaluate(problem, X)
    i = int(scores.argmax())
    return StepResult(X[i], float(scores[i]), looks, iterations, done)
