"""Iterated conditional modes on the gain table against climbing by definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit.search.table_neighbourhood as searching
from swarmkit import Left, Pairwise, PairwiseProblem, local_search
from swarmkit.kernels import icm, layout, scoring  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import rng_state, start_climb
from swarmkit.search.table_neighbourhood import TableClimb
from swarmkit.testing.families import Shape, random_form
from tests.plain_climbs import forms, plain_climb, solutions

seeds = st.integers(0, 999)


@pytest.fixture(autouse=True, scope="module")
def always_compiled():
    """Small problems are climbed without a kernel; here it is the kernel that is tested."""
    small, searching.SMALL = searching.SMALL, 0
    yield
    searching.SMALL = small


def without_ties(form, rng):
    """Ties would be broken by the last digit, which differs between what is kept up to date and what is computed."""
    unary = form.unary + 1e-3 * rng.random(len(form.unary))
    return Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat, form.distinct)


@given(forms, seeds)
def test_climbing_goes_where_the_plain_version_goes(form, seed):
    rng = np.random.default_rng(seed)
    form = without_ties(form, rng)
    X = solutions(form, 3, rng)
    state = rng_state(np.random.default_rng(seed))
    plain = X.copy()
    looks = sum(plain_climb(form, x, state) for x in plain)
    improved = local_search(PairwiseProblem(form), X, "icm", np.random.default_rng(seed))
    assert improved.solutions.tolist() == plain.tolist()
    assert improved.looks == looks + X.size
    assert improved.scores == pytest.approx(form.score(plain))


@given(forms, seeds)
def test_no_single_move_betters_what_was_climbed(form, seed):
    X = solutions(form, 2, np.random.default_rng(seed))
    improved = local_search(PairwiseProblem(form), X, "icm", np.random.default_rng(seed))
    assert (improved.scores >= form.score(X) - 1e-9).all()
    for stage in range(X.shape[1]):
        assert form.gains(improved.solutions, stage).max() <= 1e-6


def test_ties_are_broken_at_random():
    form = Pairwise.of([3], unary=[0.0, 1.0, 1.0])
    climbed = local_search(PairwiseProblem(form), np.zeros((200, 1), int), "icm", np.random.default_rng(1)).solutions
    assert 60 < (climbed == 1).sum() < 140


@given(forms, seeds, st.integers(1, 40))
def test_a_climb_with_pauses_is_one_without(form, seed, looks):
    problem, X = PairwiseProblem(form), solutions(form, 3, np.random.default_rng(seed))
    whole = local_search(problem, X, "icm", np.random.default_rng(seed))
    climb = start_climb(problem, X, "icm", np.random.default_rng(seed))
    assert isinstance(climb, TableClimb)
    spent, best = 0, -np.inf
    while not climb.finished:
        used = climb.go_on(problem, None, Left(looks))
        assert 0 < used <= looks + 2 * form.sizes.max() + X.shape[1]
        x, score = climb.found(problem) or (None, best)
        assert score >= best
        assert x is None or form.score(x[None])[0] == pytest.approx(score)
        spent, best = spent + used, score
    assert (climb.X.tolist(), climb.scores.tolist(), spent) == (
        whole.solutions.tolist(),
        whole.scores.tolist(),
        whole.looks,
    )
    assert best == whole.scores.max()


def test_a_climb_pauses_after_an_iteration():
    form = random_form(Shape(5, 4, 2, "floats", 1))
    problem, X = PairwiseProblem(form), solutions(form, 3, np.random.default_rng(1))
    climb = start_climb(problem, X, "icm", np.random.default_rng(1))
    climb.go_on(problem, None, Left(iterations=2))
    assert climb.ended == 2
