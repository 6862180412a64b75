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

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.explanation import Explanation, combine
from swarmkit.contract.problem import Part, Problem
from swarmkit.contract.solver import GRAIN, WHOLE_STEP, Found, Left, Solver
from swarmkit.contract.validation import evaluate
from swarmkit.search.construction import random_solutions

FIRST_TURN = 10_000
"""Looks of every part's first turn: a small budget reaches all parts."""


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
    generator: Any
    """The state of the part's own generator: what is found here does not depend on the turns of other parts."""
    given: Solutions | None = None
    """Solutions that the solver takes up when it starts on this part."""
    given_scores: Floats | None = None
    bound: float | None = None
    iterations: int = 0
    started: bool = False
    done: bool = False


@dataclass
class PartwiseState:
    """The progress on all parts."""

    parts: list[PartState]
    turn: int
    """The part that the solver works on, -1 before the first."""
    turn_looks: int
    """Looks of this turn so far."""
    turn_length: int
    """Looks after which a turn ends: twice as many in every round, up to a grain."""
    looks: int
    """Looks that no step has reported yet: those of drawing the random solutions."""
    iterations: int


class PartwiseSolver(Solver[PartwiseState]):
    """Apply a solver to the parts of a problem in turn; made by `Run`, never registered.

    Args:
        solver: the solver.
        first_turn: looks of every part's first turn.
    """

    def __init__(self, solver: Solver[Any], first_turn: int = FIRST_TURN) -> None:
        self.solver, self.first_turn = solver, first_turn
        self.params = solver.params

    @property
    def inner(self) -> Sequence[Solver[Any]]:
        """The solver of the parts."""
        return (self.solver,)

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
        return PartwiseState(
            states,
            turn=-1,
            turn_looks=0,
            turn_length=self.first_turn,
            looks=sum(len(part.stages) for part in problem.parts),
            iterations=0,
        )

    def inject(self, problem: Problem, state: PartwiseState, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Keep the best of the solutions on each part, and hand them to the solver where it has started, or when."""
        looks = X.size
        for part, own in zip(problem.parts, state.parts, strict=True):
            if own.done:
                continue
            Y = np.ascontiguousarray(X[:, part.stages])
            values = evaluate(part.problem, Y)
            best = int(values.argmax())
            if own.best is None or values[best] > own.score:
                own.best, own.score = Y[best].copy(), float(values[best])
            if own.started:
                looks += self.solver.inject(part.problem, own.state, Y, values, rng)
            else:
                own.given, own.given_scores = Y, values
        return looks

    def step(self, problem: Problem, state: PartwiseState, rng: Generator, left: Left = WHOLE_STEP) -> Found:
        """Work on the part whose turn it is; an iteration of the whole is one of every part."""
        looks, state.looks = state.looks, 0  # of drawing: a step of its own, as it was not told what is left
        most = state.iterations + left.iterations
        if looks == 0 and _choose_part(state, most):
            part = state.parts[state.turn]
            room = left._replace(
                looks=min(left.looks, state.turn_length - state.turn_looks), iterations=most - part.iterations
            )
            looks = self._step(problem.parts[state.turn].problem, part, room)
            state.turn_looks += looks
        unfinished = [part.iterations for part in state.parts if not part.done]
        reached = min(unfinished) if unfinished else max((part.iterations for part in state.parts), default=0)
        gained, state.iterations = max(0, reached - state.iterations), max(state.iterations, reached)
        x = _join(problem, [part.best for part in state.parts])
        score = None if x is None else float(sum(part.score for part in state.parts))
        return Found(x, score, looks, gained, done=not unfinished, bound=_bound(state))

    def snapshot(self, state: PartwiseState) -> dict[str, Any]:
        """Return what the solver shows of the part whose turn it is, and the number of that part."""
        if state.turn < 0 or not state.parts[state.turn].started:
            return {}
        return {**self.solver.snapshot(state.parts[state.turn].state), "part": state.turn}

    def provisional_solution(self, problem: Problem, state: PartwiseState) -> Solutions | None:
        """Join the best solutions of the parts that had their turn with random solutions of the others."""
        return _join(problem, [part.drawn if part.best is None else part.best for part in state.parts])

    def explain(self, problem: Problem, state: PartwiseState) -> Explanation | None:
        """Return what the solver has chosen for the parts, together."""
        begun = [(part, own) for part, own in zip(problem.parts, state.parts, strict=True) if own.started]
        explained = [self.solver.explain(part.problem, own.state) for part, own in begun]
        return combine([one for one in explained if one is not None])

    def _step(self, problem: Problem, part: PartState, left: Left) -> int:
        rng = np.random.Generator(np.random.PCG64())
        rng.bit_generator.state = part.generator
        looks = 0
        if not part.started:
            part.state, part.started = self.solver.start(problem, rng), True
            if part.given is not None and part.given_scores is not None:
                looks = self.solver.inject(problem, part.state, part.given, part.given_scores, rng)
                part.given = part.given_scores = None
        found = self.solver.advance(problem, part.state, rng, left)
        part.generator = rng.bit_generator.state
        part.iterations += found.iterations
        part.done = found.done
        if found.bound is not None:
            part.bound = found.bound if part.bound is None else min(part.bound, found.bound)
        if found.solution is not None and found.score is not None and (part.best is None or found.score > part.score):
            part.best, part.score = np.array(found.solution, np.int64), float(found.score)
        return found.looks + looks


def has_one_solution(part: Part) -> bool:
    """Whether every stage of a part has a single candidate."""
    return all(size == 1 for size in part.problem.sizes)


def _initial_state(part: Part, rng: Generator) -> PartState:
    drawn = random_solutions(part.problem, 1, rng)
    own = np.random.PCG64(int(rng.integers(2**63))).state
    state = PartState(None, None, 0.0, drawn[0] if len(drawn) else None, own, done=has_one_solution(part))
    if state.done and len(drawn):
        state.best = drawn[0]
        state.score = state.bound = float(evaluate(part.problem, drawn)[0])
    return state


def _bound(state: PartwiseState) -> float | None:
    """Return the sum of the parts' bounds, or None if a part has none yet."""
    bounds = [part.bound for part in state.parts if part.bound is not None]
    return sum(bounds) if len(bounds) == len(state.parts) else None


def _choose_part(state: PartwiseState, most: int) -> bool:
    """Set the turn to a part that is not done and has made fewer than `most` iterations; return whether there is one.

    It is the same part until its turn has lasted long enough. When all had their turns, longer ones begin.
    """
    here = state.turn
    if here >= 0 and state.turn_looks < state.turn_length and _works(state.parts[here], most):
        return True
    count = len(state.parts)
    turns = ((here + 1 + i) % count for i in range(count))
    turn = next((turn for turn in turns if _works(state.parts[turn], most)), None)
    if turn is None:
        return False
    if 0 <= here and turn <= here:
        state.turn_length = min(2 * state.turn_length, GRAIN)
    state.turn, state.turn_looks = turn, 0
    return True


def _works(part: PartState, most: int) -> bool:
    return not part.done and part.iterations < most


def _join(problem: Problem, solutions: Sequence[Solutions | None]) -> Solutions | None:
    x = np.empty(len(problem.sizes), np.int64)
    for part, solution in zip(problem.parts, solutions, strict=True):
        if solution is None:
            return None
        x[part.stages] = solution
    return x
