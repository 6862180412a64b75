"""Automatic choice of solvers by the structure of the problem: `auto`.

Where an exact solver needs little work it gives the optimum with its proof. Elsewhere the solvers that suit the problem
best take turns (an algorithm portfolio: Huberman, Lukose and Hogg 1997; Gomes and Selman 2001), share the incumbent,
and time goes to what has been improving it. Which solvers suit, they say themselves (`Solver.suits`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    NO_STEP,
    Composite,
    Explanation,
    Floats,
    Problem,
    Settings,
    Solutions,
    Solver,
    StepResult,
    judge,
    make_solver,
    take_steps,
)
from swarmkit_auto.choice import Choice, choose, is_expensive, participants, sentence
from swarmkit_auto.portfolio import (
    Portfolio,
    all_members,
    count_nanoseconds,
    explain,
    is_due,
    new_member,
    record_looks,
    time_of_turns,
)
from swarmkit_auto.turns import (
    GROWTH,
    LAG,
    LONGEST_TURN,
    Member,
    Turn,
    end_turn,
    first_dues,
    first_leader,
    next_member,
    still_leads,
)

MORE_WORK = 4
"""An attempt at a proof that fails is followed by one with this many times the work."""

PATIENCE = 2
"""The time of the others' turns before it, in multiples of the time that it will take."""


class Auto(Composite[Portfolio]):
    """Choose solvers by the structure of the problem: an exact one where that is cheap, else a few that take turns."""

    reference = "Gomes & Selman 2001, Algorithm portfolios, Artificial Intelligence 126(1-2)"

    class Params(Settings):
        """The size of the portfolio."""

        most: Annotated[int, Field(ge=1, le=100)] = 3
        """The most solvers that take turns."""
        proofs: bool = True
        """Whether exact solvers take part."""

    params: Params

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._solvers: dict[tuple[str, str], Solver[Any]] = {}
        """The solvers of the members, by name and parameters; they are made when first needed."""

    @cached_property
    def _participants(self) -> dict[str, Solver[Any]]:
        return participants(type(self))

    @property
    def inner(self) -> Sequence[Solver[Any]]:
        """All solvers that may be chosen."""
        return tuple(self._participants.values())

    @property
    def waits(self) -> bool:
        """Whether a solver that has been chosen may wait for a process outside."""
        return any(solver.waits for solver in self._solvers.values())

    def stop(self) -> None:
        """End what the chosen solvers have started outside of this process."""
        for solver in self._solvers.values():
            solver.stop()

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a problem that no solver suits: the plugins that could are not loaded."""
        choice = self._choose(problem)
        if choice.proof is None and not choice.turns:
            return "it suits none of the solvers that are installed ('swarmkit list' shows them)"
        return None

    def prepare(self, problem: Problem) -> None:
        """Load and compile what the first solvers will need."""
        choice = self._choose(problem)
        alone = choice.proof is not None and not choice.proof.suitability.takes_turns
        for candidate in [] if alone else choice.turns:
            self._solver(new_member(candidate)).prepare(problem)
        if choice.proof is not None:
            self._solver(new_member(choice.proof)).prepare(problem)

    def start(self, problem: Problem, rng: Generator) -> Portfolio:
        """Choose the solvers; each starts when its first turn comes."""
        choice, black_box = self._choose(problem), problem.structure.black_box
        members = [new_member(candidate, by_evaluations=black_box) for candidate in choice.turns]
        first_dues(members)
        proof, attempt = (None if prover is None else new_member(prover) for prover in (choice.proof, choice.attempt))
        return Portfolio(
            members=members,
            proof=proof,
            attempt=attempt,
            # A proof that is likely (of high weight) is attempted early.
            next_attempt=0.0 if attempt is None else attempt.nanoseconds / attempt.weight,
            leader=first_leader(members) if problem.structure.tables is None else None,
            short=black_box and not is_expensive(problem),
        )

    def inject(self, problem: Problem, state: Portfolio, X: Solutions, scores: Floats, rng: Generator) -> int:
        """Take the best of the solutions as the incumbent, which every solver is given when its turn begins."""
        best = int(np.argmax(scores))
        if state.score is None or scores[best] > state.score:
            state.best, state.score, state.warm = np.array(X[best], np.int64), float(scores[best]), True
        return 0

    def steps(self, problem: Problem, state: Portfolio, rng: Generator, count: int) -> StepResult:
        """Go on with the proof, with an attempt at one, or with turns: they end by looks, never by `count`."""
        total = NO_STEP
        while count > 0 and not total.done:
            provers = (prover for prover in (state.proof, state.attempt) if prover is not None and not prover.done)
            prover = next((prover for prover in provers if is_due(state, prover)), None)
            steps = 1 if prover is not None else min(count, self._begin_turn(problem, state, rng))
            looks = self._share(problem, state, rng) if prover is None else 0
            result = self._advance(problem, state, prover or state.members[state.turn.member], rng, steps)
            self._end_attempt(state, prover) if prover is not None else self._end_turn(state, result)
            count -= result.steps
            done = state.at_optimum or all(member.done for member in all_members(state))
            bound = state.bound if result.bound is not None or state.at_optimum else None
            total = total.plus(result._replace(looks=result.looks + looks, done=done, bound=bound))
            if result.looks == 0:  # a proof waits for its process
                break
        return total

    def explain(self, problem: Problem, state: Portfolio) -> Explanation:
        """Return what was chosen and why, and the shares of the solvers over time."""
        return explain(state, sentence(problem, self._choose(problem), proved=state.at_optimum))

    def snapshot(self, state: Portfolio) -> Sequence[Mapping[str, Any]]:
        """Return what the solver at work shows, and the share of each in the time so far."""
        total = time_of_turns(state) or 1.0
        shares = {f"share of {member.solver}": member.time / total for member in state.members}
        at_work = state.members[state.turn.member] if state.turn.member >= 0 else None
        moments = self._solver(at_work).snapshot(at_work.state) if at_work is not None and at_work.started else {}
        return self.add_values(moments, **shares)

    def _begin_turn(self, problem: Problem, state: Portfolio, rng: Generator) -> int:
        """Choose the solver whose turn it is, if one has ended, and return the steps until it is looked at again."""
        turn, members = state.turn, state.members
        if turn.member < 0:
            if state.short:
                count_nanoseconds(state, self._choose(problem), len(problem.sizes))
            number = next_member(members) if state.leader is None else state.leader
            assert number is not None  # noqa: S101  (done otherwise)
            length = max(1, int(state.turn_time / members[number].nanoseconds))
            state.turn = turn = Turn(number, length=length, before=state.score)
            state.turn_time = min(GROWTH * state.turn_time, LONGEST_TURN)
        member = members[turn.member]
        if not member.started:
            solver = self._solver(member)
            solver.prepare(problem)
            member.state, member.started = solver.start(problem, rng), True
        if member.plan.left <= 0:
            member.plan.begin(turn.length - turn.looks)
        return member.plan.left

    def _end_turn(self, state: Portfolio, result: StepResult) -> None:
        """Count steps of a turn, and book it where it ends; turns of a leading member are not held against it later."""
        turn, member = state.turn, state.members[state.turn.member]
        turn.looks += result.looks
        at_end = member.plan.book(result.steps, result.looks, member.done)
        if not at_end or (turn.looks < turn.length and not member.done):
            return
        due = member.due
        # The first incumbent is no improvement.
        improvement = 0.0 if turn.before is None or state.score is None else state.score - turn.before
        state.idle = end_turn(state.members, turn, improvement, state.idle)
        if state.leader is not None:  # its turns were not its share of the time: it is due as if it had had none
            member.due = due
            if member.done or not still_leads(member, turn, state.led_from, state.score):
                state.leader = None
            state.led_from = state.score if state.led_from is None else state.led_from
        record_looks(state)
        state.turn = Turn()

    def _share(self, problem: Problem, state: Portfolio, rng: Generator) -> int:
        """Hand a member the incumbent when its turn begins, if it has been behind for some turns; return the looks.

        Solutions that a run was started with are handed to every member at once.
        """
        turn, member = state.turn, state.members[state.turn.member]
        if turn.shared:
            return 0
        turn.shared = True
        if state.best is None or state.score is None or (member.best is not None and member.best >= state.score):
            return 0
        first = state.warm and member.best is None
        if not first and (member.behind < LAG or not member.shares):
            return 0
        member.best, member.behind = state.score, 0
        best, score = state.best[None], np.array([state.score])
        looks = self._solver(member).inject(problem, member.state, best, score, rng)
        member.looks += looks
        turn.looks += looks
        return looks

    def _end_attempt(self, state: Portfolio, prover: Member) -> None:
        """Let an attempt at a proof that has failed be made again later, with more work."""
        if prover.done and prover.attempts and not state.at_optimum:
            prover.params = prover.params | {prover.attempts: MORE_WORK * prover.params[prover.attempts]}
            prover.state, prover.started, prover.done = None, False, False
            prover.nanoseconds *= MORE_WORK
            state.next_attempt = time_of_turns(state) + PATIENCE * prover.nanoseconds

    def _advance(self, problem: Problem, state: Portfolio, member: Member, rng: Generator, steps: int) -> StepResult:
        """Let a member make steps, and keep its solution and bound if they are the best.

        A process that proves is not asked to report early (`finish`): a replay would prove something else.
        """
        if not member.started:
            member.state, member.started = self._solver(member).start(problem, rng), True
        result = take_steps(self._solver(member), problem, member.state, rng, steps)
        member.looks += result.looks
        member.done = result.done
        if result.bound is not None:
            state.bound = result.bound if state.bound is None else min(state.bound, result.bound)
        if result.solution is None or result.score is None:
            return result
        if member.best is None or result.score > member.best:
            member.best = float(result.score)
        if state.score is None or result.score > state.score:
            x = np.array(result.solution, np.int64)
            if judge(problem, x[None])[0]:  # a member may report what constraints exclude
                state.best, state.score = x, float(result.score)
        return result

    def _choose(self, problem: Problem) -> Choice:
        return choose(problem, self._participants, self.params.most, self.params.proofs)

    def _solver(self, member: Member) -> Solver[Any]:
        key = (member.solver, repr(sorted(member.params.items())))
        if key not in self._solvers:
            self._solvers[key] = make_solver(member.solver, **member.params)
        return self._solvers[key]
