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

from swarmkit import GRAIN, Found, Problem, Settings, Solver, construct, evaluate, propose, random_solutions, spread
from swarmkit.compiled import Walk, anneal, prepare_kernels, start_walk, tables
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
    chains: Chains | None


class Sa(Solver[Annealing]):
    """Change one stage at random; take what is better always, what is worse with a chance that falls as it cools."""

    reference = "Cowie, Guthrie & Guthrie 1992, Lexical disambiguation using simulated annealing, COLING"

    class Params(Settings):
        """The schedule. Start and end temperature are ours: the paper's belong to its scores."""

        preset: Literal["cowie", "auto"] = "cowie"
        """cowie: from first candidates, stages at random, until frozen; auto: stages in turn, in ever longer cycles."""
        cooling: Annotated[float, Field(gt=0, lt=1)] = 0.9
        """cowie: the temperature is multiplied by this after each sweep."""
        hot: Annotated[float, Field(gt=0)] = 2.0
        """Start temperature, in standard deviations of the score changes of random moves."""
        cold: Annotated[float, Field(gt=0)] = 0.004
        """auto: end temperature, in the same unit; not above hot."""
        shortest: Annotated[int, Field(ge=2, le=2**20)] = 12
        """auto: sweeps of the first cycle."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 64
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        prepare_kernels(problem, "annealing")

    def start(self, problem: Problem, rng: Generator) -> Annealing:
        """Draw solutions to start from, and measure how much random moves change the score."""
        drawn = random_solutions(problem, max(self.params.chains, 16), rng)
        unit, looks = spread(problem, drawn, evaluate(problem, drawn), rng) if len(drawn) else (1.0, 0)
        form, X = tables(problem), self._starts(problem, drawn)
        return Annealing(
            hot=self.params.hot * unit,
            cold=min(self.params.cold, self.params.hot) * unit,
            sweeps=0,
            unpaid=looks + drawn.size + X.size + len(problem.sizes),
            within=np.zeros(2, np.int64),
            walk=None if form is None else start_walk(form, X[0], rng),
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

    def temperatures(self, state: Annealing, count: int) -> Floats:
        """Give the temperatures of the next sweeps, the one under way included."""
        if self.params.preset == "cowie":
            return falling(state.hot, self.params.cooling, state.sweeps, count)
        return cycling(state.hot, state.cold, state.sweeps, count, self.params.shortest)

    def _walk(self, problem: Problem, state: Annealing, walk: Walk) -> Found:
        """Anneal on tables."""
        form, sweep = problem.pairwise(), moves(problem)
        assert form is not None  # noqa: S101  (for the type checker: a walk is on tables)
        proposals = GRAIN // (2 if form.distinct else 1)
        cowie = self.params.preset == "cowie"
        looks, sweeps, idle = anneal(
            form,
            walk,
            self.temperatures(state, proposals // sweep + 2),
            sweep,
            state.within,
            proposals,
            until_frozen=cowie,
            in_turn=not cowie,  # a third faster than at random, and as good
            slight=1e-9 * state.hot,  # candidates of equal value may take turns for ever: that is no change
        )
        state.sweeps += sweeps
        return Found(walk.best, float(walk.scores[1]), looks, iterations=sweeps, done=cowie and idle > 0)

    def _chains(self, problem: Problem, state: Annealing, chains: Chains, rng: Generator) -> Found:
        """Anneal chains side by side, one proposal each at a time."""
        sweep, begun, looks, done = moves(problem), state.sweeps, 0, False
        while looks < GRAIN and not done:
            temperature = float(self.temperatures(state, 1)[0])
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


def moves(problem: Problem) -> int:
    """Count the moves there are from a solution: another candidate at one stage."""
    return int(np.sum(np.asarray(problem.sizes) - 1))
