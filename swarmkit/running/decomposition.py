"""Problems made of independent parts (the sentences of a text): each is solved on its own, then they are joined.

The score of the whole is the sum of the parts' scores, so nothing is lost, and a method that builds solutions (one hive
a sentence, one ant walk a sentence) gets problems of the size it was meant for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.problem import Part, Problem
from swarmkit.contract.solver import Found, Solver
from swarmkit.contract.validation import evaluate
from swarmkit.search.construction import random_solutions


@dataclass
class PartState:
    """How far one part is: the solver's state there, the best it has found, and a solution to do with until then."""

    state: Any
    best: Solutions | None
    score: float
    drawn: Solutions | None
    bound: float | None = None
    iterations: int = 0
    begun: bool = False
    done: bool = False


@dataclass
class Joined:
    """All parts, whose turn it is, and the looks that drawing first solutions took."""

    parts: list[PartState]
    turn: int
    looks: int
    iterations: int


class ByParts(Solver[Joined]):
    """Let a solver work on the parts of a problem in turn; made by the harness, never registered."""

    def __init__(self, solver: Solver[Any]) -> None:
        self.solver = solver
        self.params = solver.params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what the solver refuses of any part."""
        for number, part in enumerate(problem.parts):
            reason = None if settled(part) else self.solver.refuses(part.problem)
            if reason:
                return f"part {number} of {len(problem.parts)}: {reason}"
        return None

    def prepare(self, problem: Problem) -> None:
        """Prepare for parts like the first that has to be searched."""
        part = next((part for part in problem.parts if not settled(part)), None)
        if part is not None:
            self.solver.prepare(part.problem)

    def start(self, problem: Problem, rng: Generator) -> Joined:
        """Draw a solution for every part, for a run that ends before each part had its turn."""
        states = [_first(part, rng) for part in problem.parts]
        return Joined(states, turn=-1, looks=sum(len(part.stages) for part in problem.parts), iterations=0)

    def step(self, problem: Problem, state: Joined, rng: Generator) -> Found:
        """Take one step on the part whose turn it is; an iteration of the whole is one of every part."""
        looks, state.looks = state.looks, 0
        turn = _next(state)
        if turn is not None:
            state.turn = turn
            looks += self._step(problem.parts[turn].problem, state.parts[turn], rng)
        waiting = [part.iterations for part in state.parts if not part.done]
        reached = min(waiting) if waiting else max((part.iterations for part in state.parts), default=0)
        gone, state.iterations = max(0, reached - state.iterations), max(state.iterations, reached)
        x = _join(problem, [part.best for part in state.parts])
        score = None if x is None else float(sum(part.score for part in state.parts))
        return Found(x, score, looks, gone, done=not waiting, bound=_bound(state))

    def makeshift(self, problem: Problem, state: Joined) -> Solutions | None:
        """Join what there is: the best of the parts that had their turn, and a random solution of the others."""
        return _join(problem, [part.drawn if part.best is None else part.best for part in state.parts])

    def _step(self, problem: Problem, part: PartState, rng: Generator) -> int:
        if not part.begun:
            part.state, part.begun = self.solver.start(problem, rng), True
        found = self.solver.step(problem, part.state, rng)
        part.iterations += found.iterations
        part.done = found.done
        if found.bound is not None:
            part.bound = found.bound if part.bound is None else min(part.bound, found.bound)
        if found.solution is not None and found.score is not None and (part.best is None or found.score > part.score):
            part.best, part.score = np.array(found.solution, np.int64), float(found.score)
        return found.looks


def settled(part: Part) -> bool:
    """Tell whether a part has only one solution."""
    return all(size == 1 for size in part.problem.sizes)


def _first(part: Part, rng: Generator) -> PartState:
    drawn = random_solutions(part.problem, 1, rng)
    waiting = PartState(None, None, 0.0, drawn[0] if len(drawn) else None, done=settled(part))
    if waiting.done and len(drawn):  # its one solution is its best
        waiting.best = drawn[0]
        waiting.score = waiting.bound = float(evaluate(part.problem, drawn)[0])
    return waiting


def _bound(state: Joined) -> float | None:
    """Sum what is proved of the parts; nothing is proved of the whole before it is of each."""
    bounds = [part.bound for part in state.parts if part.bound is not None]
    return sum(bounds) if len(bounds) == len(state.parts) else None


def _next(state: Joined) -> int | None:
    """Give the next part that is not done."""
    count = len(state.parts)
    turns = ((state.turn + 1 + i) % count for i in range(count))
    return next((turn for turn in turns if not state.parts[turn].done), None)


def _join(problem: Problem, solutions: Sequence[Solutions | None]) -> Solutions | None:
    x = np.empty(len(problem.sizes), np.int64)
    for part, solution in zip(problem.parts, solutions, strict=True):
        if solution is None:
            return None
        x[part.stages] = solution
    return x
