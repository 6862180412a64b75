"""What `sa` and `annealing` share: where they start, from which temperature to which, and what they have reached.

Where no kernel anneals a problem, chains of solutions do, side by side, in any neighbourhood, by its random moves. Each
move is a call of the problem, so all chains move at once and one call serves them all. Where moves are of several kinds
a single chain anneals: batches of its moves are scored at once, and the first that is accepted is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np
from numpy.random import Generator

from swarmkit import Floats, Problem, Solutions, StepResult, evaluate, random_solutions
from swarmkit.search import (
    Credit,
    LinearNeighbourhood,
    MixedNeighbourhood,
    TableNeighbourhood,
    TourNeighbourhood,
    model_of,
    neighbourhood_of,
    walk_of,
    warm_up,
)
from swarmkit_annealing import kernels
from swarmkit_annealing.annealers import (
    COLD,
    HOT,
    TableAnnealer,
    TourAnnealer,
    smallest_losses,
    table_scale,
    tour_scale,
)
from swarmkit_annealing.linear_annealer import LinearAnnealer
from swarmkit_annealing.linear_state import VIOLATED
from swarmkit_annealing.order_annealer import OrderAnnealer, order_of
from swarmkit_annealing.schedule import Cycle, Schedule, Sweeps, acceptance

SAMPLE = 16
"""Random solutions drawn on tables: the gains of some of their moves calibrate the start temperature."""

CHAIN_STAGES, FEWEST_CHAINS = 16_384, 4
"""Chains have this many stages together on large problems, where many chains would never cool, but there are at least
as many of them as this: a call of `score` costs as much as several rows."""

WARM_SHARE = 0.1
"""Temperature around given solutions on tours, with swaps, and for chains, as a share of `hot`."""

REST = 10
"""Chains have come to rest after this many sweeps in a row without a change of score: on a plateau, where moves of
equal score are accepted, one sweep may miss the move that leaves it; the chance that ten do is exp(-10)."""

LONGEST_SWEEP = 1_000
"""Proposals of a sweep where there are more moves than this, unless there are more stages: evaluations are dear."""

PROPOSALS = 16
"""Proposals for every chain in a step: about as many evaluations as a population takes."""

HOT_MIXED, COLD_MIXED = 0.25, 0.008
"""Start and end temperature where moves are of several kinds, in standard deviations of their gains. Kinds differ, and
most moves that are worth it gain far less than the deviation of them all: hotter, nothing is learnt of them."""

MIXED_SAMPLE = 4
"""Solutions by whose moves the temperatures are calibrated there: a run may have few evaluations."""

PROPOSALS_PER_STAGE = 4
"""Proposals of a sweep there: at this number the first cycle of `annealing` takes some 30 moves of each stage."""

MOVES = 20
"""Random moves of each solution: enough to estimate a standard deviation to within a few per cent."""


@dataclass
class Chains:
    """Current solutions with their scores, and the best that any of them has met; at first nothing is scored."""

    UNITS: ClassVar[tuple[float, float]] = HOT, COLD
    """Start and end temperature in standard deviations of the gains of random moves."""
    REHEAT: ClassVar[float] = 1.0
    """The start temperature of cycles after the first, as a share of that of the first."""

    X: Solutions
    """Before the start is scored, the solutions to start from: none where no feasible one was found."""
    count: int
    """The number of chains; equally many start from each solution, so there may be more."""
    sample: Solutions | None = None
    """Random solutions by whose moves the start temperature is calibrated; None: the solutions to start from."""
    warmth: float = 1.0
    """The share of the start temperature at which to begin: less than 1 around given solutions."""
    scores: Floats = field(default_factory=lambda: np.empty(0))
    best: Solutions = field(default_factory=lambda: np.empty(0, np.int64))
    best_score: float = -np.inf
    proposals: int = 0
    """Proposals for each chain in the sweep under way."""
    changes: int = 0
    """How many of them changed the score, of all chains."""
    quiet_sweeps: int = 0
    """Sweeps in a row that have not changed a score."""

    def score_start(self, problem: Problem, rng: Generator) -> tuple[float, int]:
        """Score the start, let chains begin there; return the deviation of the gains of random moves, and the looks."""
        near, scores = neighbourhood_of(problem), evaluate(problem, self.X)
        looks, sample, sample_scores = self.X.size, self.X, scores
        if self.sample is not None:
            sample, sample_scores = self.sample, np.zeros(len(self.sample))
            # Where gains are read, from tables or from the problem, the scores of the sample are not needed.
            if getattr(near, "scored", True) and len(sample):
                sample_scores, looks = evaluate(problem, sample), looks + sample.size
        gains = [np.empty(0)]
        for _ in range(MOVES if len(sample) else 0):
            moves = near.random_moves(sample, rng)
            gains.append(near.gains(sample, sample_scores, moves))
            looks += int(moves.looks.sum())
        # As many chains from each solution, even if that makes a few more than were asked for.
        copies = -(-self.count // len(self.X))
        self._record(self.X, scores)
        self.X, self.scores, self.sample = np.repeat(self.X, copies, axis=0), np.repeat(scores, copies), None
        return deviation(np.concatenate(gains)), looks

    def _record(self, X: Solutions, scores: Floats) -> None:
        """Keep the best of some solutions if it is the best of all."""
        i = int(scores.argmax())
        if scores[i] > self.best_score:
            self.best, self.best_score = X[i].copy(), float(scores[i])

    def incumbent(self, problem: Problem) -> tuple[Solutions, float]:
        """Return the best solution met, and its score."""
        return self.best, self.best_score

    def sweep(self, problem: Problem) -> int:
        """Return the proposals for each chain in a sweep: one for each move; on large problems one for each stage."""
        sizes = np.asarray(problem.sizes)
        return int(min(np.sum(sizes - 1), max(len(sizes), LONGEST_SWEEP)))

    def anneal(self, problem: Problem, schedule: Schedule, rng: Generator) -> Sweeps:
        """Make a piece of a sweep at the first temperature of a schedule: some proposals for every chain."""
        calls = looks = 0
        while calls < PROPOSALS and self.proposals < schedule.sweep:
            looks, calls = looks + self._propose(problem, schedule, rng), calls + 1
        if self.proposals < schedule.sweep:
            return Sweeps(looks, np.empty(0), np.empty(0))
        accepted = self.changes / (self.proposals * len(self.X))
        self.quiet_sweeps = 0 if self.changes else self.quiet_sweeps + 1
        self.proposals = self.changes = 0
        done = schedule.stop_early and self.quiet_sweeps >= REST
        return Sweeps(looks, np.array([self.scores.mean()]), np.array([accepted]), done)

    def _propose(self, problem: Problem, schedule: Schedule, rng: Generator) -> int:
        """Propose a move for each chain, accept or reject it, and return the looks."""
        near = neighbourhood_of(problem)
        moves = near.random_moves(self.X, rng)
        gains = near.gains(self.X, self.scores, moves)
        # One number a chain, drawn for improvements as well: the draws do not depend on the gains.
        accepted = rng.random(len(gains)) < acceptance(gains, schedule.temperatures[0])
        near.apply(self.X, moves, accepted)
        self.scores[accepted] += gains[accepted]
        self._record(self.X, self.scores)
        self.proposals += 1
        self.changes += int(np.count_nonzero(np.abs(gains[accepted]) > schedule.negligible))
        return int(moves.looks.sum())

    def begin_cycle(self) -> None:
        """Begin another cycle from where the chains are."""
        self.quiet_sweeps = 0


@dataclass
class BatchChain(Chains):
    """One solution whose moves are of several kinds: it makes the first of a batch that is accepted."""

    UNITS: ClassVar[tuple[float, float]] = HOT_MIXED, COLD_MIXED
    REHEAT: ClassVar[float] = 0.7  # these begin at the best solution, of which they keep a part

    limit: int = 1
    """The most moves of a batch."""
    credit: Credit = field(default_factory=lambda: Credit.even(1))

    def score_start(self, problem: Problem, rng: Generator) -> tuple[float, int]:
        """Score the start, and begin at the best of it; return the deviation of the gains of moves, and the looks."""
        deviation, looks = super().score_start(problem, rng)
        self.X, self.scores = self.best[None].copy(), np.array([self.best_score])
        return deviation, looks

    def sweep(self, problem: Problem) -> int:
        """Return the proposals of a sweep."""
        return PROPOSALS_PER_STAGE * len(problem.sizes)

    def _propose(self, problem: Problem, schedule: Schedule, rng: Generator) -> int:
        """Score a batch of moves, make the first that is accepted, and return the looks.

        Where the score is compiled so are the moves, all that are left of the sweep.
        """
        walk = walk_of(problem)
        if walk is not None:
            walk = walk._replace(temperature=float(schedule.temperatures[0]), negligible=schedule.negligible)
            left = schedule.sweep - self.proposals
            course = walk.make(self.X[0], float(self.scores[0]), self.credit, left, rng)
            self.scores[0] = course.score
            self._record(course.best[None], np.array([course.best_score]))
            self.proposals, self.changes = self.proposals + course.moves, self.changes + course.changes
            return course.moves * int(self.X.shape[1])
        near = cast("MixedNeighbourhood", neighbourhood_of(problem))  # `begin` has asked
        proposals = near.propose(self.X, self.scores, self.credit, rng)
        accepted = rng.random(proposals.gains.shape) < acceptance(proposals.gains, schedule.temperatures[0])
        rows, columns = proposals.first(accepted)
        self.proposals += int(columns[0]) + 1 if len(rows) else proposals.gains.shape[1]
        self.X[rows] = proposals.solutions(rows, columns)
        gains = proposals.gains[rows, columns]
        self.scores[rows] += gains
        self._record(self.X, self.scores)
        self.changes += int(np.count_nonzero(np.abs(gains) > schedule.negligible))
        self.credit.resize(accepted, self.limit)
        return int(proposals.moves.looks.sum())

    def begin_cycle(self) -> None:
        """Begin another cycle from the best solution that was met."""
        super().begin_cycle()
        self.X[0], self.scores[0] = self.best, self.best_score


@dataclass
class SearchState:
    """What is annealed, and how hot."""

    annealer: TableAnnealer | TourAnnealer | OrderAnnealer | LinearAnnealer | Chains
    """The current solution or chains, and the incumbent."""
    hot: float = 0.0
    """Start temperature; 0 before it is calibrated: chains have scored nothing then."""
    cold: float = 0.0
    """End temperature, likewise."""
    sweeps: int = 0
    """Sweeps so far."""
    restarts: int = 0
    """How often `sa` has begun again at the start temperature."""
    first_sweep: int = 0
    """The sweep with which it did so last."""
    acceptance: float = 1.0
    """The fraction of proposals in the last sweep that changed the score."""
    cycle: Cycle | None = None
    """The current cycle of `annealing`, with what the cycles before have taught; None for chains, which learn nothing,
    and for `sa`."""

    def snapshot(self) -> dict[str, Any]:
        """Return the current solution, or the chains, and the fraction of proposals that changed the score."""
        match self.annealer:
            case TableAnnealer(x=x) | OrderAnnealer(x=x):
                current: dict[str, Any] = {"current": x}
            case TourAnnealer(tour=tour):
                current = {"current": tour}
            case LinearAnnealer(search=search, first=first):
                violated = int(search.counters[VIOLATED])
                current = {"current": search.chosen - first, "violated constraints": violated}
            case Chains(X=X, scores=scores):
                current = {"solutions": X, "qualities": scores}
        return {"acceptance": self.acceptance, **current} if self.hot else {}

    def score_start(self, problem: Problem, chains: Chains, factors: tuple[float, float], rng: Generator) -> StepResult:
        """Score the solutions from which chains start, and calibrate the temperatures; draw some where there are none.

        Args:
            problem: the problem.
            chains: the annealer.
            factors: start and end temperature in multiples of the neighbourhood's own.
            rng: the run's generator.
        """
        if not len(chains.X):
            chains.X = random_solutions(problem, chains.count, rng)
            return StepResult(None, None, looks=len(problem.sizes))
        deviation, looks = chains.score_start(problem, rng)
        hot, self.cold = temperature_range((chains.UNITS[0] * deviation, chains.UNITS[1] * deviation), factors)
        # Around given solutions it is colder, but never below the end of a cycle.
        self.hot = max(self.cold, chains.warmth * hot)
        return StepResult(*chains.incumbent(problem), looks, iterations=0)

    def warm_start(self, problem: Problem, X: Solutions, scores: Floats, chains: int, rng: Generator) -> bool:
        """Go on from given solutions: the best of them on tables and tours, all of them by chains.

        Args:
            problem: the problem.
            X: feasible solutions, one per row.
            scores: their scores.
            chains: the number of chains.
            rng: the run's generator.

        Returns:
            Whether a table or tour goes on from the best of them, because it is better than what the search has met.
        """
        annealer, best = self.annealer, int(np.argmax(scores))
        if scores[best] <= annealer.incumbent(problem)[1]:
            return False
        if isinstance(annealer, Chains):  # calibrated again around these solutions
            self.annealer, self.hot = new_chains(problem, np.array(X), chains, None, warmth=WARM_SHARE), 0.0
            return False
        self.annealer = annealer.start(problem, X[best], rng)
        return True

    def warm_temperature(self, problem: Problem, share: float) -> float:
        """Return the temperature at which the current solution is annealed if a user gave it: far below `hot`.

        Args:
            problem: the problem.
            share: on tables, the temperature in mean smallest losses of the stages.
        """
        form, annealer, warm = problem.structure.free_tables, self.annealer, WARM_SHARE * self.hot
        if isinstance(annealer, TableAnnealer) and form is not None:
            losses = smallest_losses(form, annealer.x)
            warm = share * float(losses.mean()) if len(losses) else warm
        return float(np.clip(warm, self.cold, self.hot))


def annealer_of(problem: Problem) -> type[TableAnnealer | TourAnnealer | OrderAnnealer | LinearAnnealer | Chains]:
    """Return what anneals a problem, by its neighbourhood: tables and tours have kernels, chains any moves."""
    near, structure = neighbourhood_of(problem), problem.structure
    if isinstance(near, LinearNeighbourhood) and structure.pairwise is not None and not structure.opaque:
        return LinearAnnealer
    if isinstance(near, TourNeighbourhood) and len(problem.sizes) >= TourAnnealer.SMALLEST:
        return TourAnnealer
    if isinstance(near, TableNeighbourhood):
        return TableAnnealer if order_of(structure) is None else OrderAnnealer
    return Chains


def compile_kernels(problem: Problem) -> None:
    """Compile the kernels that a problem needs; chains need none."""
    annealer = annealer_of(problem)
    if annealer is TourAnnealer:
        warm_up(problem, kernels.tour_annealing)
    elif annealer is TableAnnealer:
        warm_up(problem, kernels.table_annealing, kernels.partition_crossover)
    elif annealer is OrderAnnealer:
        warm_up(problem, kernels.order_annealing)
    elif annealer is LinearAnnealer:
        import scipy.optimize
        import scipy.sparse  # noqa: F401

        warm_up(problem, kernels.linear_annealing)
        model_of(problem.structure)


def begin(problem: Problem, X: Solutions, chains: int, factors: tuple[float, float], rng: Generator) -> SearchState:
    """Return the state of a search that has made no move yet; chains have not scored anything either.

    Args:
        problem: the problem.
        X: the solution to start from, one row; none: a random one, or one for each chain.
        chains: the number of chains; there are fewer on large problems.
        factors: start and end temperature in multiples of the neighbourhood's own.
        rng: the run's generator.
    """
    annealer = annealer_of(problem)
    if issubclass(annealer, Chains):
        chains = min(chains, max(FEWEST_CHAINS, CHAIN_STAGES // max(1, len(problem.sizes))))
        mixed = isinstance(neighbourhood_of(problem), MixedNeighbourhood)
        sample = random_solutions(problem, min(MIXED_SAMPLE, chains) if mixed else chains, rng)
        # As many chains as there are feasible solutions, if these are hard to find.
        chains = chains if mixed else len(sample) or chains
        return SearchState(new_chains(problem, X, chains, sample) if len(X) else new_chains(problem, sample, chains))
    if issubclass(annealer, LinearAnnealer):
        first = [*X, *LinearAnnealer.first_solution(problem, rng), *random_solutions(problem, 1, rng)]
        if not first:  # chains look for a feasible solution again and again
            return SearchState(new_chains(problem, X, chains))
        start = LinearAnnealer.start(problem, first[0], rng)
        return SearchState(start, *temperature_range(start.scale(problem), factors))
    sample = random_solutions(problem, SAMPLE, rng)
    on_tour = annealer is TourAnnealer
    scale = tour_scale(TourNeighbourhood(problem).tour) if on_tour else table_scale(problem, sample, rng)
    return SearchState(annealer.start(problem, [*X, *sample][0], rng), *temperature_range(scale, factors))


def new_chains(
    problem: Problem, X: Solutions, count: int, sample: Solutions | None = None, warmth: float = 1.0
) -> Chains:
    """Return chains that start from solutions, of which nothing is scored.

    Args:
        problem: the problem.
        X: the solutions; none where no feasible one was found.
        count: the number of chains. Where moves are of several kinds there is one chain, and this is the most of its
            moves that are scored at once.
        sample: random solutions by whose moves the start temperature is calibrated; None: those of X.
        warmth: the share of the start temperature at which to begin.
    """
    near = neighbourhood_of(problem)
    if isinstance(near, MixedNeighbourhood):
        return BatchChain(X, 1, sample, warmth, limit=count, credit=Credit.even(near.kinds))
    return Chains(X, count, sample, warmth)


def temperature_range(scale: tuple[float, float], factors: tuple[float, float]) -> tuple[float, float]:
    """Return start and end temperature, in multiples of a neighbourhood's own; the end is never above the start.

    >>> temperature_range((2.0, 0.5), (0.5, 3.0))
    (1.0, 1.0)
    """
    hot = scale[0] * factors[0]
    return hot, min(hot, scale[1] * factors[1])


def deviation(gains: Floats) -> float:
    """Return the standard deviation of the gains of feasible moves that change the score; 1 if none does.

    Moves that change nothing say nothing about typical losses, and on plateaus they are most of all moves.

    >>> deviation(np.array([3.0, 0.0, -3.0, 0.0, -np.inf]))
    3.0
    """
    changing = gains[np.isfinite(gains) & (gains != 0)]
    return (float(np.sqrt(np.mean(changing**2))) if len(changing) else 0.0) or 1.0
