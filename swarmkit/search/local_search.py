"""Local search on whole solutions, used inside solvers' loops and to polish their answers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.random import Generator

from swarmkit.contract.arrays import Floats, Solutions
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import complete, problem_view, restrict
from swarmkit.contract.solver import GRAIN
from swarmkit.search.exchange_neighbourhood import ExchangeNeighbourhood, is_rigid
from swarmkit.search.linear_neighbourhood import LinearNeighbourhood
from swarmkit.search.neighbourhood import Climb as Climb
from swarmkit.search.neighbourhood import Neighbourhood, brought_neighbourhood
from swarmkit.search.score_neighbourhood import ScoreNeighbourhood
from swarmkit.search.sequence_neighbourhood import SequenceNeighbourhood
from swarmkit.search.table_neighbourhood import TableNeighbourhood
from swarmkit.search.tour_neighbourhood import TourNeighbourhood

Kind = Literal["icm", "2opt", "local"]
KINDS: tuple[str, ...] = get_args(Kind)

SWEEPS = 5
"""Sweeps until no stage improves, roughly; only the number of solutions that climb together depends on it."""

FEWEST_ROWS = 64
"""Rows that a batch of scores should have: a call of `score` costs as much as some dozen rows."""


def neighbourhood_of(problem: Problem) -> Neighbourhood:
    """Return the neighbourhood of a problem: what the problem brings, or that of its kind.

    Args:
        problem: the problem as solvers see it.
    """
    near = brought_neighbourhood(problem)
    if near is not None:
        return near
    structure = problem.structure
    if structure.linear is not None:
        return LinearNeighbourhood(problem)
    # Gains of the problem's own are those of swaps, and much faster than scores.
    if structure.distinct and structure.pairwise is None and not problem.overrides("gains"):
        return SequenceNeighbourhood(problem)
    if structure.opaque and not structure.distinct and is_rigid(problem):
        return ExchangeNeighbourhood(problem)
    return stage_neighbourhood(problem) if structure.symmetric_tour() is None else TourNeighbourhood(problem)


def stage_neighbourhood(problem: Problem) -> ScoreNeighbourhood:
    """Return the changes of one stage as a neighbourhood, on tables where there are some without constraints.

    Args:
        problem: the problem as solvers see it.
    """
    return ScoreNeighbourhood(problem) if problem.structure.tables is None else TableNeighbourhood(problem)


class Improvement(NamedTuple):
    """Improved solutions, their scores, and the looks."""

    solutions: Solutions
    scores: Floats
    looks: int


def local_search(
    problem: Problem, X: Solutions, kind: Kind, rng: Generator, fixed: Mapping[int, int] | None = None
) -> Improvement:
    """Return solutions improved to local optima.

    Args:
        problem: any problem.
        X: feasible solutions, one a row; they are not changed.
        kind: as in `start_climb`.
        rng: breaks ties and orders the stages.
        fixed: the candidate of each stage that is not changed; it takes precedence over that of X.
    """
    if fixed:
        view = problem_view(problem, fixed)
        left = restrict(view, X)
        # Where every stage is fixed nothing is left to improve.
        free = local_search(view, left, kind, rng) if left.shape[1] else Improvement(left, view.score(left), 0)
        return free._replace(solutions=complete(view, free.solutions))
    climb = start_climb(problem, X, kind, rng)
    looks = climb.steps(problem, rng, sys.maxsize)
    return Improvement(climb.X, climb.scores, looks)


def start_climb(problem: Problem, X: Solutions, kind: Kind, rng: Generator) -> Climb:
    """Return climbs from some solutions: plain data that a solver keeps in its State.

    Args:
        problem: any problem.
        X: feasible solutions, one a row; they are not changed.
        kind: `icm` (iterated conditional modes) takes the best candidate stage by stage, by a swap with its holder
            where stages must differ. `2opt` is for symmetric tours: 2-opt, 3-opt and Or-opt moves among nearest
            neighbours. `local` is the local search of the problem's neighbourhood: what the problem brings, `2opt` on
            symmetric tours, and `icm` elsewhere.
        rng: breaks ties and orders the stages.
    """
    return _climb_neighbourhood(problem, kind).climb(X, rng)


def uses_kernel(problem: Problem, X: Solutions, kind: Kind) -> bool:
    """Return whether a climb from some solutions is made by a compiled kernel."""
    near = _climb_neighbourhood(problem, kind)
    return isinstance(near, TableNeighbourhood) and near.uses_kernel(len(X))


def _climb_neighbourhood(problem: Problem, kind: Kind) -> Neighbourhood:
    """Return the neighbourhood in which a kind of local search climbs."""
    if kind not in KINDS:
        raise UsageError(f"no local search named '{kind}'. There are: {', '.join(KINDS)}.")
    if kind == "icm":
        return stage_neighbourhood(problem)
    near = neighbourhood_of(problem)
    if kind == "2opt" and not isinstance(near, TourNeighbourhood):
        raise UsageError(
            "the local search '2opt' is for symmetric tours: every candidate visited once on a cycle of stages, one "
            "symmetric table of costs, no constraints. For this problem there is 'icm'."
        )
    return near


def climb_together(problem: Problem) -> int:
    """Return how many solutions should climb together: enough for large batches, few enough to give something early."""
    # As many rows as fill a step with looks, if each takes SWEEPS sweeps.
    rows = GRAIN // (SWEEPS * ScoreNeighbourhood(problem).looks * int(np.sum(problem.sizes)))
    if problem.structure.pairwise is None:
        rows = max(rows, -(-FEWEST_ROWS // max(problem.sizes, default=1)))
    return max(1, rows)


class Proposal(NamedTuple):
    """A move for each row."""

    solutions: Solutions
    """The rows after their moves."""
    gains: Floats
    """The gain of each move; -inf if it is infeasible."""
    looks: int
    """The looks that the gains took."""


def propose(problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> Proposal:
    """Return a random move for each row, drawn from the problem's neighbourhood.

    Args:
        problem: the problem.
        X: complete solutions, one per row.
        scores: their scores.
        rng: the generator to draw from.
    """
    near = neighbourhood_of(problem)
    moves = near.random_moves(X, rng)
    return Proposal(moves.solutions, near.gains(X, scores, moves), int(moves.looks.sum()))


def gain_deviation(problem: Problem, X: Solutions, scores: Floats, rng: Generator) -> tuple[float, int]:
    """Return the standard deviation of the gains of random moves (1 if no move changes the score), and the looks.

    Args:
        problem: the problem.
        X: complete solutions to move from, one per row.
        scores: their scores.
        rng: the generator to draw from.

    >>> from swarmkit import Pairwise, PairwiseProblem
    >>> problem = PairwiseProblem(Pairwise.of([2], unary=[0.0, 3.0]))
    >>> gain_deviation(problem, np.array([[0], [1]]), np.array([0.0, 3.0]), np.random.default_rng(1))
    (3.0, 40)
    """
    moves = [propose(problem, X, scores, rng) for _ in range(SAMPLES)]
    gains = np.concatenate([proposal.gains for proposal in moves])
    # Infeasible moves gain -inf and say nothing about the scale of the others.
    finite = gains[np.isfinite(gains)]
    return (float(finite.std()) if len(finite) else 0.0) or 1.0, sum(proposal.looks for proposal in moves)


SAMPLES = 20
"""Random moves of each solution: enough to estimate a standard deviation to within a few per cent."""
