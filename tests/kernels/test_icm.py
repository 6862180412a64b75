"""Iterated conditional modes on the gain table against climbing by definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit.search.table_neighbourhood as searching
from swarmkit import Pairwise, PairwiseProblem, local_search
from swarmkit.kernels import gain_table, icm, scoring  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import rng_state, start_climb
from swarmkit.search.table_neighbourhood import TableClimb
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


@given(forms, seeds)
def test_a_step_is_a_sweep_of_the_solution_that_climbs(form, seed):
    problem, X = PairwiseProblem(form), solutions(form, 3, np.random.default_rng(seed))
    climb, state = start_climb(problem, X, "icm", np.random.default_rng(seed)), rng_state(np.random.default_rng(seed))
    assert isinstance(climb, TableClimb)
    whole, sweep = local_search(problem, X, "icm", np.random.default_rng(seed)), form.unary.size * (1 + form.distinct)
    for number in range(3):
        before, sweeps = climb.pieces, plain_climb(form, X[number].copy(), state) // sweep
        while climb.ended == number:
            looks = climb.step(problem, None)
            assert looks == sweep + (X.shape[1] if climb.ended > number else 0)
        assert climb.pieces - before == sweeps or not exact(form)
    assert climb.finished
    assert climb.step(problem, None) == 0
    assert (climb.X.tolist(), climb.scores.tolist()) == (whole.solutions.tolist(), whole.scores.tolist())


def exact(form):
    """Whether sums are exact, so that kept gains are computed ones and ties are ties."""
    return (form.unary == np.rint(form.unary)).all() and (form.flat == np.rint(form.flat)).all()
