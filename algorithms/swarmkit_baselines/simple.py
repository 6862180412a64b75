"""Baselines that construct solutions without improving them: `first`, `random`, `greedy`, `max-relatedness`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import (
    GRAIN,
    Bools,
    Floats,
    Pairwise,
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
        return best_of(problem, X, looks=len(problem.sizes), done=True)


@dataclass
class Drawing:
    """Where the drawing is."""

    count: int
    """The number of solutions drawn so far, this batch included."""
    batch: Solutions
    """The feasible solutions of this batch."""
    size: int
    """The number of solutions that the batch was meant to have."""
    at: int
    """The number of them that are done."""


ROWS, STAGES = 64, 2_000
"""Solutions that are scored in one step (a call of `score` costs as much as some dozen rows), and their stages."""

SNAPSHOT_ROWS = 8
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
            "solutions": state.batch[max(0, state.at - SNAPSHOT_ROWS) : state.at],
            "drawn": state.count - state.size + state.at,
        }

    def step(self, problem: Problem, state: Drawing, rng: Generator) -> StepResult:
        """Score the next solutions of the batch, and draw another batch after its last."""
        if state.at == state.size:
            self._draw(problem, state, rng)
        begin, state.at = state.at, min(state.size, state.at + rows_at_once(problem))
        looks = (state.at - begin) * len(problem.sizes)
        done = state.at == state.size and state.count == self.params.draws
        return best_of(problem, state.batch[begin : state.at], looks, done=done)

    def _draw(self, problem: Problem, state: Drawing, rng: Generator) -> None:
        looks = GRAIN // 8 if problem.overrides("allowed") else GRAIN  # constraints are asked stage by stage: slow
        state.size, state.at = max(1, looks // len(problem.sizes)), 0
        if self.params.draws is not None:  # the last batch may be smaller
            state.size = min(state.size, self.params.draws - state.count)
        state.count += state.size
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

        def choose(X: NDArray[Any], stage: int, allowed: Bools) -> NDArray[np.int64]:
            values = problem.heuristic_values(X, stage, stage - 1)
            if ranks is None:
                return pick_best(values, allowed, rng)
            return pick_ranked(values, allowed, ranks[offsets[stage] : offsets[stage + 1]])

        X = construct(problem, 1, choose)
        return best_of(problem, X, looks=int(np.sum(problem.sizes)), done=True)


class MaxRelatedness(Solver[None]):
    """At each stage take the candidate with the largest sum of best relations to the other stages; ties at random.

    The formula sums over all words; a word is not related to itself, and tables exist for linked stages only, so the
    sum is over the stages that the score links. Each of them contributes its candidate of highest relatedness.
    """

    reference = "Abualhaija & Zimmermann 2014, Eq. (1)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a problem without tables."""
        if problem.structure.pairwise is None:
            return "it has no pairwise form, so nothing is known of how its candidates are related"
        return None

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> StepResult:
        """Build the solution, within the constraints."""
        form = problem.pairwise()
        assert form is not None  # noqa: S101  (refused otherwise)
        values, offsets = best_relations(form), form.offsets

        def choose(_: Solutions, stage: int, allowed: Bools) -> NDArray[np.int64]:
            stage_values = values[offsets[stage] : offsets[stage + 1]]
            return pick_best(np.broadcast_to(stage_values, allowed.shape), allowed, rng)

        i, j = form.edges.T
        looks = int(form.offsets[-1] + 2 * (form.sizes[i] * form.sizes[j]).sum())
        return best_of(problem, construct(problem, 1, choose), looks, done=True)


def rows_at_once(problem: Problem) -> int:
    """Return the number of solutions that are scored in one step, at least 1."""
    return max(1, min(ROWS, STAGES // len(problem.sizes)))


def pick_ranked(values: NDArray[Any], allowed: Bools, ranks: NDArray[Any]) -> NDArray[np.int64]:
    """Return the allowed candidate of highest value per row; of equals, the one of lowest rank.

    >>> pick_ranked(np.array([[3.0, 3.0, 2.0]]), np.ones((1, 3), bool), np.array([5, 4, 0])).tolist()
    [1]
    """
    open_values = np.where(allowed, values, -np.inf)
    equal = allowed & (open_values == open_values.max(axis=1, keepdims=True))
    return np.asarray(np.where(equal, ranks, np.iinfo(np.int64).max).argmin(axis=1))


def best_of(problem: Problem, X: NDArray[Any], looks: int, iterations: int = 1, done: bool = False) -> StepResult:
    """Return the result of a step: the best of a batch of solutions, which may be empty."""
    if len(X) == 0:
        return StepResult(None, None, looks, iterations, done)
    scores = evaluate(problem, X)
    i = int(scores.argmax())
    return StepResult(X[i], float(scores[i]), looks, iterations, done)


def best_relations(form: Pairwise) -> Floats:
    """Return, for each slot, its own value plus the sum of its best relations to each linked stage. Eq. (1).

    >>> best_relations(Pairwise.of([2, 2], [(0, 1, [[1, 5], [2, 3]])]))
    array([5., 3., 2., 5.])
    """
    total = form.unary.copy()
    # A table that edges share is read once; of one with a negative weight the smallest entries are the best.
    cache: dict[tuple[int, int, int, bool], tuple[Floats, Floats]] = {}
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights, strict=True):
        shape = (int(form.sizes[i]), int(form.sizes[j]))
        key = (start, *shape, bool(weight > 0))
        if key not in cache:
            table = form.flat[start : start + shape[0] * shape[1]].reshape(shape)
            best = table.max if weight > 0 else table.min
            cache[key] = (best(axis=1), best(axis=0))
        for stage, values in zip((i, j), cache[key], strict=True):
            total[form.offsets[stage] : form.offsets[stage + 1]] += weight * values
    return total
