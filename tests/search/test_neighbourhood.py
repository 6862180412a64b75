"""Every neighbourhood: moves, gains and their application against whole scores; what problems bring."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import evaluate, gain_deviation, judge, local_search, move_gains, propose, random_solutions
from swarmkit.contract.problem_view import problem_view
from swarmkit.search import (
    LinearNeighbourhood,
    ScoreNeighbourhood,
    TourNeighbourhood,
    neighbourhood_of,
    start_climb,
)
from swarmkit.search.neighbourhood import RandomClimb
from swarmkit.search.sequence_neighbourhood import SequenceNeighbourhood
from swarmkit.testing.families import Shape, random_tour
from tests.search.neighbourly import CLASSES, Costly, Rotations, Turning, any_problem, problem_of

seeds = st.integers(0, 999)
PERMUTATION = swarmkit.Pairwise.of(
    [5] * 5, [(i, i + 1, np.arange(25.0).reshape(5, 5) % 7) for i in range(4)], distinct=True
)


@pytest.mark.parametrize("kind", CLASSES)
def test_each_kind_of_problem_has_its_neighbourhood(kind):
    problem = problem_of(kind, 1)
    assert type(neighbourhood_of(problem)) is CLASSES[kind]
    assert neighbourhood_of(problem).problem is problem


def drawn(problem, seed):
    """Solutions, their scores, and a random move for each; None where nothing can move."""
    rng = np.random.default_rng(seed)
    X, near = random_solutions(problem, 4, rng), neighbourhood_of(problem)
    if len(X) == 0 or max(problem.sizes) == 1 or (len(problem.sizes) == 1 and isinstance(near, Rotations)):
        return None
    return near, X, evaluate(problem, X), near.random_moves(X, rng)


@given(any_problem(), seeds)
def test_gains_are_differences_of_scores_and_infeasible_moves_gain_nothing(problem, seed):
    case = drawn(problem, seed)
    if case is None:
        return
    near, X, scores, moves = case
    before, gains = X.copy(), near.gains(X, scores, moves)
    feasible = judge(problem, moves.solutions)
    assert X.tolist() == before.tolist()
    assert gains[feasible] == pytest.approx((evaluate(problem, moves.solutions) - scores)[feasible])
    assert np.isneginf(gains[~feasible]).all()
    assert (moves.looks >= 1).all()


@given(any_problem(), seeds, st.lists(st.booleans(), min_size=4, max_size=4))
def test_applied_moves_are_the_solutions_of_the_moves(problem, seed, accepted):
    case = drawn(problem, seed)
    if case is None:
        return
    near, X, _, moves = case
    before, accepted = X.copy(), np.array(accepted)[: len(X)]
    near.apply(X, moves, accepted)
    assert X[accepted].tolist() == moves.solutions[accepted].tolist()
    assert X[~accepted].tolist() == before[~accepted].tolist()
    # Under linear constraints there may be no other feasible solution.
    assert (moves.solutions != before).any(axis=1).all() or isinstance(near, Rotations | LinearNeighbourhood)


@given(any_problem(), seeds)
def test_gains_of_all_candidates_are_those_of_single_moves(problem, seed):
    case = drawn(problem, seed)
    if case is None:
        return
    _, X, scores, _ = case
    near = ScoreNeighbourhood(problem)
    moves = near.random_moves(X, np.random.default_rng(seed))
    gains = move_gains(problem, X, moves.stage)[np.arange(len(X)), moves.candidates]
    assert gains == pytest.approx(near.gains(X, scores, moves))


def test_a_proposal_is_a_move_of_the_neighbourhood_with_its_gain():
    problem = problem_of("brought", 1)
    X = random_solutions(problem, 3, np.random.default_rng(1))
    proposed = propose(problem, X, evaluate(problem, X), np.random.default_rng(2))
    moves = Rotations(problem).random_moves(X, np.random.default_rng(2))
    assert proposed.solutions.tolist() == moves.solutions.tolist()
    assert proposed.looks == 12
    deviation, looks = gain_deviation(problem, X, evaluate(problem, X), np.random.default_rng(2))
    assert deviation > 0
    assert looks == 20 * 12


def test_a_brought_neighbourhood_is_climbed_to_where_its_moves_fail():
    problem = Turning(PERMUTATION)
    X = random_solutions(problem, 5, np.random.default_rng(1))
    climb = start_climb(problem, X, "local", np.random.default_rng(1))
    assert isinstance(climb, RandomClimb)
    improved = local_search(problem, X, "local", np.random.default_rng(1))
    for x, y in zip(X, improved.solutions, strict=True):
        turned = [np.roll(x, shift) for shift in range(5)]
        assert y.tolist() in [row.tolist() for row in turned]
        assert problem.score(y[None])[0] == max(problem.score(np.array(turned)))


def test_a_view_has_the_neighbourhood_of_the_whole_unless_stages_are_fixed():
    cost = Costly(PERMUTATION)
    view = problem_view(cost)
    near = neighbourhood_of(view)
    assert isinstance(near, Rotations)
    assert near.problem is view
    X = random_solutions(view, 4, np.random.default_rng(1))
    moves = near.random_moves(X, np.random.default_rng(1))
    saved = np.asarray(cost.score(X)) - np.asarray(cost.score(moves.solutions))
    assert near.gains(X, evaluate(view, X), moves) == pytest.approx(saved)
    assert type(neighbourhood_of(problem_view(cost, {0: 1}))) is SequenceNeighbourhood


def test_stage_by_stage_stays_what_it_is_beside_a_brought_neighbourhood():
    problem = Turning(PERMUTATION)
    X = random_solutions(problem, 3, np.random.default_rng(1))
    improved = local_search(problem, X, "icm", np.random.default_rng(1))
    for stage in range(5):
        assert move_gains(problem, improved.solutions, stage).max() <= 1e-9


@pytest.mark.parametrize("solver", ["ils", "sa"])
def test_solvers_move_as_a_brought_neighbourhood_does(solver):
    problem = Turning(PERMUTATION)
    swarmkit.solve(problem, solver, evaluations=200, seed=1)
    drawn = []

    class Noted(Rotations):
        def random_moves(self, X, rng):
            drawn.append(len(X))
            return super().random_moves(X, rng)

    problem.neighbourhood = lambda: Noted(problem)
    result = swarmkit.solve(problem, solver, evaluations=200, seed=1)
    assert drawn
    assert result.score == pytest.approx(problem.score(np.array(result.solution)[None])[0])


def test_tours_with_a_fixed_city_are_tours():
    problem = swarmkit.PairwiseProblem(random_tour(Shape(7, 4, 3, "floats", 1)))
    assert type(neighbourhood_of(problem_view(problem, {0: 2}))) is TourNeighbourhood
