"""Problems with independent parts (the sentences of a text): each part is solved on its own, and the answers joined.

The score of the whole is the sum of the parts' scores, so no solution is lost, and a method that constructs solutions
works on problems of the size it was designed for.
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
    """The progress on one part."""

    state: Any
    """The solver's state; None before it has started on this part."""
    best: Solutions | None
    """The best solution that the solver has found."""
    score: float
    drawn: Solutions | None
    """A random solution, for a run that ends before the solver has found one."""
    bound: float | None = None
    iterations: int = 0
    started: bool = False
    done: bool = False


@dataclass
class PartwiseState:
    """The progress on all parts."""

    parts: list[PartState]
    turn: int
    """The part of the last step."""
    looks: int
    """Looks that no step has reported yet: those of drawing the random solutions."""
    iterations: int


class PartwiseSolver(Solver[PartwiseState]):
    """Apply a solver to the parts of a problem in turn; made by `Run`, never registered."""

    def __init__(self, solver: Solver[Any]) -> None:
        self.solver = solver
        self.params = solver.params

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a problem if the solver refuses one of its parts."""
        for number, part in enumerate(problem.parts):
            reason = None if has_one_solution(part) else self.solver.refuses(part.problem)
            if reason:
                return f"part {number} of {len(problem.parts)}: {reason}"
        return None

    def prepare(self, problem: Problem) -> None:
        """Prepare the solver on the first part that has to be searched."""
        part = next((part for part in problem.parts if not has_one_solution(part)), None)
        if part is not None:
            self.solver.prepare(part.problem)

    def start(self, problem: Problem, rng: Generator) -> PartwiseState:
        """Draw a solution of every part, for a run that ends before each part had its turn."""
        states = [_initial_state(part, rng) for part in problem.parts]
        return PartwiseState(states, turn=-1, looks=sum(len(part.stages) for part in problem.parts), iterations=0)

    def step(self, problem: Problem, state: PartwiseState, rng: Generator) -> Found:
        """Take one step on the part whose turn it is; an iteration of the whole is one of every part."""
        looks, state.looks = state.looks, 0
        turn = _next(state)
        if turn is not None:
            state.turn = turn
            looks += self._step(problem.parts[turn].problem, state.parts[turn], rng)
        unfinished = [part.iterations for part in state.parts if not part.done]
        reached = min(unfinished) if unfinished else max((part.iterations for part in state.parts), default=0)
        gained, state.iterations = max(0, reached - state.iterations), max(state.iterations, reached)
        x = _join(problem, [part.best for part in state.parts])
        score = None if x is None else float(sum(part.score for part in state.parts))
        return Found(x, score, looks, gained, done=not unfinished, bound=_bound(state))

    def provisional_solution(self, problem: Problem, state: PartwiseState) -> Solutions | None:
        """Join the best solutions of the parts that had their turn with random solutions of the others."""
        return _join(problem, [part.drawn if part.best is None else part.best for part in state.parts])

    def _step(self, problem: Problem, part: PartState, rng: Generator) -> int:
        if not part.started:
            part.state, part.started = self.solver.start(problem, rng), True
        found = self.solver.step(problem, part.state, rng)
        part.iterations += found.iterations
        part.done = found.done
        if found.bound is not None:
            part.bound = found.bound if part.bound is None else min(part.bound, found.bound)
        if found.solution is not None and found.score is not None and (part.best is None or found.score > part.score):
            part.best, part.score = np.array(found.solution, np.int64), float(found.score)
        return found.looks


def has_one_solution(part: Part) -> bool:
    """Whether every stage of a part has a single candidate."""
    return all(size == 1 for size in part.problem.sizes)


def _initial_state(part: Part, rng: Generator) -> PartState:
    drawn = random_solutions(part.problem, 1, rng)
    state = PartState(None, None, 0.0, drawn[0] if len(drawn) else None, done=has_one_solution(part))
    if state.done and len(drawn):
        state.best = drawn[0]
        state.score = state.bound = float(evaluate(part.problem, drawn)[0])
    return state


def _bound(state: PartwiseState) -> float | None:
    """Return the sum of the parts' bounds, or None if a part has none yet."""
    bounds = [part.bound for part in state.parts if part.bound is not None]
    return sum(bounds) if len(bounds) == len(state.parts) else None


def _next(state: PartwiseState) -> int | None:
    """Return the number of the next part that is not done, or None."""
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
