"""Random problems: who is related to whom, and the planted optimum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit_synthetic.synthetic import Synthetic

seeds = st.integers(0, 2**32 - 1)


@given(st.integers(0, 12), st.integers(1, 15), seeds)
def test_stages_are_related_within_the_window_and_nowhere_else(n, window, seed):
    form = Synthetic(n=n, window=window, seed=seed).form
    expected = [(i, j) for i in range(n) for j in range(i + 1, n) if j - i <= window]
    assert [tuple(edge) for edge in form.edges.tolist()] == expected


@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 5), seeds)
def test_nothing_is_better_than_the_planted_solution(n, polysemy, window, seed):
    problem = Synthetic(n=n, polysemy=polysemy, window=window, planted=True, seed=seed)
    best = swarmkit.solve(problem, "exhaustive")
    assert best.score == pytest.approx(problem.optimum) == pytest.approx(len(problem.form.edges))
    assert problem.metrics(problem.planted)["stages as planted"] == 1.0


@given(st.booleans(), seeds)
def test_a_seed_is_a_problem(planted, seed):
    one, same = (Synthetic(n=8, planted=planted, seed=seed) for _ in range(2))
    assert one.fingerprint == same.fingerprint
    assert np.array_equal(one.form.flat, same.form.flat)


def test_without_a_planted_optimum_there_is_nothing_to_measure():
    problem = swarmkit.make_problem("synthetic", n=5)
    assert problem.optimum is None
    assert problem.metrics(np.zeros(5, int)) == {}
