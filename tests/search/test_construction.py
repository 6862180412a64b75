"""Solutions that are drawn, built and repaired: feasible, and every one of them possible."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.search.construction import construct, pick_any, pick_best, random_solutions, repair


class Judged(swarmkit.Problem):
    """Two stages that must differ by one; nothing says which candidates are allowed."""

    sizes = (3, 3)

    def score(self, X):
        return X.sum(axis=1) * 1.0

    def feasible(self, X):
        return np.abs(X[:, 0] - X[:, 1]) == 1


class Ascending(swarmkit.Problem):
    """No stage has a lower candidate than the one before it; `allowed` says so, for any stages that are open."""

    sizes = (4,) * 5

    def score(self, X):
        return X.sum(axis=1) * 1.0

    def feasible(self, X):
        return (np.diff(X, axis=1) >= 0).all(axis=1)

    def allowed(self, X, stage):
        candidates = np.arange(4)
        lowest = np.where(X[:, :stage] >= 0, X[:, :stage], 0).max(axis=1, initial=0)
        highest = np.where(X[:, stage + 1 :] >= 0, X[:, stage + 1 :], 3).min(axis=1, initial=3)
        return (candidates >= lowest[:, None]) & (candidates <= highest[:, None])


class Assigned(swarmkit.Problem):
    """Three stages that take three of five candidates."""

    sizes, distinct = (5,) * 3, True

    def score(self, X):
        return X.sum(axis=1) * 1.0


class Free(swarmkit.Problem):
    """No constraint."""

    sizes = (2, 1, 3)

    def score(self, X):
        return X.sum(axis=1) * 1.0


def distinct_rows(X):
    return {tuple(row) for row in X.tolist()}


def test_free_solutions_are_drawn_among_all():
    X = random_solutions(Free(), 200, np.random.default_rng(0))
    assert X.shape == (200, 3)
    assert distinct_rows(X) == {(a, 0, b) for a in range(2) for b in range(3)}


def test_permutations_are_drawn_among_all_choices_of_candidates():
    X = random_solutions(Assigned(), 2000, np.random.default_rng(0))
    assert len(distinct_rows(X)) == 60
    assert all(len(set(row)) == 3 for row in X.tolist())


def test_where_only_a_judge_knows_what_is_drawn_is_judged():
    X = random_solutions(Judged(), 400, np.random.default_rng(0))
    assert 100 < len(X) < 250  # four of nine
    assert distinct_rows(X) == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_where_candidates_are_excluded_solutions_are_built_and_none_is_missing():
    X = random_solutions(Ascending(), 9000, np.random.default_rng(0))
    assert len(X) == 9000
    assert Ascending().feasible(X).all()
    assert len(distinct_rows(X)) == 56  # multisets of 5 among 4 candidates


@pytest.mark.parametrize("order", [None, np.array([4, 0, 3, 1, 2])])
def test_stages_are_filled_in_the_order_that_is_asked_for(order):
    stages = []

    def choose(X, stage, allowed):
        assert (X[:, stages] >= 0).all()
        assert (X[:, stage] == -1).all()
        stages.append(stage)
        return allowed.argmax(axis=1)

    X = construct(Ascending(), 3, choose, order)
    assert stages == (list(range(5)) if order is None else order.tolist())
    assert X.tolist() == [[0] * 5] * 3


class Trap(Judged):
    """The middle candidate of the first stage leaves the second without any."""

    def allowed(self, X, stage):
        other = X[:, 1 - stage][:, None]
        near = np.abs(np.arange(3) - other) == 1
        return np.where(other < 0, True, near & (other != 1))


def test_rows_in_a_dead_end_are_built_again():
    rng = np.random.default_rng(1)
    X = construct(Trap(), 30, lambda _, __, allowed: pick_any(allowed, rng))
    assert len(X) == 30
    assert distinct_rows(X) == {(0, 1), (2, 1)}


@given(st.integers(0, 10**6))
def test_repair_makes_rows_feasible_and_leaves_feasible_ones_alone(seed):
    rng, problem = np.random.default_rng(seed), Ascending()
    X = rng.integers(0, 4, (6, 5))
    before, sound = X.copy(), problem.feasible(X)
    assert repair(problem, X, rng).all()
    assert problem.feasible(X).all()
    assert (X[sound] == before[sound]).all()
    assert ((X == before).sum(axis=1) >= 1).all()  # the stage that comes first keeps its candidate


def test_what_nobody_can_repair_is_said():
    X = np.array([[0, 0], [0, 1], [2, 2]])
    assert repair(Judged(), X, np.random.default_rng(0)).tolist() == [False, True, False]
    assert X.tolist() == [[0, 0], [0, 1], [2, 2]]


def test_marked_candidates_are_picked_alike_and_others_never():
    among = np.tile([True, False, True, True], (3000, 1))
    counts = np.bincount(pick_any(among, np.random.default_rng(0)), minlength=4)
    assert counts[1] == 0
    assert (abs(counts[[0, 2, 3]] - 1000) < 120).all()
    assert pick_any(np.zeros((0, 4), bool), np.random.default_rng(0)).shape == (0,)


def test_the_best_allowed_candidate_is_picked_and_ties_at_random():
    values, allowed = np.tile([-5.0, -1.0, -1.0, 0.0], (400, 1)), np.tile([True, True, True, False], (400, 1))
    counts = np.bincount(pick_best(values, allowed, np.random.default_rng(0)), minlength=4)
    assert (counts[0], counts[3]) == (0, 0)
    assert 140 < counts[1] < 260
