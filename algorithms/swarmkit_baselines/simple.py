"""Baselines that construct solutions without improving them: `first`, `random`, `greedy`."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import GRAIN, Found, Problem, Settings, Solver, construct, evaluate, pick_best, random_solutions


class First(Solver[None]):
    """Take the first candidate that is allowed at each stage: for words, the most frequent sense."""

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> Found:
        """Build the solution."""
        X = construct(problem, 1, lambda _, __, allowed: np.asarray(allowed.argmax(axis=1)))
        return best_found(problem, X, looks=len(problem.sizes), done=True)


class Random(Solver[dict[str, int]]):
    """Draw solutions at random and keep the best."""

    class Params(Settings):
        """The number of solutions."""

        draws: Annotated[int | None, Field(ge=1)] = None
        """Number of solutions to draw: 1 is the random baseline of the field. By default the budget ends the run."""

    params: Params

    def start(self, problem: Problem, rng: Generator) -> dict[str, int]:
        """Return the number of solutions drawn so far."""
        return {"drawn": 0}

    def step(self, problem: Problem, state: dict[str, int], rng: Generator) -> Found:
        """Draw a batch of about one grain of looks, or the rest of the draws."""
        n = len(problem.sizes)
        k, most = max(1, GRAIN // n), self.params.draws
        if most is not None:
            k = min(k, most - state["drawn"])
        state["drawn"] += k
        X = random_solutions(problem, k, rng)
        return best_found(problem, X, looks=k * n, iterations=k, done=state["drawn"] == most)


class Greedy(Solver[None]):
    """From the first stage to the last, take the candidate of highest appeal beside those chosen; ties at random."""

    def start(self, problem: Problem, rng: Generator) -> None:
        """Keep no state: there is one step."""

    def step(self, problem: Problem, state: None, rng: Generator) -> Found:
        """Build one solution."""

        def choose(X: NDArray[Any], stage: int, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
            return pick_best(problem.appeal(X, stage, stage - 1), allowed, rng)

        X = construct(problem, 1, choose)
        return best_found(problem, X, looks=int(np.sum(problem.sizes)), done=True)


def best_found(problem: Problem, X: NDArray[Any], looks: int, iterations: int = 1, done: bool = False) -> Found:
    """Return a step's report: the best of a batch of solutions, which may be empty."""
    if len(X) == 0:
        return Found(None, None, looks, iterations, done)
    scores = evaluate(problem, X)
    i = int(scores.argmax())
    return Found(X[i], float(scores[i]), looks, iterations, done)
