"""Constraints of which nothing is known but their answers: feasible starts, exchanges, answers of every solver."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import judge, random_solutions
from swarmkit.search import ExchangeNeighbourhood, ScoreNeighbourhood, neighbourhood_of
from swarmkit.search.exchange_neighbourhood import CHANGE, EXCHANGE, PAIR

VALUES = np.random.default_rng(5).random(40)
BEST = np.sort(VALUES)[-10:].sum()


class Subset(swarmkit.Problem):
    """Exactly 10 of 40, by `feasible` alone."""

    sizes = (2,) * 40

    def score(self, X):
        return (X * VALUES).sum(axis=1)

    def feasible(self, X):
        return X.sum(axis=1) == 10


class Counted(swarmkit.Problem):
    """The same by `allowed` alone: `feasible` follows from it."""

    sizes, score = Subset.sizes, Subset.score

    def allowed(self, X, stage):
        others = np.delete(X, stage, axis=1)
        ones, left = (others == 1).sum(axis=1), (others == -1).sum(axis=1)
        return np.stack([(ones <= 10) & (ones + left >= 10), (ones <= 9) & (ones + left >= 9)], axis=1)


class Balanced(swarmkit.Problem):
    """60 vertices in four parts of 15: edges between parts cost."""

    sizes, direction = (4,) * 60, "minimise"
    edges = np.random.default_rng(2).integers(60, size=(180, 2))

    def score(self, X):
        return (X[:, self.edges[:, 0]] != X[:, self.edges[:, 1]]).sum(axis=1)

    def feasible(self, X):
        return np.all([(X == part).sum(axis=1) == 15 for part in range(4)], axis=0)


ACCEPTING = ("auto", "ils", "ga", "sa", "annealing", "dbees", "bco", "icm", "random", "first", "greedy", "vote", "p3")


@pytest.mark.parametrize("problem", [Subset(), Counted()], ids=["feasible", "allowed"])
@pytest.mark.parametrize("solver", ACCEPTING)
def test_exactly_ten_of_forty_is_answered_by_every_solver(problem, solver):
    result = swarmkit.solve(problem, solver, seed=1, evaluations=3000)
    assert sum(result.solution) == 10
    if solver in ("auto", "ils", "annealing", "dbees"):
        assert result.score == pytest.approx(BEST)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_genetic_algorithm_finds_the_best_ten_of_forty(seed):
    assert swarmkit.solve(Subset(), "ga", seed=seed, evaluations=8000).score == pytest.approx(BEST)


@pytest.mark.parametrize("solver", ["auto", "sa"])
def test_an_exact_balance_is_kept_and_improved(solver):
    result = swarmkit.solve(Balanced(), solver, seed=1, evaluations=4000)
    assert np.bincount(result.solution).tolist() == [15] * 4
    assert result.cost < 0.75 * Balanced().score(random_solutions(Balanced(), 20, np.random.default_rng(1))).mean()


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=6), st.sampled_from([CHANGE, EXCHANGE, PAIR]), st.integers(0, 99)
)
def test_moves_stay_in_range_and_exchanges_keep_what_is_there(sizes, kind, seed):
    problem, rng = type("Free", (swarmkit.Problem,), {"sizes": sizes, "score": lambda self, X: X.sum(axis=1)})(), None
    rng = np.random.default_rng(seed)
    if max(sizes) == 1:
        return
    X = rng.integers(sizes, size=(30, len(sizes)))
    Y = ExchangeNeighbourhood(problem).draw(X, np.full(30, kind), rng)
    assert judge(problem, Y).all()
    changed = (X != Y).sum(axis=1)
    assert (changed >= 1).all()
    assert (changed <= 2).all()
    exchanged = (kind == EXCHANGE) & (changed == 2)
    assert (np.sort(X[exchanged], axis=1) == np.sort(Y[exchanged], axis=1)).all()


def test_exchanges_are_for_constraints_that_single_changes_break():
    at_most = type("AtMost", (Subset,), {"feasible": lambda self, X: X.sum(axis=1) <= 10})()
    assert isinstance(neighbourhood_of(Subset()), ExchangeNeighbourhood)
    assert isinstance(neighbourhood_of(Balanced()), ExchangeNeighbourhood)
    assert type(neighbourhood_of(at_most)) is ScoreNeighbourhood


@pytest.mark.parametrize("problem", [Subset(), Balanced()])
def test_feasible_starts_are_found_where_independent_draws_have_none(problem):
    X = random_solutions(problem, 8, np.random.default_rng(1))
    assert len(X) == 8
    assert judge(problem, X).all()


def test_of_allowed_alone_follows_what_is_feasible():
    rng = np.random.default_rng(1)
    X = np.array([rng.permutation(np.arange(40) < count).astype(int) for count in (9, 10, 11, 10)])
    assert Counted().feasible(X).tolist() == [False, True, False, True]
    assert swarmkit.solve(Counted(), "random", seed=1, evaluations=50).solution.count(1) == 10
