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
    Problem,
    Settings,
    Solver,
    construct,
    evaluate,
    propose,
    random_solutions,
    spread,
)
from swarmkit.compiled import (
    NEAREST,
    Round,
    Walk,
    field_spread,
    prepare_kernels,
    round_trip,
    start_round,
    start_walk,
    tables,
)
from swarmkit_annealing.cycles import Cycle, first_cycle, next_cycle, note, temperatures
from swarmkit_annealing.grounds import Ground, Tables, Tours
from swarmkit_annealing.schedule import Floats, acceptance, cycling, falling

Ints = NDArray[np.int64]

HOT, COLD, HOT_ON_TOURS, COLD_ON_TOURS = 2.0, 0.001, 0.5, 0.01

SAMPLE, FIELDS = 16, 4
"""Solutions some of whose moves tell how much a move changes the score; and, where a field has all of them at once."""

SLIGHT = 1e-9
"""In units of the start temperature. Candidates of equal value may take turns for ever: that is no change."""


@dataclass
class Chains:
    """Solutions annealed side by side, where each move is a call to the problem; and the best they have met."""

    X: Ints
    scores: Floats
    best: Ints
    best_score: float


@dataclass
class Annealing:
    """How far the schedule is, and what is annealed: one walk on tables or tour, or several chains without."""

    hot: float
    cold: float
    sweeps: int
    unpaid: int
    """Looks taken by `start`: the first step reports them."""
    within: Ints
    """Proposals made in the sweep that is under way, and how many of them changed the score."""
    walk: Walk | None
    trip: Round | None
    cycle: Cycle
    """auto: where its schedule is and what it has learned."""
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
        hot: Annotated[float, Field(gt=0)] | None = None
        """Start temperature, in standard deviations of what random moves change (else 2); on tours, in ways to a near
        city (else 0.5)."""
        cold: Annotated[float, Field(gt=0)] | None = None
        """auto: end temperature, in the same unit (else 0.001; on tours 0.01); not above hot."""
        shortest: Annotated[int, Field(ge=2, le=2**20)] = 32
        """auto: sweeps of the first cycle."""
        block: Annotated[int, Field(ge=1)] | None = None
        """auto, after each cycle: how many stages are reheated together, from a quarter to twice that (else five times
        as many as a stage is linked to, 12 at the least)."""
        chains: Annotated[int, Field(ge=1, le=100_000)] = 64
        """Solutions annealed side by side where the problem has no tables, or constraints."""

    params: Params

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels."""
        on_tour = round_trip(problem) is not None
        prepare_kernels(problem, *(["rerouting"] if on_tour else ["annealing", "heating", "merging"]))

    def start(self, problem: Problem, rng: Generator) -> Annealing:
        """Draw solutions to start from, and measure how much random moves change the score."""
        drawn = random_solutions(problem, self.params.chains if tables(problem) is None else SAMPLE, rng)
        form, tour, X = tables(problem), round_trip(problem), self._starts(problem, drawn)
        unit, looks = self._unit(problem, drawn, rng)
        hot = unit * (self.params.hot or (HOT if tour is None else HOT_ON_TOURS))
        cold = min(hot, unit * (self.params.cold or (COLD if tour is None else COLD_ON_TOURS)))
        return Annealing(
            hot=hot,
            cold=cold,
            sweeps=0,
            unpaid=looks + drawn.size + X.size + len(problem.sizes),
            within=np.zeros(2, np.int64),
            walk=start_walk(form, X[0], rng) if form is not None and tour is None else None,
            trip=start_round(tour, X[0], rng) if tour is not None else None,
            cycle=first_cycle(hot, cold, self.params.shortest, X[0] if len(X) else np.empty(0, np.int64)),
            chains=self._side_by_side(problem, X) if form is None and len(X) else None,
        )

    def _unit(self, problem: Problem, drawn: Ints, rng: Generator) -> tuple[float, int]:
        """Measure how much a move changes the score; on a tour, the way to a near city. Gives the looks too."""
        tour = round_trip(problem)
        if tour is not None:
            near = tour.nearest(NEAREST)
            ways = np.take_along_axis(tour.cost, near.astype(np.int64), axis=1)
            return float(np.abs(ways).mean()) or 1.0, ways.size
        form = tables(problem)
        if form is not None and not form.distinct:
            return field_spread(form, drawn[:FIELDS]), FIELDS * len(form.unary)
        return spread(problem, drawn, evaluate(problem, drawn), rng) if len(drawn) else (1.0, 0)

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
        """Anneal for one grain; a sweep is one iteration."""
        unpaid, state.unpaid = state.unpaid, 0
        ground = self._ground(problem, state)
        if ground is not None:
            once = self.params.preset == "cowie"
            found = self._once(state, ground) if once else self._in_cycles(state, ground, rng)
        elif state.chains is not None:
            found = self._chains(problem, state, state.chains, rng)
        else:  # no feasible solution was found to start from: look again
            fresh = self.start(problem, rng)
            state.hot, state.cold, state.chains = fresh.hot, fresh.cold, fresh.chains
            found = Found(None, None, looks=fresh.unpaid)
        return found._replace(looks=found.looks + unpaid)

    def _ground(self, problem: Problem, state: Annealing) -> Ground | None:
        """Give what is walked on, if that is tables or a tour."""
        if state.trip is not None and (tour := round_trip(problem)) is not None:
            return Tours(tour, state.trip)
        if state.walk is not None and (form := problem.pairwise()) is not None:
            return Tables(form, state.walk, self.params.block)
        return None

    def _once(self, state: Annealing, ground: Ground) -> Found:
        """Cowie: cool down sweep by sweep, and end when nothing changes any more."""
        proposals = GRAIN // ground.price
        falls = falling(state.hot, self.params.cooling, state.sweeps, proposals // ground.sweep + 2)
        done = ground.anneal(falls, state.within, proposals, SLIGHT * state.hot)
        state.sweeps += done.sweeps
        return Found(*ground.found, done.looks, done.sweeps, done=done.idle > 0)

    def _in_cycles(self, state: Annealing, ground: Ground, rng: Generator) -> Found:
        """Auto: fall from hot to cold in whole sweeps, with all stages, then with blocks; then in a longer cycle."""
        cycle, slight = state.cycle, SLIGHT * state.hot
        sweeps = min(max(1, GRAIN // ground.looks(cycle)), cycle.length - cycle.done)
        falls = temperatures(cycle, sweeps)
        done = ground.cool(cycle, falls, slight)
        note(cycle, falls, done.course, done.taken)
        looks = done.looks
        if cycle.done == cycle.length:
            looks += ground.end(cycle, slight)
            if not ground.reheats(cycle, rng):
                state.cycle = next_cycle(cycle)
        return Found(*ground.found, looks, done.sweeps)

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
            state.within += [1, int((np.abs(gains[taken]) > SLIGHT * state.hot).sum())]
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
