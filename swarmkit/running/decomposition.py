"""Problems with independent parts (the sentences of a text): each part is solved on its own, and the answers joined.

The score of the whole is the sum of the parts' scores, so no solution is lost, and a method that constructs solutions
works on problems of the size it was designed for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.explanation import Explanation, combine
from swarmkit.contract.problem import Part, Problem
from swarmkit.contract.progress import StepPlan
from swarmkit.contract.solver import GRAIN, NO_LIMIT, NO_STEP, Composite, Solver, StepResult, take_steps
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
    """The best solution that the solver has reported."""
    score: float
    sample: Solutions | None
    """A random solution, for a run that ends before the solver has reported one."""
    generator: Any
    """The state of the part's own generator: what is searched here does not depend on the turns of other parts."""
    start: Solutions | None = None
    """Solutions that the solver begins with when it starts on this part: a warm start."""
    start_scores: Floats | None = None
    bound: float | None = None
    iterations: int = 0
    improved_at: int = 0
    """The iteration after which the best solution was last improved."""
    started: bool = False
    done: bool = False
    plan: StepPlan = field(default_factory=StepPlan)
    """The steps before it is looked at whether the turn of this part ends."""


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


class PartwiseSolver(Composite[PartwiseState]):
    """Apply a solver to the parts of a problem in turn; made by `Run`, never registered.

    Limits of iterations and patience hold for each part.

    Args:
        solver: the solver.
        first_turn: looks of every part's first turn.
    """

    def __init__(self, solver: Solver[Any], first_turn: int = FIRST_TURN) -> None:
        self.solver, self.first_turn = solver, first_turn
        self.params = solver.params
        self.limit(Budget())

    def limit(self, limits: Budget) -> None:
        """Set the limits of iterations and patience, which end the work on a part."""
        self._iterations, self._patience = limits.iterations or NO_LIMIT, limits.patience

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
        for part, part_state in zip(problem.parts, state.parts, strict=True):
            if part_state.done:
                continue
            Y = np.ascontiguousarray(X[:, part.stages])
            values = evaluate(part.problem, Y)
            best = int(values.argmax())
            if part_state.best is None or values[best] > part_state.score:
                part_state.best, part_state.score = Y[best].copy(), float(values[best])
            if part_state.started:
                looks += self.solver.inject(part.problem, part_state.state, Y, values, rng)
            else:
                part_state.start, part_state.start_scores = Y, values
        return looks

    def steps(self, problem: Problem, state: PartwiseState, rng: Generator, count: int) -> StepResult:
        """Make steps on the parts in turn; an iteration of the whole is one of every part."""
        looks, left = 0, count
        while left > 0 and self._choose_part(state):
            part = state.parts[state.turn]
            if part.plan.left <= 0:
                part.plan.begin(state.turn_length - state.turn_looks)
            # Patience is looked at after every step, so steps are made one at a time.
            steps = min(left, part.plan.left, self._iterations - part.iterations)
            result = self._advance(problem.parts[state.turn].problem, part, steps if self._patience is None else 1)
            if result.looks == 0 and not result.done:  # it waits for a process
                break
            part.plan.book(result.steps, result.looks, part.done)
            state.turn_looks += result.looks
            looks += result.looks
            left -= result.steps
        # Nothing was done although a part may be worked on: its solver waits for a process.
        if left == count and self._choose_part(state):
            return NO_STEP
        looks, state.looks = looks + state.looks, 0  # of drawing
        counts = [part.iterations for part in state.parts if not part.done]
        # The iterations that all parts have reached; parts that are done no longer hold the others back.
        rounds = min(counts) if counts else max((part.iterations for part in state.parts), default=0)
        iterations, state.iterations = max(0, rounds - state.iterations), max(state.iterations, rounds)
        x = _join(problem, [part.best for part in state.parts])
        score = None if x is None else float(sum(part.score for part in state.parts))
        return StepResult(x, score, looks, iterations, done=not counts, bound=_bound(state), steps=max(1, count - left))

    def limit_of_parts(self, state: PartwiseState) -> str | None:
        """Return the limit, of iterations or patience, that has ended the work on all parts, or None."""
        if any(self._works(part) for part in state.parts):
            return None
        return "iterations" if self._patience is None else "patience"

    def finish(self, problem: Problem, state: PartwiseState) -> None:
        """Ask for a report on the part whose turn it is."""
        if state.turn >= 0 and state.parts[state.turn].started:
            self.solver.finish(problem.parts[state.turn].problem, state.parts[state.turn].state)

    def snapshot(self, state: PartwiseState) -> Sequence[Mapping[str, Any]]:
        """Return what the solver shows of the part whose turn it is, and the number of that part."""
        if state.turn < 0 or not state.parts[state.turn].started:
            return []
        return self.add_values(self.solver.snapshot(state.parts[state.turn].state), part=state.turn)

    def provisional_solution(self, problem: Problem, state: PartwiseState) -> Solutions | None:
        """Join the best solutions of the parts that had their turn with random solutions of the others."""
        return _join(problem, [part.sample if part.best is None else part.best for part in state.parts])

    def explain(self, problem: Problem, state: PartwiseState) -> Explanation | None:
        """Return what the solver has chosen for the parts, together."""
        active = [
            (part, part_state)
            for part, part_state in zip(problem.parts, state.parts, strict=True)
            if part_state.started
        ]
        explanations = [self.solver.explain(part.problem, part_state.state) for part, part_state in active]
        return combine([explanation for explanation in explanations if explanation is not None])

    def _advance(self, problem: Problem, part: PartState, count: int) -> StepResult:
        """Start the solver on a part if it has not started, and make steps there."""
        # Seeded by the state that is set next; made anew because generators are no plain data.
        rng = np.random.Generator(np.random.PCG64())
        rng.bit_generator.state = part.generator
        looks = 0
        if not part.started:
            part.state, part.started = self.solver.start(problem, rng), True
            if part.start is not None and part.start_scores is not None:
                looks = self.solver.inject(problem, part.state, part.start, part.start_scores, rng)
                part.start = part.start_scores = None
        result = take_steps(self.solver, problem, part.state, rng, count)
        part.generator = rng.bit_generator.state
        part.iterations += result.iterations
        part.done = result.done
        if result.bound is not None:
            part.bound = result.bound if part.bound is None else min(part.bound, result.bound)
        # Strictly better, so that equal solutions do not count as improvements for patience.
        better = result.score is not None and (part.best is None or result.score > part.score)
        if better and result.solution is not None and result.score is not None:
            part.best, part.score = np.array(result.solution, np.int64), float(result.score)
            part.improved_at = part.iterations
        return result._replace(looks=result.looks + looks)

    def _choose_part(self, state: PartwiseState) -> bool:
        """Set the turn to a part that may be worked on, and return whether there is one.

        It is the same part until its turn has lasted long enough. When all had their turns, longer ones begin.
        """
        here = state.turn
        # A plan that has begun is made to its end, or where turns change would depend on how many steps fit in a call.
        lasts = here >= 0 and (state.parts[here].plan.left > 0 or state.turn_looks < state.turn_length)
        if lasts and self._works(state.parts[here]):
            return True
        count = len(state.parts)
        # All parts once around, the present one last.
        turns = ((here + 1 + i) % count for i in range(count))
        turn = next((turn for turn in turns if self._works(state.parts[turn])), None)
        if turn is None:
            return False
        # Once around: the next round has turns of twice the length.
        if 0 <= here and turn <= here:
            state.turn_length = min(2 * state.turn_length, GRAIN)
        state.turn, state.turn_looks = turn, 0
        return True

    def _works(self, part: PartState) -> bool:
        """Return whether a part is not done and within the limits of iterations and patience."""
        patient = self._patience is None or part.iterations - part.improved_at < self._patience
        return not part.done and part.iterations < self._iterations and patient


def has_one_solution(part: Part) -> bool:
    """Whether every stage of a part has a single candidate."""
    return all(size == 1 for size in part.problem.sizes)


def _initial_state(part: Part, rng: Generator) -> PartState:
    sample = random_solutions(part.problem, 1, rng)
    # A generator for each part, drawn at the start: what is searched here does not depend on the turns of others.
    generator = np.random.PCG64(int(rng.integers(2**63))).state
    state = PartState(None, None, 0.0, sample[0] if len(sample) else None, generator, done=has_one_solution(part))
    # The only solution is the best one, and its score is a bound.
    if state.done and len(sample):
        state.best = sample[0]
        state.score = state.bound = float(evaluate(part.problem, sample)[0])
    return state


def _bound(state: PartwiseState) -> float | None:
    """Return the sum of the parts' bounds, or None if a part has none yet."""
    bounds = [part.bound for part in state.parts if part.bound is not None]
    return sum(bounds) if len(bounds) == len(state.parts) else None


def _join(problem: Problem, solutions: Sequence[Solutions | None]) -> Solutions | None:
    x = np.empty(len(problem.sizes), np.int64)
    for part, solution in zip(problem.parts, solutions, strict=True):
        if solution is None:
            return None
        x[part.stages] = solution
    return x
