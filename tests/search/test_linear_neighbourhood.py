"""Moves and climbs under linear constraints."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Problem, evaluate, exactly, local_search, random_solutions
from swarmkit.search import LinearNeighbourhood, neighbourhood_of
from swarmkit.testing.families import FixedNumber, Rows, Shape, random_form, shapes


class TenOfForty(Problem):
    """Ten of forty things are chosen; of their value together nothing is known but the score."""

    sizes = (2,) * 40
    constraints = (exactly([(i, 1) for i in range(40)], 10),)

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        self.values, self.pairs = rng.normal(size=40), rng.normal(size=(40, 40))

    def score(self, X):
        return X @ self.values + np.einsum("ki,ij,kj->k", X, self.pairs, X)


@settings(max_examples=60, deadline=None)
@given(shape=shapes(), kind=st.sampled_from((Rows, FixedNumber)))
def test_moves_and_climbs_keep_solutions_feasible(shape: Shape, kind) -> None:
    problem, rng = kind(random_form(shape), shape), np.random.default_rng(shape.seed)
    X = random_solutions(problem, 4, rng)
    near, scores = neighbourhood_of(problem), evaluate(problem, X)
    assert isinstance(near, LinearNeighbourhood)
    moves = near.random_moves(X, rng)
    assert problem.feasible(moves.solutions).all()
    assert ((moves.solutions != X).sum(axis=1) <= 2).all()
    np.testing.assert_allclose(near.gains(X, scores, moves), evaluate(problem, moves.solutions) - scores, atol=1e-9)
    better = local_search(problem, X, "local", rng)
    assert problem.feasible(better.solutions).all()
    assert (better.scores >= scores - 1e-9).all()
    np.testing.assert_allclose(better.scores, evaluate(problem, better.solutions), atol=1e-9)


def test_a_fixed_number_is_moved_by_exchanges() -> None:
    problem, rng = TenOfForty(), np.random.default_rng(1)
    X = random_solutions(problem, 50, rng)
    Y = neighbourhood_of(problem).random_moves(X, rng).solutions
    assert ((X != Y).sum(axis=1) == 2).all()


@pytest.mark.parametrize("name", ["auto", "ils", "ga", "annealing", "sa"])
def test_the_best_ten_of_forty_are_found(name: str) -> None:
    best = max(swarmkit.solve(TenOfForty(), "ils", seed=seed, evaluations=20_000).score for seed in (1, 2))
    assert swarmkit.solve(TenOfForty(), name, seed=3, evaluations=60_000).score == pytest.approx(best)


def test_gains_of_the_problems_own_are_added_up() -> None:
    class WithGains(TenOfForty):
        def gains(self, x, stage):
            scores = self.score(self.neighbours(x[None], stage))
            return scores - scores[x[stage]]

    problem, rng = WithGains(), np.random.default_rng(1)
    X = random_solutions(problem, 5, rng)
    near = neighbourhood_of(problem)
    moves = near.random_moves(X, rng)
    expected = TenOfForty().score(moves.solutions) - TenOfForty().score(X)
    np.testing.assert_allclose(near.gains(X, np.zeros(5), moves), expected, atol=1e-9)
