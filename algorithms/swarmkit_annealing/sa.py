"""Simulated annealing: `sa`.

Cowie, J., Guthrie, J. and Guthrie, L. 1992. Lexical disambiguation using simulated annealing. COLING 1992.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from swarmkit import (
    GRAIN,
    Found,
    Pairwise,
    Problem,
    Settings,
    Solver,
    construct,
    evaluate,
    propose,
    random_solutions,
    spread,
)
from swarmkit.compiled import Walk, anneal, prepare_kernels, reheat, return_to_best, start_walk, tables
from swarmkit_annealing.cycles import Cycle, first_cycle, next_cycle, note, temperatures
from swarmkit_annealing.schedule import Floats, acceptance, cycling, falling

Ints = NDArray[np.int64]


@dataclass
class Chains:
    """Solutions annealed side by side, where each move is a call to the problem; and the best they have met."""

    X: Ints
    scores: Floats
    best: Ints
    best_score: float


@dataclass
class Annealing:
    """How far the schedule is, and what is annealed: one walk on tables, or several chains without."""

    hot: float
    cold: float
    sweeps: int
    unpaid: int
    """Looks taken by `start`: the first step reports them."""
    within: Ints
    """Proposals made in the sweep that is under way, and how many of them changed the score."""
    walk: Walk | None
    cycle: Cycle
    """auto, on tables: where its schedule is and what it has learned."""
    chains: Chains | None


class Sa(Solver[Annealing]):
    """Change one stage at random; take what is better always, what is worse with a chance that falls as it cools."""

    reference = "Cowie, Guthrie & Guthrie 1992, Lexical disambiguation using simulated annealing, COLING"

    class Params(Settings):
        """The schedule. Start and end temperature are ours: the paper's belong to its scores."""

        preset: Literal["cowie", "auto"] = "cowie"
        """cowie: from first candidates, once, until frozen; auto: in ever longer cycles, slow where it was worth it."""
        cooling: Annotated[float, Field(gt=0, lt=1)] = 0.9
        """cowie: the temperature is multiplied by this after each sweep."""
        hot: Annotated[float, Field(gt=0)] = 2.0
        """Start temperature, in standard deviations of the score changes of random moves."""
        cold: Annotated[float, Field(gt=0)] = 0.001
        """auto: end temperature, in the same unit; not above hot."""
        shortest: Annotated[int, Field(ge=2, le=2**20)] = 32
        """auto: sweeps of the first cycle."""
        block: Annotated[int, Field(ge=1)] = 12
        """auto, after each cycle: fewest stages that are reheated together; most often about as few."""
        reheat: Annotated[int, Field(ge=0, le=10_000)] = 8
        """auto: sweeps of such a reheat; 0 leaves them out."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 64
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        prepare_kernels(problem, "annealing", "reheating")

    def start(self, problem: Problem, rng: Generator) -> Annealing:
        """Draw solutions to start from, and measure how much random moves change the score."""
        drawn = random_solutions(problem, max(self.params.chains, 16), rng)
        unit, looks = spread(problem, drawn, evaluate(problem, drawn), rng) if len(drawn) else (1.0, 0)
        form, X = tables(problem), self._starts(problem, drawn)
        hot = self.params.hot * unit
        cold = min(self.params.cold, self.params.hot) * unit
        return Annealing(
            hot=hot,
            cold=cold,
            sweeps=0,
            unpaid=looks + drawn.size + X.size + len(problem.sizes),
            within=np.zeros(2, np.int64),
            walk=None if form is None else start_walk(form, X[0], rng),
            cycle=first_cycle(hot, cold, self.params.shortest),
            chains=self._side_by_side(problem, X) if form is None and len(X) else None,
        )

    def _starts(self, problem: Problem, drawn: Ints) -> Ints:
        """Give the solutions to start from: first candidates (most frequent senses), or random ones."""
        if self.params.preset == "cowie":
            first = construct(problem, 1, lambda _, __, allowed: np.asarray(allowed.argmax(axis=1)))
            if len(first):
                return np.repeat(first, self.params.chains, axis=0)
        return drawn[: self.params.chains]

    def _side_by_side(self, problem: Problem, X: Ints) -> Chains:
        scores = evaluate(problem, X)
        i = int(scores.argmax())
        return Chains(X, scores, X[i].copy(), float(scores[i]))

    def step(self, problem: Problem, state: Annealing, rng: Generator) -> Found:
        """Anneal for one grain; one sweep (as many proposals as there are moves) is one iteration."""
        unpaid, state.unpaid = state.unpaid, 0
        if state.walk is not None:
            found = self._walk(problem, state, state.walk)
        elif state.chains is not None:
            found = self._chains(problem, state, state.chains, rng)
        else:  # no feasible solution was found to start from: look again
            fresh = self.start(problem, rng)
            state.hot, state.cold, state.chains = fresh.hot, fresh.cold, fresh.chains
            found = Found(None, None, looks=fresh.unpaid)
        return found._replace(looks=found.looks + unpaid)

    def _walk(self, problem: Problem, state: Annealing, walk: Walk) -> Found:
        """Anneal on tables."""
        form, sweep = problem.pairwise(), moves(problem)
        assert form is not None  # noqa: S101  (for the type checker: a walk is on tables)
        slight = 1e-9 * state.hot  # candidates of equal value may take turns for ever: that is no change
        if self.params.preset == "auto":
            looks, iterations = self._in_cycles(form, walk, state.cycle, sweep, slight)
            if state.cycle.idle >= len(form.sizes):
                state.cycle = next_cycle(state.cycle)
            return Found(walk.best, float(walk.scores[1]), looks, iterations)
        proposals = GRAIN // (2 if form.distinct else 1)
        falls = falling(state.hot, self.params.cooling, state.sweeps, proposals // sweep + 2)
        done = anneal(form, walk, falls, sweep, state.within, proposals, until_frozen=True, slight=slight)
        state.sweeps += done.sweeps
        return Found(walk.best, float(walk.scores[1]), done.looks, iterations=done.sweeps, done=done.idle > 0)

    def _in_cycles(self, form: Pairwise, walk: Walk, cycle: Cycle, sweep: int, slight: float) -> tuple[int, int]:
        """Anneal all stages from hot to cold; then some at a time, as long as that pays. Gives looks and iterations."""
        if cycle.done < cycle.length:
            sweeps = min(max(1, GRAIN // sweep), cycle.length - cycle.done)
            falls = temperatures(cycle, sweeps + 1)
            # Stages in turn: a third faster than at random, and as good.
            done = anneal(form, walk, falls, sweep, np.zeros(2, np.int64), sweeps * sweep, slight=slight, in_turn=True)
            note(cycle, falls[:-1], done.course, done.taken)
            if cycle.done == cycle.length:
                return_to_best(form, walk)
                cycle.idle = 0 if self.params.reheat else len(form.sizes)
            return done.looks, done.sweeps
        again = reheat(
            *(form, walk, cycle.hot, cycle.cold, cycle.idle, GRAIN),
            smallest=self.params.block,
            sweeps=self.params.reheat,
        )
        cycle.idle = again.idle
        return again.looks, again.reheats

    def _chains(self, problem: Problem, state: Annealing, chains: Chains, rng: Generator) -> Found:
        """Anneal chains side by side, one proposal each at a time."""
        sweep, begun, looks, done = moves(problem), state.sweeps, 0, False
        while looks < GRAIN and not done:
            temperature = self._temperature(state)
            Y, gains, cost = propose(problem, chains.X, chains.scores, rng)
            taken = rng.random(len(Y)) < acceptance(gains, temperature)
            chains.X[taken] = Y[taken]
            chains.scores[taken] += gains[taken]
            i = int(chains.scores.argmax())
            if chains.scores[i] > chains.best_score:
                chains.best, chains.best_score = chains.X[i].copy(), float(chains.scores[i])
            looks += cost
            state.within += [1, int((np.abs(gains[taken]) > 1e-9 * state.hot).sum())]
            if state.within[0] == sweep:
                done = self.params.preset == "cowie" and state.within[1] == 0
                state.sweeps += 1
                state.within[:] = 0
        return Found(chains.best, chains.best_score, looks, iterations=state.sweeps - begun, done=bool(done))

    def _temperature(self, state: Annealing) -> float:
        """Give the temperature of the chains' sweep that is under way."""
        if self.params.preset == "cowie":
            return float(falling(state.hot, self.params.cooling, state.sweeps, 1)[0])
        return float(cycling(state.hot, state.cold, state.sweeps, 1, self.params.shortest)[0])


def moves(problem: Problem) -> int:
    """Count the moves there are from a solution: another candidate at one stage."""
    return int(np.sum(np.asarray(problem.sizes) - 1))
